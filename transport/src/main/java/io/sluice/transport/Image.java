package io.sluice.transport;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.ControlledMessageHandler.Action;
import io.sluice.transport.receive.EventSlot;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.LapCheck;
import io.sluice.transport.receive.Receiver;
import io.sluice.transport.status.BreakReason;
import io.sluice.transport.stream.InboundImage;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One publication's stream as a subscription sees it: a gapless run of messages without duplicates, from the join
 * position on. The thread that polls the subscription may poll its images one by one; everything else may be called
 * from any thread.
 */
public final class Image {
    private static final int NO_MEMORY = 0;
    private static final long NONE_HANDLED = -1;

    private final Subscription subscription;
    private final InboundImage registration;
    private final InboundLink link;
    private final LapCheck lapCheck;
    private final ErrorHandler errorHandler;
    private final Header header = new Header(this);
    private final UnsafeBuffer message = new UnsafeBuffer(NO_MEMORY, 0);
    /** Where {@code Subscription.poll} stands in DEDICATED mode; the poller gives the bytes back a little later. */
    private final AtomicLong polledPosition = new AtomicLong();
    private volatile boolean closed;
    private volatile boolean passed;

    Image(final Subscription subscription, final InboundImage registration, final ErrorHandler errorHandler) {
        this.subscription = subscription;
        this.registration = registration;
        link = registration.link();
        lapCheck = link.newLapCheck();
        this.errorHandler = errorHandler;
    }

    /**
     * Handle waiting messages of this image only; see {@link Subscription#poll}.
     *
     * @param handler      told of each message.
     * @param messageLimit messages to handle at most, at least 1.
     * @return messages handled, 0 when the image is closed.
     * @throws IllegalStateException when the subscription is not in INVOKER mode: its images share one ring.
     */
    public int poll(final MessageHandler handler, final int messageLimit) {
        return subscription.pollImage(this, handler, messageLimit);
    }

    /**
     * Handle waiting messages of this image only; see {@link Subscription#controlledPoll}.
     *
     * @param handler      told of each message.
     * @param messageLimit messages to handle at most, at least 1.
     * @return messages handled, the aborted one not counted; 0 when the image is closed.
     * @throws IllegalStateException when the subscription is not in INVOKER mode: its images share one ring.
     */
    public int controlledPoll(final ControlledMessageHandler handler, final int messageLimit) {
        return subscription.controlledPollImage(this, handler, messageLimit);
    }

    int deliver(final Receiver receiver, final MessageHandler handler, final int messageLimit) {
        long position = link.walked();
        long handled = NONE_HANDLED;
        final long received = link.received();
        final UnsafeBuffer ring = link.ring();
        int messages = 0;
        try {
            while (messages < messageLimit && position < received) {
                final long lengthWord = link.frameAt(position);
                if (lengthWord == InboundLink.BAD_FRAME) {
                    link.truncate(position);
                    receiver.fail(link, BreakReason.BAD_FRAME);
                    break;
                }
                final long frame = position;
                position += FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(lengthWord));
                if (FrameDescriptor.typeOf(lengthWord) == FrameDescriptor.DATA_TYPE) {
                    messages++;
                    wrap(ring, link.offset(frame), lengthWord, position);
                    handled = frame;
                    handler.onMessage(message, 0, message.capacity(), header);
                    if (!lapCheck.isIntact(ring, frame)) {
                        break;
                    }
                }
            }
        } catch (final Throwable ex) {
            errorHandler.onError(ex);
        } finally {
            finish(receiver, handled, position, messages);
        }
        return messages;
    }

    /** {@return whether the frame found on the short way was a message, which was handled} */
    boolean deliverNext(final Receiver receiver, final MessageHandler handler) {
        final long frame = link.received();
        final long lengthWord = link.receiveNext();
        if (lengthWord == InboundLink.BAD_FRAME) {
            return false;
        }
        final long end = link.received();
        try {
            wrap(link.ring(), link.offset(frame), lengthWord, end);
            handler.onMessage(message, 0, message.capacity(), header);
        } catch (final Throwable ex) {
            onHandlerFailed(receiver, frame, end, ex);
            return true;
        }
        finishNext(receiver, frame, end);
        return true;
    }

    private void onHandlerFailed(final Receiver receiver, final long frame, final long end, final Throwable ex) {
        try {
            errorHandler.onError(ex);
        } finally {
            finishNext(receiver, frame, end);
        }
    }

    private void finishNext(final Receiver receiver, final long frame, final long end) {
        if (lapCheck.isIntact(link.ring(), frame)) {
            advance(end);
            link.onHandled(1);
            receiver.shortWay().onHandled();
        } else {
            finish(receiver, frame, end, 1);
        }
    }

    int deliverControlled(final Receiver receiver, final ControlledMessageHandler handler, final int messageLimit) {
        long position = link.walked();
        long handled = NONE_HANDLED;
        final long received = link.received();
        int messages = 0;
        try {
            while (messages < messageLimit && position < received) {
                final long lengthWord = link.frameAt(position);
                if (lengthWord == InboundLink.BAD_FRAME) {
                    link.truncate(position);
                    receiver.fail(link, BreakReason.BAD_FRAME);
                    break;
                }
                final long frame = position;
                position += FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(lengthWord));
                if (FrameDescriptor.typeOf(lengthWord) != FrameDescriptor.DATA_TYPE) {
                    continue;
                }
                messages++;
                wrap(link.ring(), link.offset(frame), lengthWord, position);
                handled = frame;
                final Action action = handler.onMessage(message, 0, message.capacity(), header);
                if (action == Action.ABORT) {
                    messages--;
                    position = frame;
                    handled = NONE_HANDLED;
                    break;
                } else if (action == Action.BREAK || !lapCheck.isIntact(link.ring(), frame)) {
                    break;
                } else if (action == Action.COMMIT) {
                    advance(position);
                }
            }
        } catch (final Throwable ex) {
            errorHandler.onError(ex);
        } finally {
            finish(receiver, handled, position, messages);
        }
        return messages;
    }

    void deliver(final EventSlot event, final MessageHandler handler) {
        if (isOverwritten(event)) {
            return;
        }
        wrap(event);
        try {
            handler.onMessage(message, 0, message.capacity(), header);
        } finally {
            checkIntact(event);
        }
    }

    Action deliverControlled(final EventSlot event, final ControlledMessageHandler handler) {
        if (isOverwritten(event)) {
            return Action.CONTINUE;
        }
        wrap(event);
        try {
            return handler.onMessage(message, 0, message.capacity(), header);
        } finally {
            checkIntact(event);
        }
    }

    /**
     * Whether a message was overwritten on its way over the ring: the publication went on without this image, which
     * then ends before it. Consumers.
     */
    boolean isOverwritten(final EventSlot event) {
        if (!passed && !lapCheck.isIntact(event.ring(), framePosition(event))) {
            pass();
        }
        return passed;
    }

    /** What comes is skipped: so the link must end, if it has not ended already. Consumers. */
    private void pass() {
        if (!passed) {
            passed = true;
            subscription.endOverwritten(link);
        }
    }

    private static long framePosition(final EventSlot event) {
        return event.endPosition() - FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(event.lengthWord()));
    }

    private void wrap(final EventSlot event) {
        message.wrap(
            event.ring().addressOffset() + event.frameOffset() + FrameDescriptor.HEADER_LENGTH, event.length());
        header.wrap(event);
    }

    void polled(final long position) {
        polledPosition.lazySet(position);
    }

    private void wrap(final UnsafeBuffer ring, final int offset, final long lengthWord, final long endPosition) {
        message.wrap(
            ring.addressOffset() + offset + FrameDescriptor.HEADER_LENGTH,
            FrameDescriptor.frameLengthOf(lengthWord) - FrameDescriptor.HEADER_LENGTH);
        header.wrap(ring, offset, lengthWord, endPosition);
    }

    /** The last message handled: all before it were found intact after their handler. */
    private void checkIntact(final Receiver receiver, final long handled, final long end) {
        if (handled != NONE_HANDLED && !lapCheck.isIntact(link.ring(), handled)) {
            link.truncate(end);
            receiver.fail(link, BreakReason.BAD_FRAME);
            tellChanged(handled);
        }
    }

    /** Tell when a message was overwritten under its handler: the image ends with it. */
    void checkIntact(final EventSlot event) {
        if (!lapCheck.isIntact(event.ring(), framePosition(event))) {
            pass();
            tellChanged(framePosition(event));
        }
    }

    private void tellChanged(final long framePosition) {
        errorHandler.onError(new TransportException(
            "a message may have changed under its handler: the publication went on without this image, for it was"
                + " too slow or stood still: sessionId=" + sessionId() + " position=" + framePosition
                + "; log=copied prevents it"));
    }

    /** Also when the error handler throws: what it was told of counts as consumed. */
    private void finish(final Receiver receiver, final long handled, final long position, final int messages) {
        try {
            checkIntact(receiver, handled, position);
        } finally {
            advance(position);
            link.onHandled(messages);
        }
    }

    private void advance(final long position) {
        link.walked(position);
        link.consumed(position);
    }

    void close() {
        closed = true;
    }

    InboundImage registration() {
        return registration;
    }

    /**
     * Whether the image is at its end and its memory released. Any thread.
     *
     * @return true from just before the unavailable handler on.
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * The position behind the last consumed message. Any thread.
     *
     * @return the position; the final one when closed.
     */
    public long position() {
        // the polling thread may not have begun the run yet
        return Math.max(Math.max(link.consumed(), polledPosition.get()), registration.joinPosition());
    }

    /**
     * Where this image's run began.
     *
     * @return the position.
     */
    public long joinPosition() {
        return registration.joinPosition();
    }

    /**
     * Whether the publication was closed and everything that it sent was consumed. Any thread.
     *
     * @return true at the end of the stream; false for an image that was lost.
     */
    public boolean isEndOfStream() {
        return position() >= registration.endOfStreamPosition();
    }

    /**
     * Where the stream ends. Any thread.
     *
     * @return the position, or {@link Long#MAX_VALUE} until the publication has announced it.
     */
    public long endOfStreamPosition() {
        return registration.endOfStreamPosition();
    }

    /**
     * The session of the publication.
     *
     * @return the session id.
     */
    public int sessionId() {
        return registration.sessionId();
    }

    /**
     * Who publishes, for people to read.
     *
     * @return for example {@code "pid 4711"}.
     */
    public String sourceIdentity() {
        return registration.sourceIdentity();
    }

    /**
     * The subscription that this image belongs to.
     *
     * @return the subscription.
     */
    public Subscription subscription() {
        return subscription;
    }

    @Override
    public String toString() {
        return "Image{sessionId=" + sessionId() + " streamId=" + subscription.streamId()
            + " joinPosition=" + joinPosition()
            + " position=" + position() + " source=" + sourceIdentity() + (closed ? " closed}" : "}");
    }
}

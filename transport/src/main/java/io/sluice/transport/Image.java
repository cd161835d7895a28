package io.sluice.transport;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.ControlledMessageHandler.Action;
import io.sluice.transport.connection.InboundImage;
import io.sluice.transport.receive.EventSlot;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.Receiver;
import io.sluice.transport.status.BreakReason;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One publication's stream as a subscription sees it: a gapless run of messages without duplicates, from the join
 * position on. The thread that polls the subscription may poll its images one by one; everything else may be called
 * from any thread.
 */
public final class Image {
    private static final int NO_MEMORY = 0;

    private final Subscription subscription;
    private final InboundImage registration;
    private final InboundLink link;
    private final ErrorHandler errorHandler;
    private final Header header = new Header(this);
    private final UnsafeBuffer message = new UnsafeBuffer(NO_MEMORY, 0);
    private volatile boolean closed;

    Image(final Subscription subscription, final InboundImage registration, final ErrorHandler errorHandler) {
        this.subscription = subscription;
        this.registration = registration;
        link = registration.link();
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
        final long first = position;
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
                if (FrameDescriptor.typeOf(lengthWord) == FrameDescriptor.DATA_TYPE) {
                    messages++;
                    wrap(link.ring(), link.offset(frame), lengthWord, position);
                    handler.onMessage(message, 0, message.capacity(), header);
                }
            }
        } catch (final Throwable ex) {
            errorHandler.onError(ex);
        } finally {
            checkIntact(link.ring(), first, position);
            advance(position);
        }
        link.onHandled(messages);
        return messages;
    }

    int deliverControlled(final Receiver receiver, final ControlledMessageHandler handler, final int messageLimit) {
        long position = link.walked();
        final long first = position;
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
                final Action action = handler.onMessage(message, 0, message.capacity(), header);
                if (action == Action.ABORT) {
                    messages--;
                    position = frame;
                    break;
                } else if (action == Action.BREAK) {
                    break;
                } else if (action == Action.COMMIT) {
                    advance(position);
                }
            }
        } catch (final Throwable ex) {
            errorHandler.onError(ex);
        } finally {
            checkIntact(link.ring(), first, position);
            advance(position);
        }
        link.onHandled(messages);
        return messages;
    }

    void deliver(final EventSlot event, final MessageHandler handler) {
        wrap(event.ring(), event.frameOffset(), event.lengthWord(), event.endPosition());
        handler.onMessage(message, 0, message.capacity(), header);
    }

    Action deliverControlled(final EventSlot event, final ControlledMessageHandler handler) {
        wrap(event.ring(), event.frameOffset(), event.lengthWord(), event.endPosition());
        return handler.onMessage(message, 0, message.capacity(), header);
    }

    private void wrap(final UnsafeBuffer ring, final int offset, final long lengthWord, final long endPosition) {
        message.wrap(
            ring.addressOffset() + offset + FrameDescriptor.HEADER_LENGTH,
            FrameDescriptor.frameLengthOf(lengthWord) - FrameDescriptor.HEADER_LENGTH);
        header.wrap(ring, offset, lengthWord, endPosition);
    }

    /** Tell when the oldest of the frames just handled was overwritten under its handler; later ones go after it. */
    private void checkIntact(final UnsafeBuffer ring, final long framePosition, final long end) {
        if (framePosition < end && !link.isIntact(ring, framePosition)) {
            errorHandler.onError(new TransportException(
                "messages may have changed under their handler: the publication gave this process up while it stood"
                    + " still: sessionId=" + sessionId() + " position=" + framePosition + "; log=copied prevents it"));
        }
    }

    void checkIntact(final EventSlot event) {
        final int length = FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(event.lengthWord()));
        checkIntact(event.ring(), event.endPosition() - length, event.endPosition());
    }

    private void advance(final long position) {
        link.walked(position);
        link.consumed(position);
    }

    boolean hasBacklog() {
        return link.walked() < link.received();
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
        return Math.max(link.consumed(), registration.joinPosition());
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
        return link.consumed() >= registration.endOfStreamPosition();
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

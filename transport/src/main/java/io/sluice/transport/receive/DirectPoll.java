package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.NextStep;
import io.sluice.transport.counters.BreakReason;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receiving data path of a subscription in INVOKER mode, on the thread that polls it: drain, walk, maintain. Its
 * twin with a ring between is {@link Poller}.
 * <p>
 * When one message is all that is waited for, a poll is the single-image poll of {@link SingleImagePoll}.
 */
public final class DirectPoll extends ImagePoll {
    private static final long NONE_HANDLED = -1;

    private final Receiver receiver;
    private final SingleImagePoll singleImagePoll;
    private final FrameWalk walk;
    /** The place where messages are measured on their way; null where no latencies are kept. */
    private final MeasuredView measured;
    private final ErrorHandler errorHandler;
    private boolean backlog;
    private int nextLink;

    /**
     * A poll of the links of a receiver.
     *
     * @param receiver     of the subscription.
     * @param times        that are noted of the messages.
     * @param errorHandler told of what handlers throw.
     */
    public DirectPoll(final Receiver receiver, final MessageTimes times, final ErrorHandler errorHandler) {
        this.receiver = receiver;
        measured = MeasuredView.of(times);
        this.errorHandler = errorHandler;
        singleImagePoll = receiver.singleImagePoll();
        walk = new FrameWalk(receiver);
    }

    @Override
    public int poll(final int messageLimit) {
        final int look = singleImagePoll.look();
        if (look == SingleImagePoll.NOTHING) {
            return 0;
        }
        return look == SingleImagePoll.FRAME && messageLimit > 0 && handleNext() ? 1 : pollWhole(messageLimit, true);
    }

    @Override
    public int pollAll(final int messageLimit) {
        return pollWhole(messageLimit, false);
    }

    private int pollWhole(final int messageLimit, final boolean opensSingleImagePoll) {
        beginMeasures();
        int work = receiver.drain();
        final int messages = walkLinks(work, messageLimit);
        work += messages;
        receiver.maintain(work);
        final InboundLink awaited = work == 0 && opensSingleImagePoll ? receiver.awaited() : null;
        if (awaited != null) {
            singleImagePoll.open(awaited);
        }
        return messages;
    }

    @Override
    public int poll(final InboundLink link, final MessageView view, final int messageLimit) {
        beginMeasures();
        final int work = receiver.drain();
        backlog = true;
        final int messages = view.isClosed() ? 0 : walk(link, view, messageLimit);
        receiver.maintain(work + messages);
        return messages;
    }

    private int walkLinks(final int work, final int messageLimit) {
        final InboundLink[] links = receiver.links();
        final int count = linksWithBacklog(links, work);
        int messages = 0;
        for (int i = 0, index = nextLink; i < count && messages < messageLimit; i++, index++) {
            final InboundLink link = links[index >= count ? index - count : index];
            // without a view the application does not know the image yet
            final MessageView view = link.positions().isPending() ? link.view() : null;
            messages += view == null || view.isClosed() ? 0 : walk(link, view, messageLimit - messages);
        }
        return messages;
    }

    /** The number of links, the first ones, that may have something: an idle poll goes over none. */
    private int linksWithBacklog(final InboundLink[] links, final int work) {
        if (work == 0 && !backlog) {
            return 0;
        }
        final int count = receiver.activeLinkCount();
        backlog = false;
        for (int i = 0; i < count; i++) {
            backlog |= links[i].positions().isPending();
        }
        nextLink = nextLink + 1 < count ? nextLink + 1 : 0;
        return count;
    }

    private void beginMeasures() {
        if (measured != null) {
            measured.begin();
        }
    }

    private void endMeasures() {
        if (measured != null) {
            measured.end();
        }
    }

    private NextStep hand(
        final MessageView view, final UnsafeBuffer ring, final int offset, final long lengthWord, final long end) {
        // not one call of two kinds: where nothing is measured the compiler knows the view
        return measured == null ? view.onMessage(ring, offset, lengthWord, end)
            : measured.to(view).onMessage(ring, offset, lengthWord, end);
    }

    /** Tells the error handler; what was handled before is counted first, for that may take its time. */
    private void tell(final Throwable error) {
        endMeasures();
        errorHandler.onError(error);
    }

    private int walk(final InboundLink link, final MessageView view, final int messageLimit) {
        final FrameReader reader = link.reader();
        final UnsafeBuffer ring = reader.ring();
        long handled = NONE_HANDLED;
        int messages = 0;
        long position = walk.begin(link, FrameWalk.ALL_FRAMES);
        try {
            while (messages < messageLimit) {
                final long frameEnd = walk.next(position);
                if (frameEnd < 0) {
                    position = ~frameEnd;
                    break;
                }
                final long lengthWord = walk.lengthWord();
                final long frame = frameEnd - FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(lengthWord));
                position = frameEnd;
                handled = frame;
                messages++;
                final NextStep step = hand(view, ring, reader.offset(frame), lengthWord, frameEnd);
                if (step == NextStep.ABORT) {
                    messages--;
                    handled = NONE_HANDLED;
                    position = frame;
                    break;
                } else if (step == NextStep.BREAK || !reader.isIntact(frame)) {
                    break;
                } else if (step == NextStep.COMMIT) {
                    link.positions().advance(position);
                }
            }
        } catch (final Throwable ex) {
            tell(ex);
        } finally {
            endMeasures();
            finish(link, view, handled, position, messages);
        }
        return messages;
    }

    /** {@return whether the frame that the single-image poll found was a message, which was handled} */
    private boolean handleNext() {
        final InboundLink link = singleImagePoll.link();
        final MessageView view = link.view();
        if (view == null || view.isClosed()) {
            return false;
        }
        final ImagePositions positions = link.positions();
        final long frame = positions.received();
        final long lengthWord = link.logScan().receiveNext();
        if (lengthWord == FrameReader.BAD_FRAME) {
            return false;
        }
        final long end = positions.received();
        final FrameReader reader = link.reader();
        try {
            beginMeasures();
            hand(view, reader.ring(), reader.offset(frame), lengthWord, end);
            endMeasures();
        } catch (final Throwable ex) {
            onHandlerFailed(link, view, frame, end, ex);
            return true;
        }
        finishNext(link, view, frame, end);
        return true;
    }

    private void onHandlerFailed(
        final InboundLink link, final MessageView view, final long frame, final long end, final Throwable error) {
        try {
            tell(error);
        } finally {
            finishNext(link, view, frame, end);
        }
    }

    private void finishNext(final InboundLink link, final MessageView view, final long frame, final long end) {
        if (link.reader().isIntact(frame)) {
            final ImagePositions positions = link.positions();
            positions.advance(end);
            positions.onHandled(1);
            singleImagePoll.onHandled();
        } else {
            finish(link, view, frame, end, 1);
        }
        if (link.isMaintenanceDue()) {
            // its publication may wait for that
            singleImagePoll.shut();
            receiver.maintain(1);
        }
    }

    /**
     * Counts what was handed out as consumed, also when the error handler throws: the message that it was told of
     * counts, too.
     */
    private void finish(
        final InboundLink link, final MessageView view, final long handled, final long end, final int messages) {
        try {
            // the last message handled: all before it were found intact after their handler
            if (handled != NONE_HANDLED && !link.reader().isIntact(handled)) {
                link.truncate(end);
                receiver.fail(link, BreakReason.BAD_FRAME);
                view.onOverwritten(handled);
            }
        } finally {
            final ImagePositions positions = link.positions();
            positions.advance(end);
            positions.onHandled(messages);
        }
    }
}

package io.sluice.transport.receive;

import io.sluice.transport.counters.BreakReason;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.MemoryRegion;
import java.util.function.LongConsumer;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Set-up and tear-down of a receiver's links, asked for by the conductor and done by the polling thread at its next
 * poll. Answers are callbacks on the polling thread; they must only hand the news over. Each command is a method of the
 * receiver that runs later, on another thread: so they know the receiver itself, and an interface would name each of
 * its methods a third time.
 */
public final class ReceiverCommands {
    private final ManyToOneConcurrentLinkedQueue<Runnable> queue = new ManyToOneConcurrentLinkedQueue<>();
    private final Receiver receiver;
    private volatile int queued;
    private int done;

    ReceiverCommands(final Receiver receiver) {
        this.receiver = receiver;
    }

    /** {@return whether anything is queued} Polling thread. */
    boolean isPending() {
        return queued != done;
    }

    /**
     * Run what is queued. Polling thread.
     *
     * @return commands run.
     */
    int run() {
        if (!isPending()) {
            return 0;
        }
        // those that are there now: one of them may queue itself again
        final int last = queued;
        int count = 0;
        Runnable command;
        while (done != last && (command = queue.poll()) != null) {
            done++;
            count++;
            command.run();
        }
        return count;
    }

    /** Adds a command that may give the polls to come something to do for the link. */
    private void add(final InboundLink link, final Runnable command) {
        add(() -> {
            receiver.activate(link);
            command.run();
        });
    }

    private void add(final Runnable command) {
        synchronized (this) {
            queue.add(command);
            queued++;
        }
        receiver.wake();
    }

    /**
     * Drain another queue of receives from now on, in the place of one that has overrun. Any thread; before a link
     * that completes there is attached or resumed.
     *
     * @param replacement of the same subscription.
     */
    public void receives(final CompletionQueue replacement) {
        add(() -> receiver.completions(replacement));
    }

    /**
     * Reap another queue of feedback writes from now on. Any thread; before a link that completes there is attached or
     * resumed.
     *
     * @param replacement of the same subscription.
     */
    public void feedbacks(final CompletionQueue replacement) {
        add(() -> receiver.feedbackCompletions(replacement));
    }

    /**
     * Tell when the completions of receives that wait now are drained. Any thread.
     *
     * @param drained told on the polling thread.
     */
    public void drainReceives(final Runnable drained) {
        add(() -> receiver.whenDrained(drained));
    }

    /**
     * Reap the feedback writes that are done now. Any thread.
     *
     * @param drained told on the polling thread.
     */
    public void drainFeedbacks(final Runnable drained) {
        add(() -> {
            if (receiver.reapAllFeedback()) {
                drained.run();
            } else {
                drainFeedbacks(drained);
            }
        });
    }

    /**
     * Attach a link and begin its first epoch. Any thread; before the peer can write.
     *
     * @param link  to attach.
     * @param epoch to begin.
     */
    public void attach(final InboundLink link, final InboundEpoch epoch) {
        add(() -> receiver.attach(link, epoch));
    }

    /**
     * Has a link join the stream: messages are handed out from now on. Any thread.
     *
     * @param link         to join.
     * @param joinPosition from where on messages are handed out.
     * @param refused      told when the position does not fit what was received.
     */
    public void join(final InboundLink link, final long joinPosition, final Runnable refused) {
        add(link, () -> {
            if (!link.join(joinPosition)) {
                refused.run();
            }
        });
    }

    /**
     * End a link's epoch after its queue pair was destroyed. Any thread.
     *
     * @param link      to quiesce.
     * @param quiescent told the received position, which is final until the next epoch.
     */
    public void quiesce(final InboundLink link, final LongConsumer quiescent) {
        add(link, () -> {
            link.logScan().findAll();
            link.quiesce();
            quiescent.accept(link.positions().received());
        });
    }

    /**
     * Begin the next epoch of a quiescent link at its received position. When the new epoch has another ring, the
     * bytes not yet walked are taken over. Any thread; before the peer can write.
     *
     * @param link     to resume.
     * @param epoch    to begin.
     * @param released told the old ring, and from which consumed position on nobody uses it, when it was replaced.
     */
    public void resume(final InboundLink link, final InboundEpoch epoch, final RingReleased released) {
        add(link, () -> {
            final MemoryRegion oldRing = link.epoch().ring();
            if (oldRing != epoch.ring()) {
                takeOver(link, epoch);
                released.onRingReleased(oldRing, link.positions().walked());
            }
            receiver.begin(link, epoch);
        });
    }

    /**
     * Notes that the publication's end receives in the epoch of a link that has resumed: it may be told what was
     * consumed. Any thread.
     *
     * @param link that works again.
     */
    public void establish(final InboundLink link) {
        add(link, link::establish);
    }

    private static void takeOver(final InboundLink link, final InboundEpoch epoch) {
        final UnsafeBuffer target = epoch.ring().buffer();
        final UnsafeBuffer source = link.reader().ring();
        final ImagePositions positions = link.positions();
        long position = positions.walked();
        // before the link joins nothing is to be read, and never more than a window is, whatever a peer says
        final long end =
            positions.isJoined() ? Math.min(positions.received(), position + source.capacity()) : position;
        while (position < end) {
            final int offset = link.reader().offset(position);
            final int length = (int) Math.min(end - position, source.capacity() - offset);
            target.putBytes(offset, source, offset, length);
            position += length;
        }
    }

    /**
     * Expects frames up to a position that the publication has announced. Any thread, as often as a peer likes.
     *
     * @param link     of the publication.
     * @param position committed there; one where no frame can end breaks the link.
     */
    public void expect(final InboundLink link, final long position) {
        if (link.announcedPosition().tell(position)) {
            add(link, () -> {
                if (!link.logScan().expect(link.announcedPosition().take())) {
                    receiver.rejectPosition(link);
                }
            });
        }
    }

    /**
     * Break a link. Any thread.
     *
     * @param link   to break, if it is not broken already.
     * @param reason why.
     */
    public void fail(final InboundLink link, final BreakReason reason) {
        add(() -> receiver.fail(link, reason));
    }

    /**
     * Ends the stream of a link at a position. Any thread.
     *
     * @param link        that ends.
     * @param endPosition announced by the publication; one before what has arrived, or beyond the window, breaks it.
     * @param accepted    told when the position fits, before anybody is told that it was reached.
     */
    public void end(final InboundLink link, final long endPosition, final Runnable accepted) {
        add(link, () -> {
            final ImagePositions positions = link.positions();
            if (endPosition < positions.received() || !positions.isWithinWindow(endPosition)) {
                receiver.rejectPosition(link);
            } else {
                accepted.run();
                link.end().position(endPosition);
                link.end().tell(link, receiver.listener());
            }
        });
    }

    /**
     * Ends the stream of a link where it was received; a link that has not joined is over. Any thread.
     *
     * @param link that is given up.
     */
    public void endAtReceived(final InboundLink link) {
        add(link, () -> {
            link.logScan().findAll();
            link.quiesce();
            link.end().position(link.positions().streamEnd());
            link.end().tell(link, receiver.listener());
        });
    }

    /**
     * Detach a link whose end was consumed. Any thread.
     *
     * @param link     to detach.
     * @param detached told when the polling thread does not refer to it any more.
     */
    public void detach(final InboundLink link, final Runnable detached) {
        add(() -> {
            receiver.detach(link);
            detached.run();
        });
    }

    /**
     * A listener that is told that a ring was replaced.
     */
    @FunctionalInterface
    public interface RingReleased {
        /**
         * Notes that a ring was replaced.
         *
         * @param ring             the old one.
         * @param consumedPosition when the link has consumed this position, nobody uses the ring any more.
         */
        void onRingReleased(MemoryRegion ring, long consumedPosition);
    }
}

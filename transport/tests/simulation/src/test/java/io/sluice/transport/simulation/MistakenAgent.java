package io.sluice.transport.simulation;

import com.lmax.disruptor.Sequence;
import io.sluice.codec.FeedbackDescriptor;
import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.EventSlot;
import io.sluice.transport.receive.ImagePositions;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.SendLog;
import io.sluice.verbs.CompletionQueue;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AtomicBuffer;

/** Makes a {@link Mistake} again and again in the memory of those who are to be found out. */
final class MistakenAgent implements Agent {
    private static final int INTERVAL_NS = 20_000;

    private final World world;
    private boolean done;

    MistakenAgent(final World world) {
        this.world = world;
    }

    @Override
    public int doWork() {
        world.machine().parkRunning(INTERVAL_NS);
        final Publisher publisher = world.publisher();
        if (world.mistake() == Mistake.CHANGED_BYTE) {
            changeLog(publisher);
        } else if (world.mistake() == Mistake.LEAKED_MAPPING) {
            leak();
        } else if (world.mistake() == Mistake.NARROW_QUEUE) {
            narrow();
        }
        for (final OutboundLink link : publisher.state().poster().links()) {
            if (link.joinPosition() != OutboundLink.UNSET) {
                mistake(link, publisher.state().log());
            }
        }
        world.openSubscribers().forEach(this::mistake);
        return 0;
    }

    private static void changeLog(final Publisher publisher) {
        final long start = publisher.offered().lastNonEmptyStart();
        if (start >= 0) {
            final SendLog log = publisher.state().log();
            change(log.buffer(), log.offset(start));
        }
    }

    private static void change(final AtomicBuffer buffer, final int frame) {
        final int index = frame + FrameDescriptor.HEADER_LENGTH;
        buffer.putByte(index, (byte) ~buffer.getByte(index));
    }

    private void leak() {
        if (!done) {
            done = true;
            world.processes().getFirst().leak();
        }
    }

    private void narrow() {
        for (final CompletionQueue queue : Internals.completionQueues(world.processes().getFirst().device())) {
            if (Internals.committed(queue) > 1) {
                queue.resize((int) Internals.committed(queue) - 1);
            }
        }
    }

    private void mistake(final OutboundLink link, final SendLog log) {
        final AtomicBuffer cell = Internals.feedback(link);
        switch (world.mistake()) {
            case REPORT_FORGED -> cell.putLongRelease(FeedbackDescriptor.CONSUMED_POSITION_OFFSET, log.tail());
            case RECEIVES_FORGED -> cell.putLongRelease(FeedbackDescriptor.RECEIVES_POSTED_OFFSET,
                Internals.writesPosted(link) + link.parameters().ring().receiveDepth());
            case CREDIT_FORGED -> Internals.receivesKnown(
                link, Internals.writesPosted(link) + link.parameters().ring().receiveDepth());
            case UNCOUNTED_WRITES -> Internals.writesPosted(link, 0);
            case SLOTS_FORGED -> Internals.ledger(link).onCompletion();
            case BROKEN_LINK -> link.parameters().queuePair().fail();
            default -> { }
        }
    }

    private void mistake(final Subscriber subscriber) {
        for (final InboundLink link : subscriber.state().receiver().links()) {
            if (link.positions().isJoined()) {
                mistake(link);
            }
        }
        final EventRing events = subscriber.state().eventRing();
        if (events != null && world.mistake() == Mistake.CHANGED_EVENT) {
            final long oldest = Internals.reclaimed(events) + 1;
            final EventSlot event = events.ring().get(oldest);
            if (oldest <= events.ring().getCursor() && event.length() > 0) {
                change(event.ring(), event.frameOffset());
            }
        } else if (subscriber.isGraph() && !done) {
            mistakeGraph(subscriber, events);
        }
    }

    private void mistakeGraph(final Subscriber subscriber, final EventRing events) {
        if (world.mistake() == Mistake.UNGATED_HANDLER) {
            done = true;
            final Sequence[] gating = Internals.gatingSequences(events);
            events.gateOn(gating[0], gating[1]);
        } else if (world.mistake() == Mistake.UNORDERED_HANDLER) {
            done = true;
            world.processes().forEach(process -> Internals.forgetPredecessors(process.transport()));
        }
    }

    private void mistake(final InboundLink link) {
        final ImagePositions positions = link.positions();
        switch (world.mistake()) {
            case RECEIVED_EARLY ->
                Internals.received(positions, positions.received() + FrameDescriptor.FRAME_ALIGNMENT);
            case WALKED_EARLY -> Internals.walked(positions, positions.received() + FrameDescriptor.FRAME_ALIGNMENT);
            case CONSUMED_EARLY -> Internals.consumed(positions, positions.received());
            case CONSUMED_UNREAD -> Internals.consumed(positions, positions.walked());
            case REPORTED_EARLY -> Internals.reported(positions, positions.consumed() + 1);
            case WENT_BACK -> {
                if (positions.walked() > positions.consumed()) {
                    Internals.walked(positions, positions.consumed());
                }
            }
            case FEEDBACK_SLOTS_FORGED -> {
                if (link.isLive()) {
                    Internals.ledger(link).onCompletion();
                }
            }
            default -> { }
        }
    }

    @Override
    public String roleName() {
        return "mistakes@0";
    }
}

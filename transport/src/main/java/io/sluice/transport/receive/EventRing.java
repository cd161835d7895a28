package io.sluice.transport.receive;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.status.BreakReason;

/**
 * The poller's side of a subscription in DEDICATED mode: drains, walks the frames that have arrived, publishes them
 * onto a ring, and gives bytes back when the slowest consumer has passed them. A full ring stops the walk only;
 * draining goes on.
 * <p>
 * One poller thread calls {@link #feed()}; {@link #ring()} and {@link #consumerSequence()} are for the one consumer.
 */
public final class EventRing {
    /** Frames walked per link and duty cycle, so that a busy link does not keep the others waiting. */
    private static final int WALK_BUDGET = 64;

    private final Receiver receiver;
    private final RingBuffer<MessageEvent> ring;
    private final Sequence consumerSequence = new Sequence();
    private final Sequence reclaimedSequence = new Sequence();
    private long claimedSequence = -1;
    private int firstLink;

    /**
     * An empty ring with one consumer.
     *
     * @param receiver to drain.
     * @param length   events, a power of two.
     */
    public EventRing(final Receiver receiver, final int length) {
        this.receiver = receiver;
        ring = RingBuffer.createSingleProducer(MessageEvent::new, length, new BusySpinWaitStrategy());
        // not the consumer's own: it may pass events that reclaiming has yet to read
        ring.addGatingSequences(reclaimedSequence);
    }

    /**
     * One duty cycle. Poller thread.
     *
     * @return completions, events and reclaimed events.
     */
    public int feed() {
        int work = receiver.drain();
        work += reclaim();
        final InboundLink[] links = receiver.links();
        if (links.length > 0) {
            firstLink = firstLink + 1 < links.length ? firstLink + 1 : 0;
            for (int i = 0, index = firstLink; i < links.length; i++, index++) {
                work += walk(links[index >= links.length ? index - links.length : index]);
            }
        }
        receiver.maintain(work);
        return work;
    }

    private int walk(final InboundLink link) {
        // the image may be there before the command that begins the run was seen
        if (link.view() == null || !link.isJoined()) {
            return 0;
        }
        int events = 0;
        long position = link.walked();
        while (events < WALK_BUDGET && position < link.received() && ring.hasAvailableCapacity(1)) {
            final long lengthWord = link.frameAt(position);
            if (lengthWord == InboundLink.BAD_FRAME) {
                link.truncate(position);
                receiver.fail(link, BreakReason.BAD_FRAME);
                break;
            }
            final long framePosition = position;
            position += FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(lengthWord));
            if (FrameDescriptor.typeOf(lengthWord) == FrameDescriptor.DATA_TYPE) {
                ring.get(claim()).set(link, framePosition, lengthWord, position);
                events++;
            }
        }
        link.onWalked(position, events);
        if (events > 0) {
            ring.publish(claimedSequence - events + 1, claimedSequence);
        }
        return events;
    }

    private long claim() {
        try {
            claimedSequence = ring.tryNext();
            return claimedSequence;
        } catch (final InsufficientCapacityException ex) {
            throw new IllegalStateException("the ring was just found to have room", ex);
        }
    }

    private int reclaim() {
        final long passed = consumerSequence.get();
        final long reclaimed = reclaimedSequence.get();
        for (long sequence = reclaimed + 1; sequence <= passed; sequence++) {
            final MessageEvent event = ring.get(sequence);
            event.link().onReclaimed(event.endPosition());
        }
        if (passed != reclaimed) {
            reclaimedSequence.set(passed);
        }
        return (int) (passed - reclaimed);
    }

    /**
     * The ring. Consumer.
     *
     * @return the ring, whose events up to the cursor can be read.
     */
    public RingBuffer<MessageEvent> ring() {
        return ring;
    }

    /**
     * The last event that the consumer is done with. Consumer; gates the poller.
     *
     * @return the sequence, to be moved on by the consumer.
     */
    public Sequence consumerSequence() {
        return consumerSequence;
    }
}

package io.sluice.transport.receive;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.status.BreakReason;

/**
 * The poller's side of a subscription in DEDICATED mode: walks the frames that have arrived, publishes them onto a
 * ring, and gives bytes back when the slowest consumer has passed them. A full ring stops the walk only; draining goes
 * on.
 * <p>
 * One poller thread works; {@link #ring()} and the sequences are for the consumers.
 */
public final class EventRing {
    /** Value of a gating sequence whose consumer has left: it gates nothing any more. */
    public static final long LEFT = Long.MAX_VALUE;

    /** Frames walked per link and duty cycle, so that a busy link does not keep the others waiting. */
    private static final int WALK_BUDGET = 64;

    private final Receiver receiver;
    private final RingBuffer<EventSlot> ring;
    private final Sequence consumerSequence = new Sequence();
    private final Sequence reclaimedSequence = new Sequence();
    private Sequence[] gatingSequences = {consumerSequence};
    private long claimedSequence = -1;
    private long filledSequence = -1;
    private int firstLink;

    /**
     * An empty ring with one consumer.
     *
     * @param receiver whose links' frames go onto the ring.
     * @param length   events, a power of two.
     */
    public EventRing(final Receiver receiver, final int length) {
        this.receiver = receiver;
        ring = RingBuffer.createSingleProducer(EventSlot::new, length, new BusySpinWaitStrategy());
        // not the consumers' own: they may pass events that reclaiming has yet to read
        ring.addGatingSequences(reclaimedSequence);
    }

    /**
     * Put what has arrived onto the ring, taking turns between the links: one batch. Poller thread.
     *
     * @return events published.
     */
    int walk() {
        final InboundLink[] links = receiver.links();
        if (links.length > 0) {
            firstLink = firstLink + 1 < links.length ? firstLink + 1 : 0;
            for (int i = 0, index = firstLink; i < links.length; i++, index++) {
                walk(links[index >= links.length ? index - links.length : index]);
            }
        }
        return publish();
    }

    private void walk(final InboundLink link) {
        // the image may be there before the command that begins the run was seen
        if (link.view() == null || !link.isJoined()) {
            return;
        }
        long sequence = filledSequence;
        final long limit = sequence + WALK_BUDGET;
        long position = link.walked();
        while (sequence < limit && position < link.received() && (sequence < claimedSequence || claim())) {
            final long lengthWord = link.frameAt(position);
            if (lengthWord == InboundLink.BAD_FRAME) {
                link.truncate(position);
                receiver.fail(link, BreakReason.BAD_FRAME);
                break;
            }
            final long framePosition = position;
            position += FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(lengthWord));
            if (FrameDescriptor.typeOf(lengthWord) == FrameDescriptor.DATA_TYPE) {
                ring.get(++sequence).set(link, framePosition, lengthWord, position);
            }
        }
        link.onWalked(position, (int) (sequence - filledSequence));
        filledSequence = sequence;
    }

    /**
     * Claim slots for a batch: at most the room that reclaiming has left, so that the claim cannot be refused. What
     * this batch does not fill, the next one does.
     */
    private boolean claim() {
        final int room = (int) (ring.getBufferSize() - (claimedSequence - reclaimedSequence.get()));
        if (room == 0) {
            return false;
        }
        try {
            claimedSequence = ring.tryNext(Math.min(room, WALK_BUDGET));
            return true;
        } catch (final InsufficientCapacityException ex) {
            throw new IllegalStateException("the ring was just found to have room: slots=" + room, ex);
        }
    }

    private int publish() {
        final long published = ring.getCursor();
        if (filledSequence > published) {
            ring.publish(published + 1, filledSequence);
        }
        return (int) (filledSequence - published);
    }

    /**
     * Give back the bytes of events that every consumer has passed. Poller thread.
     *
     * @return events reclaimed.
     */
    int reclaim() {
        final long passed = slowest();
        final long reclaimed = reclaimedSequence.get();
        if (passed == LEFT) {
            return 0;
        }
        for (long sequence = reclaimed + 1; sequence <= passed; sequence++) {
            final EventSlot event = ring.get(sequence);
            event.link().onReclaimed(event.endPosition());
        }
        if (passed != reclaimed) {
            reclaimedSequence.set(passed);
        }
        return (int) (passed - reclaimed);
    }

    /** The last event that every consumer has passed; {@link #LEFT} when there is none left. */
    private long slowest() {
        long minimum = LEFT;
        for (final Sequence sequence : gatingSequences) {
            minimum = Math.min(minimum, sequence.get());
        }
        return minimum;
    }

    /** {@return whose links' frames go onto the ring} Poller thread. */
    Receiver receiver() {
        return receiver;
    }

    /**
     * The ring. Consumers.
     *
     * @return the ring, whose events up to the cursor can be read.
     */
    public RingBuffer<EventSlot> ring() {
        return ring;
    }

    /**
     * The last event that the consumer behind {@code poll} is done with. Consumer; gates the poller.
     *
     * @return the sequence, to be moved on by the consumer.
     */
    public Sequence consumerSequence() {
        return consumerSequence;
    }

    /**
     * Let other consumers than {@code poll} gate the ring. Before a poller works on it.
     *
     * @param sequences of the consumers, each the last event that it is done with, or {@link #LEFT}.
     */
    public void gateOn(final Sequence... sequences) {
        gatingSequences = sequences.clone();
    }
}

package io.sluice.transport.receive;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

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
    /** {@link #position}: cannot be told. */
    public static final long UNKNOWN = -1;

    /** Frames walked per link and duty cycle, so that a busy link does not keep the others waiting. */
    private static final int WALK_BUDGET = 64;

    private final LinkFeed feed;
    private final RingBuffer<EventSlot> ring;
    private final FrameWalk walk;
    private final RingHead head = new RingHead();
    private final MessageTimes times;
    private final Sequence consumerSequence = new Sequence();
    private final Sequence reclaimedSequence = new Sequence();
    private final List<ConsumerProgress> consumers = new CopyOnWriteArrayList<>();
    private Sequence[] gatingSequences = {consumerSequence};
    private RingSleepers sleepers;
    private long claimedSequence = -1;
    private long filledSequence = -1;
    private long publishedSequence = -1;
    private int firstLink;
    private int reclaimedForRoom;
    private boolean full;
    private long fullEvents;
    private long maxOccupancy;

    /**
     * An empty ring with one consumer.
     *
     * @param feed   whose links' frames go onto the ring.
     * @param length events, a power of two.
     * @param times  that are noted of the messages.
     */
    public EventRing(final LinkFeed feed, final int length, final MessageTimes times) {
        this.feed = feed;
        walk = new FrameWalk(feed);
        this.times = times;
        ring = RingBuffer.createSingleProducer(EventSlot::new, length, new BusySpinWaitStrategy());
        // not the consumers' own: they may pass events that reclaiming has yet to read
        ring.addGatingSequences(reclaimedSequence);
    }

    /**
     * Put what has arrived onto the ring, taking turns between the links: one batch. Poller thread.
     *
     * @return events published, and those reclaimed to make room for them.
     */
    int walk() {
        reclaimedForRoom = 0;
        final InboundLink[] links = feed.links();
        final int count = feed.activeLinkCount();
        if (count > 0) {
            firstLink = firstLink + 1 < count ? firstLink + 1 : 0;
            for (int i = 0, index = firstLink; i < count; i++, index++) {
                walk(links[index >= count ? index - count : index]);
            }
        }
        return publish() + reclaimedForRoom;
    }

    private void walk(final InboundLink link) {
        // the image may be there before the command that lets the link join was seen
        if (link.view() == null || !link.positions().isJoined()) {
            return;
        }
        long sequence = filledSequence;
        long position = walk.begin(link, WALK_BUDGET);
        final long timestampNs = walk.hasMore(position) ? times.receivedNs() : EventSlot.NO_TIMESTAMP;
        while (walk.hasMore(position)) {
            if (sequence == claimedSequence) {
                // a claim may show consumers the slots of the claim before: they must have been counted by then
                onWalked(link, position, sequence);
                if (!claim()) {
                    break;
                }
            }
            final long frameEnd = walk.next(position);
            if (frameEnd < 0) {
                position = ~frameEnd;
            } else {
                position = frameEnd;
                ring.get(++sequence).set(link, walk.lengthWord(), frameEnd, timestampNs);
            }
        }
        onWalked(link, position, sequence);
    }

    private void onWalked(final InboundLink link, final long position, final long sequence) {
        link.positions().onWalked(position, (int) (sequence - filledSequence));
        filledSequence = sequence;
    }

    /**
     * Claim slots for a batch: at most the room that reclaiming has left, so that the claim cannot be refused. What
     * this batch does not fill, the next one does.
     */
    private boolean claim() {
        int room = room();
        if (room == 0) {
            reclaimedForRoom += reclaim();
            room = room();
        }
        if (room == 0) {
            fullEvents += full ? 0 : 1;
            full = true;
            return false;
        }
        full = false;
        try {
            claimedSequence = ring.tryNext(Math.min(room, WALK_BUDGET));
            return true;
        } catch (final InsufficientCapacityException ex) {
            throw new IllegalStateException("the ring was just found to have room: slots=" + room, ex);
        }
    }

    private int room() {
        return (int) (ring.getBufferSize() - (claimedSequence - reclaimedSequence.get()));
    }

    private int publish() {
        // not the cursor, which a claim may have moved
        final long published = publishedSequence;
        if (filledSequence > published) {
            final EventSlot first = ring.get(published + 1);
            head.publish(filledSequence, first.ring().addressOffset() + first.frameOffset());
            ring.publish(published + 1, filledSequence);
            publishedSequence = filledSequence;
            final long publishedNs = times.publishedNs();
            wakeConsumers();
            times.countArrived(ring, published + 1, filledSequence, publishedNs);
            maxOccupancy = Math.max(maxOccupancy, filledSequence - reclaimedSequence.get());
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
            event.link().positions().onReclaimed(event.endPosition());
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

    /** {@return the feed whose links' frames go onto the ring} Poller thread. */
    LinkFeed feed() {
        return feed;
    }

    /**
     * The ring. Consumers.
     *
     * @return the ring, whose events up to the cursor can be read.
     */
    public RingBuffer<EventSlot> ring() {
        return ring;
    }

    /** {@return the times that are noted of the messages, which give each consumer its meter} */
    public MessageTimes times() {
        return times;
    }

    /** {@return the head up to which events are published, for consumers} */
    public RingHead head() {
        return head;
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

    /**
     * Adds a consumer for others to look at. Before a poller works on it.
     *
     * @param consumer whose sequence gates the ring.
     */
    public void addConsumer(final ConsumerProgress consumer) {
        consumers.add(consumer);
    }

    /**
     * Consumers that sleep until somebody moves on. Before a poller works on it.
     *
     * @param newSleepers all consumers of this ring.
     */
    public void sleepers(final RingSleepers newSleepers) {
        sleepers = newSleepers;
    }

    /** Wakes the consumers that sleep, when the poller or a consumer has moved on. Any thread. */
    public void wakeConsumers() {
        if (sleepers != null) {
            sleepers.wake();
        }
    }

    /** {@return the consumers that are to be looked at} Any thread. */
    public List<ConsumerProgress> consumers() {
        return consumers;
    }

    /** {@return events published that the slowest consumer has yet to pass} Any thread, perhaps late. */
    public long occupancy() {
        // the cursor comes last, so that it is not behind what was read before
        final long passed = slowest();
        return distance(passed == LEFT ? reclaimedSequence.get() : passed);
    }

    /**
     * Events that a consumer has yet to pass. Any thread, perhaps late.
     *
     * @param passed the consumer's sequence, read just now.
     * @return 0 to the length of the ring; 0 of one that has left.
     */
    public long distance(final long passed) {
        return Math.clamp(ring.getCursor() - passed, 0, ring.getBufferSize());
    }

    /** {@return most events that were on the ring at once, as the poller saw it} Any thread, perhaps late. */
    public long maxOccupancy() {
        return maxOccupancy;
    }

    /** {@return whether something waited for room when the poller looked last} Any thread, perhaps late. */
    public boolean isFull() {
        return full;
    }

    /** {@return times that the ring became full, so that the walk stopped} Any thread, perhaps late. */
    public long fullEvents() {
        return fullEvents;
    }

    /**
     * The position up to which a consumer has come in the stream of the only image. Any thread, perhaps late by a
     * batch.
     *
     * @param consumer of this ring.
     * @param only     link of the image.
     * @return the position, or {@link #UNKNOWN} when the consumer moves right now, has left, or is at another image.
     */
    public long position(final ConsumerProgress consumer, final InboundLink only) {
        final long passed = consumer.sequence();
        final long walked = only.positions().walked();
        if (passed >= ring.getCursor()) {
            return passed == LEFT ? UNKNOWN : walked;
        }
        final EventSlot next = ring.get(passed + 1);
        final InboundLink link = next.link();
        final long position = next.position();
        // a slot is used again when all consumers have passed it: this one has not, or what was read is worthless
        VarHandle.acquireFence();
        return link == only && consumer.sequence() == passed ? position : UNKNOWN;
    }
}

package io.sluice.transport.receive;

import com.lmax.disruptor.RingBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The times that a subscription notes of its messages: when its poller took them up, and with {@code latency=true} how
 * long those with a timestamp took until they had arrived and until each consumer had handled them. The polling thread,
 * but for {@link #meter}, before the conductor knows the subscription, and {@link #histograms()}.
 */
public final class MessageTimes {
    private final LongSupplier receiveClock;
    private final LongSupplier nanoClock;
    /** Latencies of messages that have arrived; null where none are kept. */
    private final LatencyHistogram arrived;
    private final List<LatencyHistogram> histograms = new CopyOnWriteArrayList<>();

    private MessageTimes(
        final LongSupplier receiveClock, final LongSupplier nanoClock, final LatencyHistogram arrived) {
        this.receiveClock = receiveClock;
        this.nanoClock = nanoClock;
        this.arrived = arrived;
        if (arrived != null) {
            histograms.add(arrived);
        }
    }

    /** {@return times of polls that notice none, such as those of a subscription whose messages go over a ring} */
    public static MessageTimes none() {
        return withoutLatency(() -> EventSlot.NO_TIMESTAMP);
    }

    /**
     * The times of a subscription that keeps no latencies.
     *
     * @param receiveClock read once for a batch of a link: nanoseconds since 1970, or {@link EventSlot#NO_TIMESTAMP}.
     * @return the times.
     */
    public static MessageTimes withoutLatency(final LongSupplier receiveClock) {
        return new MessageTimes(receiveClock, null, null);
    }

    /**
     * The times of a subscription that keeps latencies.
     *
     * @param receiveClock read once for a batch of a link: nanoseconds since 1970, or {@link EventSlot#NO_TIMESTAMP}.
     * @param nanoClock    the monotonic clock of this host, that stamps are compared with.
     * @return the times.
     */
    public static MessageTimes withLatency(final LongSupplier receiveClock, final LongSupplier nanoClock) {
        return new MessageTimes(receiveClock, nanoClock, new LatencyHistogram(null));
    }

    /** {@return the time of a batch that is taken up now, in nanoseconds, or {@link EventSlot#NO_TIMESTAMP}} */
    long receivedNs() {
        return receiveClock.getAsLong();
    }

    /** {@return whether latencies are kept} */
    boolean hasLatency() {
        return arrived != null;
    }

    /** {@return the time of the monotonic clock, where latencies are kept} */
    long nowNs() {
        return nanoClock.getAsLong();
    }

    /** {@return the time at which events were published just now, for {@link #countArrived}; 0 without latencies} */
    long publishedNs() {
        return arrived == null ? 0 : nanoClock.getAsLong();
    }

    /**
     * Counts events that are on the ring, after consumers were woken. The poller, which alone may give the slots to
     * other messages.
     */
    void countArrived(final RingBuffer<EventSlot> ring, final long first, final long last, final long publishedNs) {
        if (arrived != null) {
            count(ring, first, last, publishedNs);
        }
    }

    private void count(final RingBuffer<EventSlot> ring, final long first, final long last, final long publishedNs) {
        for (long sequence = first; sequence <= last; sequence++) {
            onArrived(ring.get(sequence).offeredNs(), publishedNs);
        }
    }

    /** Counts a message that had arrived at a time, unless it has no timestamp. */
    void onArrived(final long offeredNs, final long nowNs) {
        if (offeredNs != EventSlot.NOT_STAMPED) {
            arrived.record(nowNs - offeredNs);
        }
    }

    /**
     * A meter for the messages that a consumer handles.
     *
     * @param consumer by its name.
     * @return the meter, for the consumer's thread; null where no latencies are kept.
     */
    LatencyMeter meter(final String consumer) {
        if (arrived == null) {
            return null;
        }
        final LatencyHistogram handled = new LatencyHistogram(consumer);
        histograms.add(handled);
        return new LatencyMeter(nanoClock, handled);
    }

    /** {@return the latencies of messages that have arrived, then of each consumer; empty where none are kept} */
    public List<LatencyHistogram> histograms() {
        return histograms;
    }
}

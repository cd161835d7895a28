package io.sluice.perf.rig;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.side.Role;
import java.time.Duration;
import java.util.List;

/**
 * The kinds of measurement, between two processes or between the threads of one.
 */
public enum Measure {
    /** One message under way at a time, there and back. */
    ROUND_TRIP("rtt", Role.PONG, Role.PING, Role.PING,
        List.of(Metric.RTT_P50, Metric.RTT_BATCH, Metric.RTT_P99, Metric.RTT_P999, Metric.RTT_P9999,
            Metric.RTT_P99999, Metric.RTT_MAX, Metric.ALLOCATED)),
    /** Most messages that the stream takes, one way. */
    THROUGHPUT("throughput", Role.SUBSCRIBE, Role.PUBLISH, Role.SUBSCRIBE,
        List.of(Metric.MESSAGE_RATE, Metric.ALLOCATED)),
    /** Round trips at a fixed rate, from the moment at which each message is due. */
    LOAD("load", Role.PONG, Role.FIXED_RATE, Role.FIXED_RATE,
        List.of(Metric.RTT_P50, Metric.RTT_P99, Metric.RTT_P999, Metric.RTT_P9999, Metric.RTT_MAX)),
    /** One message under way at a time between two threads, there and back. */
    HAND_OFF("hand-off", 1),
    /** One message under way at a time between two threads, with a second consumer on the ring. */
    HAND_OFF_2("hand-off-2", 2),
    /** One message under way at a time between two threads, with three more consumers on the ring. */
    HAND_OFF_4("hand-off-4", 4),
    /** One message under way at a time between two threads, with seven more consumers on the ring. */
    HAND_OFF_8("hand-off-8", 8),
    /** Most messages that a thread hands to another one. */
    FAN_OUT_1(1, "fan-out-1"),
    /** Most messages that a thread hands to two others that share a processor. */
    FAN_OUT_2(2, "fan-out-2"),
    /** Most messages that a thread hands to four others that share a processor. */
    FAN_OUT_4(4, "fan-out-4"),
    /** Most messages that a thread hands to eight others that share a processor. */
    FAN_OUT_8(8, "fan-out-8"),
    /** Round trips at a fixed rate over a ring with two consumers, none of them slow. */
    SLOW_0("slow-0ms", Duration.ZERO),
    /**
     * Round trips at a fixed rate over a ring with two consumers, one of which stands still again and again: for less
     * than it takes to fill a ring at 100 000/s.
     */
    SLOW_20("slow-20ms", Duration.ofMillis(20)),
    /**
     * Round trips at a fixed rate over a ring with two consumers, one of which stands still again and again: for longer
     * than it takes to fill a ring at 100 000/s.
     */
    SLOW_120("slow-120ms", Duration.ofMillis(120));

    private final String label;
    private final Role host;
    private final Role guest;
    private final int hostThreads;
    private final int receivers;
    private final long pauseNs;
    private final Role measuring;
    private final List<Metric> metrics;

    /** Creates a measure between two processes. */
    Measure(
        final String label, final Role host, final Role guest, final Role measuring, final List<Metric> metrics) {
        this(label, host, guest, 0, 1, Duration.ZERO, measuring, metrics);
    }

    /** Creates a measure of a hand-off to a thread that polls so many receivers. */
    Measure(final String label, final int receivers) {
        this(label, Role.PONG, Role.HAND_OFF, 1, receivers, Duration.ZERO, Role.HAND_OFF, List.of(Metric.ONE_WAY));
    }

    /** Creates a measure of a stream to so many threads. */
    Measure(final int hostThreads, final String label) {
        this(label, Role.SUBSCRIBE, Role.PUBLISH, hostThreads, 1, Duration.ZERO, Role.SUBSCRIBE,
            List.of(Metric.MESSAGE_RATE, Metric.ALLOCATED));
    }

    /** Creates a measure at a rate to a thread, beside a consumer that stands still for so long again and again. */
    Measure(final String label, final Duration pause) {
        this(label, Role.FAST_AND_SLOW, Role.PACED_HAND_OFF, 1, 1, pause, Role.PACED_HAND_OFF,
            List.of(Metric.RTT_P50, Metric.RTT_P99, Metric.RTT_P999, Metric.OFFER_P99, Metric.OFFER_P999));
    }

    Measure(
        final String label,
        final Role host,
        final Role guest,
        final int hostThreads,
        final int receivers,
        final Duration pause,
        final Role measuring,
        final List<Metric> metrics) {
        this.label = label;
        this.host = host;
        this.guest = guest;
        this.hostThreads = hostThreads;
        this.receivers = receivers;
        pauseNs = pause.toNanos();
        this.measuring = measuring;
        this.metrics = metrics;
    }

    /**
     * The name in arguments and tables.
     *
     * @return for example {@code "rtt"}.
     */
    public String label() {
        return label;
    }

    /**
     * The part of the process that starts first.
     *
     * @return the role.
     */
    public Role host() {
        return host;
    }

    /**
     * The part of the other process.
     *
     * @return the role.
     */
    public Role guest() {
        return guest;
    }

    /**
     * Whether messages are sent at a rate that is asked for.
     *
     * @return false when they are sent as fast as the system takes them, or as echoes come.
     */
    public boolean isPaced() {
        return guest == Role.FIXED_RATE || hasSlowConsumer();
    }

    /**
     * Whether both parts are played in one process, by one thread and some others.
     *
     * @return false when each has a process of its own.
     */
    public boolean isBetweenThreads() {
        return hostThreads > 0;
    }

    /**
     * The number of threads that play the host's part, each for itself, in one process with the guest's.
     *
     * @return their number, 0 when the host is a process of its own.
     */
    public int hostThreads() {
        return hostThreads;
    }

    /**
     * The number of receivers of a stream that a host's thread polls, of which the one polled last answers.
     *
     * @return their number, at least 1.
     */
    public int receivers() {
        return receivers;
    }

    /**
     * The first of the measures that are compared with each other: hand-offs by their receivers, and what is beside a
     * slow consumer by its pauses.
     *
     * @return this one when it is compared with none.
     */
    public Measure family() {
        return guest == Role.HAND_OFF ? HAND_OFF : hasSlowConsumer() ? SLOW_0 : this;
    }

    /**
     * Whether a fast consumer is measured beside one that may be slow.
     *
     * @return true when it is, also when the other one never pauses.
     */
    public boolean hasSlowConsumer() {
        return host == Role.FAST_AND_SLOW;
    }

    /**
     * The time for which the slow consumer stands still each time.
     *
     * @return nanoseconds, 0 when it does not.
     */
    public long pauseNs() {
        return pauseNs;
    }

    /**
     * The part whose result has the figures.
     *
     * @return the role of the host or of the guest.
     */
    public Role measuring() {
        return measuring;
    }

    /**
     * The figures that the measure gives, the most important first.
     *
     * @return the metrics.
     */
    public List<Metric> metrics() {
        return metrics;
    }

    /**
     * Whether a peer can be measured in this way.
     *
     * @param peer to measure.
     * @return false when the figure would mean nothing.
     */
    public boolean suits(final PeerKind peer) {
        return (guest == Role.PING || guest == Role.HAND_OFF || peer.streams())
            && (isBetweenThreads() ? peer.joinsThreads() : peer.joinsProcesses());
    }
}

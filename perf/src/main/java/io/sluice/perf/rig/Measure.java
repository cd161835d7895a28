package io.sluice.perf.rig;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.side.Role;
import java.util.List;

/**
 * What can be measured, between two processes.
 */
public enum Measure {
    /** One message under way at a time, there and back. */
    ROUND_TRIP("rtt", Role.PONG, Role.PING, Role.PING, List.of(Metric.RTT_P50, Metric.RTT_P99, Metric.RTT_P999)),
    /** As many messages as the stream takes, one way. */
    THROUGHPUT("throughput", Role.SUBSCRIBE, Role.PUBLISH, Role.SUBSCRIBE, List.of(Metric.MESSAGE_RATE));

    private final String label;
    private final Role host;
    private final Role guest;
    private final Role measuring;
    private final List<Metric> metrics;

    Measure(
        final String label,
        final Role host,
        final Role guest,
        final Role measuring,
        final List<Metric> metrics) {
        this.label = label;
        this.host = host;
        this.guest = guest;
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
     * The part whose result has the figures.
     *
     * @return the role of the host or of the guest.
     */
    public Role measuring() {
        return measuring;
    }

    /**
     * The figures that it gives, the most important first.
     *
     * @return the metrics.
     */
    public List<Metric> metrics() {
        return metrics;
    }

    /**
     * Whether a peer can be measured so.
     *
     * @param peer to measure.
     * @return false when the figure would mean nothing.
     */
    public boolean suits(final PeerKind peer) {
        return this == ROUND_TRIP || peer.streams();
    }
}

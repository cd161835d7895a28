package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.ConsumerState;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.LinkState;
import io.sluice.transport.status.PressureState;

/**
 * The metrics of the counters of a transport's agents, streams and application. Those of the transport as a whole have
 * their names from the counters themselves. Immutable; any thread.
 */
enum CounterMetric {
    AGENT_CYCLES(MetricFamily.counter(
        "sluice_agent_cycles", "Duty cycles of an agent.")),
    AGENT_WORK(MetricFamily.counter(
        "sluice_agent_work", "Work that an agent's duty cycles reported.")),
    AGENT_MAX_CYCLE(MetricFamily.nanoseconds(
        "sluice_agent_max_cycle_seconds", "Longest duty cycle of an agent.")),
    PUBLICATION_POSITION(MetricFamily.bytes(
        "sluice_publication_position_bytes", "End of what was offered.")),
    PUBLICATION_LIMIT(MetricFamily.bytes(
        "sluice_publication_limit_bytes",
        "The position where offers are back-pressured; absent while nobody is connected.")),
    PUBLICATION_MESSAGES(MetricFamily.counter(
        "sluice_publication_messages", "Messages committed.")),
    PUBLICATION_BYTES(MetricFamily.byteCounter(
        "sluice_publication_bytes", "Bytes of those messages, without headers and padding.")),
    PUBLICATION_BACK_PRESSURED(MetricFamily.counter(
        "sluice_publication_back_pressured", "Offers and claims answered with BACK_PRESSURED, by cause.")),
    PUBLICATION_PRESSURE(MetricFamily.state(
        "sluice_publication_pressure", "How far a publication is from being held up:",
        PressureState.values().length, PressureState::nameOf)),
    PUBLICATION_PRESSURE_CAUSE(MetricFamily.state(
        "sluice_publication_pressure_cause", "Cause of that pressure:",
        BackPressureCause.values().length, BackPressureCause::nameOf)),
    PUBLICATION_PRESSURE_CHANGES(MetricFamily.counter(
        "sluice_publication_pressure_changes", "Changes of a publication's pressure.")),
    PUBLICATION_WINDOW(MetricFamily.bytes(
        "sluice_publication_window_bytes", "Window of a publication.")),
    LINK_STATE(MetricFamily.state(
        "sluice_link_state", "State of a publication's link:",
        LinkState.values().length, LinkState::nameOf)),
    LINK_POSTED(MetricFamily.bytes(
        "sluice_link_posted_position_bytes",
        "The position to which the log was posted on a link; absent before it joins.")),
    LINK_CONSUMED(MetricFamily.bytes(
        "sluice_link_consumed_position_bytes",
        "The position to which the peer says that it has consumed; absent before the link joins.")),
    LINK_EPOCH(MetricFamily.gauge(
        "sluice_link_epoch", "Epochs of a link: 1, and one more for each resumption tried.")),
    LINK_DEFERRED(MetricFamily.counter(
        "sluice_link_deferred", "Times that committed bytes waited to be posted, by cause; no back-pressure.")),
    SUBSCRIPTION_POLLS(MetricFamily.counter(
        "sluice_subscription_polls", "Polls of a subscription by the program; 0 with a graph.")),
    SUBSCRIPTION_LINKS(MetricFamily.gauge(
        "sluice_subscription_links", "Links of a subscription.")),
    SUBSCRIPTION_PRESSURE(MetricFamily.state(
        "sluice_subscription_pressure", "How far a subscription is from holding publications up:",
        PressureState.values().length, PressureState::nameOf)),
    SUBSCRIPTION_PRESSURE_CAUSE(MetricFamily.state(
        "sluice_subscription_pressure_cause", "Cause of that pressure:",
        BackPressureCause.values().length, BackPressureCause::nameOf)),
    SUBSCRIPTION_PRESSURE_CHANGES(MetricFamily.counter(
        "sluice_subscription_pressure_changes", "Changes of a subscription's pressure.")),
    IMAGE_STATE(MetricFamily.state(
        "sluice_image_state", "State of an image's link:",
        LinkState.values().length, LinkState::nameOf)),
    IMAGE_RECEIVED(MetricFamily.bytes(
        "sluice_image_received_position_bytes", "The position to which bytes have arrived.")),
    IMAGE_WALKED(MetricFamily.bytes(
        "sluice_image_walked_position_bytes", "The position to which frames were checked and handed out.")),
    IMAGE_CONSUMED(MetricFamily.bytes(
        "sluice_image_consumed_position_bytes", "The position to which consumers are done.")),
    IMAGE_REPORTED(MetricFamily.bytes(
        "sluice_image_reported_position_bytes", "The consumed position that the publication was told.")),
    IMAGE_MESSAGES(MetricFamily.counter(
        "sluice_image_messages", "Messages handed out.")),
    IMAGE_BYTES(MetricFamily.byteCounter(
        "sluice_image_bytes", "Bytes of the stream consumed, with headers and padding.")),
    RING_CAPACITY(MetricFamily.gauge(
        "sluice_ring_capacity_events", "Events that a ring has room for.")),
    RING_OCCUPANCY(MetricFamily.gauge(
        "sluice_ring_occupancy_events", "Events on a ring that its slowest consumer has yet to pass.")),
    RING_MAX_OCCUPANCY(MetricFamily.gauge(
        "sluice_ring_max_occupancy_events", "Most events on a ring at once.")),
    RING_FULL(MetricFamily.counter(
        "sluice_ring_full", "Times that a ring became full.")),
    CONSUMER_STATE(MetricFamily.state(
        "sluice_consumer_state", "Whether a consumer takes messages:",
        ConsumerState.values().length, ConsumerState::nameOf)),
    CONSUMER_SEQUENCE(MetricFamily.gauge(
        "sluice_consumer_sequence", "The last event that a consumer is done with, from 0; -1 before the first.")),
    CONSUMER_DISTANCE(MetricFamily.gauge(
        "sluice_consumer_distance_events", "Events on the ring that a consumer has yet to pass.")),
    CONSUMER_POSITION(MetricFamily.bytes(
        "sluice_consumer_position_bytes",
        "The position to which a consumer has come in its subscription's only image; else absent.")),
    CONSUMER_MESSAGES(MetricFamily.counter(
        "sluice_consumer_messages", "Messages that a consumer has handled.")),
    CONSUMER_ERRORS(MetricFamily.counter(
        "sluice_consumer_errors", "Errors that a consumer's handler threw.")),
    LATENCY_MESSAGES(MetricFamily.counter(
        "sluice_latency_messages", "Messages with a timestamp whose latency was measured.")),
    LATENCY_NEGATIVE(MetricFamily.counter(
        "sluice_latency_negative",
        "Messages that were there before they were offered, by two clocks, and count as 0.")),
    LATENCY_RECENT(MetricFamily.nanoseconds(
        "sluice_latency_recent_seconds",
        "What a part of the last ten seconds' messages did not exceed; absent when none was measured.")),
    LATENCY(MetricFamily.nanoseconds(
        "sluice_latency_seconds",
        "What a part of the messages since the subscription was added did not exceed.")),
    APPLICATION(MetricFamily.gauge(
        "sluice_application_value", "Count of an application, which its name, type and key tell apart."));

    private final MetricFamily family;

    CounterMetric(final MetricFamily family) {
        this.family = family;
    }

    /** {@return the metric with that name} */
    MetricFamily family() {
        return family;
    }

    /**
     * The metric of a counter type.
     *
     * @param type of a counter.
     * @return the metric; null of {@code TRANSPORT}, whose counters have a metric each.
     */
    static CounterMetric of(final CounterType type) {
        return switch (type) {
            case TRANSPORT -> null;
            case PUBLICATION_WINDOW_EXHAUSTED -> PUBLICATION_BACK_PRESSURED;
            case LINK_SEND_QUEUE_FULL, LINK_RECEIVER_NOT_READY -> LINK_DEFERRED;
            case LATENCY_RECENT_P50, LATENCY_RECENT_P99, LATENCY_RECENT_P999, LATENCY_RECENT_MAX -> LATENCY_RECENT;
            case LATENCY_P50, LATENCY_P99, LATENCY_P999, LATENCY_MAX -> LATENCY;
            default -> valueOf(type.name());
        };
    }

    /**
     * The labels of a counter's series: several counters of a subject may have one metric.
     *
     * @param type    of the counter.
     * @param subject labels of what it counts.
     * @return the labels, with a cause or a percentile where it has one.
     */
    static Labels labels(final CounterType type, final Labels subject) {
        final String cause = causeOf(type);
        if (cause != null) {
            return subject.add("cause", cause);
        }
        final String percentile = percentileOf(type);
        return percentile == null ? subject : subject.add("percentile", percentile);
    }

    /** The part of the messages in per cent that a latency is told of, 100 for the longest; else null. */
    private static String percentileOf(final CounterType type) {
        return switch (type) {
            case LATENCY_RECENT_P50, LATENCY_P50 -> "50";
            case LATENCY_RECENT_P99, LATENCY_P99 -> "99";
            case LATENCY_RECENT_P999, LATENCY_P999 -> "99.9";
            case LATENCY_RECENT_MAX, LATENCY_MAX -> "100";
            default -> null;
        };
    }

    /** The cause of what is counted; else null. */
    private static String causeOf(final CounterType type) {
        return switch (type) {
            case PUBLICATION_WINDOW_EXHAUSTED -> BackPressureCause.nameOf(BackPressureCause.WINDOW_EXHAUSTED.ordinal());
            case LINK_SEND_QUEUE_FULL -> BackPressureCause.nameOf(BackPressureCause.SEND_QUEUE_FULL.ordinal());
            case LINK_RECEIVER_NOT_READY -> BackPressureCause.nameOf(BackPressureCause.RECEIVER_NOT_READY.ordinal());
            default -> null;
        };
    }
}

package io.sluice.transport.status;

/**
 * The counters in a transport's counters file, besides its {@link TransportCounter}s: type id, name and meaning. Type
 * ids are never given to something else. The key of every counter is a {@link CounterKey}, but for those of
 * applications; its label is the name and, behind a colon, what it is about:
 * <pre>
 *   links-broken                                                             TRANSPORT
 *   agent-cycles: sluice-conductor                                           AGENT
 *   publication-position: stream=10 session=77 channel=sluice:ipc?endpoint=prices
 *   link-posted: stream=10 session=77 peer=pid 4711 channel=sluice:ipc?endpoint=prices
 *   consumer-distance: stream=10 consumer=journal channel=sluice:ipc?endpoint=prices
 * </pre>
 * The conductor writes all of them, ten times a second, from what the data path keeps anyway.
 */
public enum CounterType {
    /** A {@link TransportCounter}, whose ordinal is the group of the key. */
    TRANSPORT(1, CounterScope.TRANSPORT, "transport"),
    /** Duty cycles of an agent. */
    AGENT_CYCLES(2, CounterScope.AGENT, "agent-cycles"),
    /** Work that the duty cycles reported; of a poller, completions, events published and events given back. */
    AGENT_WORK(3, CounterScope.AGENT, "agent-work"),
    /** Longest duty cycle in nanoseconds; the poller's to within 50 ms, and 0 while below. */
    AGENT_MAX_CYCLE(4, CounterScope.AGENT, "agent-max-cycle-ns"),
    /** End of what was offered. */
    PUBLICATION_POSITION(10, CounterScope.PUBLICATION, "publication-position"),
    /** The position where offers are back-pressured; -1 while nobody is connected. */
    PUBLICATION_LIMIT(11, CounterScope.PUBLICATION, "publication-limit"),
    /** Messages committed. */
    PUBLICATION_MESSAGES(12, CounterScope.PUBLICATION, "publication-messages"),
    /** Bytes of those messages, without headers and padding. */
    PUBLICATION_BYTES(13, CounterScope.PUBLICATION, "publication-bytes"),
    /** Offers and claims answered with BACK_PRESSURED. Cause WINDOW_EXHAUSTED. */
    PUBLICATION_WINDOW_EXHAUSTED(14, CounterScope.PUBLICATION, "publication-window-exhausted"),
    /** The distance of a publication from being held up: the ordinal of a {@link PressureState}. */
    PUBLICATION_PRESSURE(15, CounterScope.PUBLICATION, "publication-pressure"),
    /** Cause of that pressure: the ordinal of a {@link BackPressureCause}. */
    PUBLICATION_PRESSURE_CAUSE(16, CounterScope.PUBLICATION, "publication-pressure-cause"),
    /** The number of changes of a publication's pressure. */
    PUBLICATION_PRESSURE_CHANGES(17, CounterScope.PUBLICATION, "publication-pressure-changes"),
    /** Bytes of the window. */
    PUBLICATION_WINDOW(18, CounterScope.PUBLICATION, "publication-window"),
    /** The state of a link: the ordinal of a {@link LinkState}. */
    LINK_STATE(20, CounterScope.LINK, "link-state"),
    /** The position to which the log was posted on a link; -1 before it joins. */
    LINK_POSTED(21, CounterScope.LINK, "link-posted"),
    /** The position to which the peer says that it has consumed; -1 before the link joins. */
    LINK_CONSUMED(22, CounterScope.LINK, "link-consumed"),
    /** Epochs of a link: 1, and one more for each resumption tried. */
    LINK_EPOCH(23, CounterScope.LINK, "link-epoch"),
    /**
     * Times that committed bytes waited because the send queue had no slot. Cause SEND_QUEUE_FULL, no
     * back-pressure: offers go on.
     */
    LINK_SEND_QUEUE_FULL(24, CounterScope.LINK, "link-send-queue-full"),
    /**
     * Times that committed bytes waited because the peer had not drained enough: no receive credit, or as many
     * writes in flight as allowed. Cause RECEIVER_NOT_READY, no back-pressure either.
     */
    LINK_RECEIVER_NOT_READY(25, CounterScope.LINK, "link-receiver-not-ready"),
    /** Polls of a subscription by the program; 0 with a graph. */
    SUBSCRIPTION_POLLS(30, CounterScope.SUBSCRIPTION, "subscription-polls"),
    /** Links of a subscription. */
    SUBSCRIPTION_LINKS(31, CounterScope.SUBSCRIPTION, "subscription-links"),
    /** The distance of a subscription from holding publications up: the ordinal of a {@link PressureState}. */
    SUBSCRIPTION_PRESSURE(32, CounterScope.SUBSCRIPTION, "subscription-pressure"),
    /** Cause: the ordinal of a {@link BackPressureCause}. */
    SUBSCRIPTION_PRESSURE_CAUSE(33, CounterScope.SUBSCRIPTION, "subscription-pressure-cause"),
    /** The number of changes of a subscription's pressure. */
    SUBSCRIPTION_PRESSURE_CHANGES(34, CounterScope.SUBSCRIPTION, "subscription-pressure-changes"),
    /** The state of an image's link: the ordinal of a {@link LinkState}. */
    IMAGE_STATE(40, CounterScope.IMAGE, "image-state"),
    /** The position to which bytes have arrived. */
    IMAGE_RECEIVED(41, CounterScope.IMAGE, "image-received"),
    /** The position to which frames were checked and handed out. */
    IMAGE_WALKED(42, CounterScope.IMAGE, "image-walked"),
    /** The position to which consumers are done. */
    IMAGE_CONSUMED(43, CounterScope.IMAGE, "image-consumed"),
    /** The consumed position that the publication was told. */
    IMAGE_REPORTED(44, CounterScope.IMAGE, "image-reported"),
    /** Messages handed out. */
    IMAGE_MESSAGES(45, CounterScope.IMAGE, "image-messages"),
    /** Bytes of the stream consumed, with headers and padding. */
    IMAGE_BYTES(46, CounterScope.IMAGE, "image-bytes"),
    /** Events that a ring has room for. */
    RING_CAPACITY(50, CounterScope.RING, "ring-capacity"),
    /** Events on a ring that its slowest consumer has yet to pass. */
    RING_OCCUPANCY(51, CounterScope.RING, "ring-occupancy"),
    /** Most events on a ring at once. */
    RING_MAX_OCCUPANCY(52, CounterScope.RING, "ring-max-occupancy"),
    /** Times that a ring became full. Cause RING_FULL. */
    RING_FULL(53, CounterScope.RING, "ring-full"),
    /** Whether a consumer takes messages: the ordinal of a {@link ConsumerState}. */
    CONSUMER_STATE(60, CounterScope.CONSUMER, "consumer-state"),
    /** The last event that a consumer is done with, from 0; -1 before the first. */
    CONSUMER_SEQUENCE(61, CounterScope.CONSUMER, "consumer-sequence"),
    /** Events on the ring that a consumer has yet to pass. */
    CONSUMER_DISTANCE(62, CounterScope.CONSUMER, "consumer-distance"),
    /**
     * The position to which a consumer has come in its subscription's only image; else -1.
     */
    CONSUMER_POSITION(63, CounterScope.CONSUMER, "consumer-position"),
    /** Messages that a consumer has handled, also of a batch not yet done. */
    CONSUMER_MESSAGES(64, CounterScope.CONSUMER, "consumer-messages"),
    /** Errors that a consumer's handler threw. */
    CONSUMER_ERRORS(65, CounterScope.CONSUMER, "consumer-errors"),
    /** Messages with a timestamp whose latency was measured. */
    LATENCY_MESSAGES(70, CounterScope.LATENCY, "latency-messages"),
    /** Messages that were there before they were offered, by two clocks: their latency counts as 0. */
    LATENCY_NEGATIVE(71, CounterScope.LATENCY, "latency-negative"),
    /** The median of the last ten seconds in nanoseconds; -1 when none was measured, as with all of these. */
    LATENCY_RECENT_P50(72, CounterScope.LATENCY, "latency-recent-p50-ns"),
    /** The latency in nanoseconds that 99 % of the last ten seconds' messages did not exceed. */
    LATENCY_RECENT_P99(73, CounterScope.LATENCY, "latency-recent-p99-ns"),
    /** The latency in nanoseconds that 99.9 % of the last ten seconds' messages did not exceed. */
    LATENCY_RECENT_P999(74, CounterScope.LATENCY, "latency-recent-p99.9-ns"),
    /** The longest latency of the last ten seconds in nanoseconds. */
    LATENCY_RECENT_MAX(75, CounterScope.LATENCY, "latency-recent-max-ns"),
    /** The median since the subscription was added, in nanoseconds. */
    LATENCY_P50(76, CounterScope.LATENCY, "latency-p50-ns"),
    /** The latency in nanoseconds that 99 % of all messages did not exceed. */
    LATENCY_P99(77, CounterScope.LATENCY, "latency-p99-ns"),
    /** The latency in nanoseconds that 99.9 % of all messages did not exceed. */
    LATENCY_P999(78, CounterScope.LATENCY, "latency-p99.9-ns"),
    /** The longest latency since the subscription was added, in nanoseconds. */
    LATENCY_MAX(79, CounterScope.LATENCY, "latency-max-ns"),
    /** Count of an application, with a type id and a key of its own. */
    APPLICATION(CounterType.APPLICATION_TYPE_ID_MIN, CounterScope.APPLICATION, "application");

    /** The first type id of applications' counters: those of transports stay below. */
    public static final int APPLICATION_TYPE_ID_MIN = 1000;

    private static final CounterType[] ALL = values();

    private final int typeId;
    private final CounterScope scope;
    private final String label;

    CounterType(final int typeId, final CounterScope scope, final String label) {
        this.typeId = typeId;
        this.scope = scope;
        this.label = label;
    }

    /**
     * The type of an id.
     *
     * @param typeId that may come from outside.
     * @return the type, or null when it is none of ours.
     */
    public static CounterType of(final int typeId) {
        if (typeId >= APPLICATION_TYPE_ID_MIN) {
            return APPLICATION;
        }
        for (final CounterType type : ALL) {
            if (type.typeId == typeId) {
                return type;
            }
        }
        return null;
    }

    /**
     * The id in the counters file.
     *
     * @return a number that stays this counter's; of applications' counters the first of theirs.
     */
    public int typeId() {
        return typeId;
    }

    /**
     * The kind of thing that the counter is about.
     *
     * @return the scope.
     */
    public CounterScope scope() {
        return scope;
    }

    /**
     * The name in labels.
     *
     * @return lower case with dashes, unit included.
     */
    public String label() {
        return label;
    }
}

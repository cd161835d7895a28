package io.sluice.transport.status;

/**
 * The counts that a transport keeps about itself. The id of a counter is its ordinal.
 */
public enum TransportCounter {
    /** Errors handed to the error handler. */
    ERRORS("errors"),
    /** Errors like one told before, not told again. */
    ERRORS_REPEATED("errors-repeated"),
    /** Errors that the callback queue had no room for. */
    ERRORS_UNREPORTED("errors-unreported"),
    /** Completions of ended epochs, the flushed ones not counted. */
    STALE_COMPLETIONS("stale-completions"),
    /** Links established, the resumed ones not counted. */
    LINKS_ESTABLISHED("links-established"),
    /** Links that broke. */
    LINKS_BROKEN("links-broken"),
    /** Links resumed after breaks without loss. */
    LINKS_RESUMED("links-resumed"),
    /** Links that ended or were given up. */
    LINKS_GONE("links-gone"),
    /** Requests for links refused, by a peer or this transport. */
    LINKS_REFUSED("links-refused"),
    /** Control connections established. */
    CONNECTIONS_ESTABLISHED("connections-established"),
    /** Control connections that ended. */
    CONNECTIONS_LOST("connections-lost"),
    /** Control messages without sense; connection requests without sense, room or quota. */
    CONTROL_MESSAGES_REJECTED("control-messages-rejected"),
    /** Malformed frames in a receive ring. */
    FRAMES_REJECTED("frames-rejected"),
    /** Immediates that did not fit the stream's position. */
    POSITIONS_REJECTED("positions-rejected"),
    /** Feedback cells that did not add up. */
    FEEDBACK_REJECTED("feedback-rejected"),
    /** Links that had not received all when their publication's linger ended, or were lost during it. */
    LINGER_EXPIRED("linger-expired"),
    /** Memory never released because a thread may still use it. */
    MEMORY_ABANDONED("memory-abandoned"),
    /** Asynchronous errors of the device. */
    DEVICE_EVENTS("device-events"),
    /** Completion queues that overran. Cause CQ_OVERRUN. */
    COMPLETION_QUEUE_OVERRUNS("cq-overruns"),
    /** Times that the conductor did not run for longer than a heartbeat interval. */
    CONDUCTOR_STALLS("conductor-stalls"),
    /** Links closed as too slow for the flow control of their publication. */
    LAGGARDS_CLOSED("laggards-closed"),
    /** Claims of shared publications open for too long, which became padding. */
    CLAIMS_UNBLOCKED("claims-unblocked"),
    /** Changes of the {@link PressureState} of publications and subscriptions, told or not. */
    BACK_PRESSURE_CHANGES("back-pressure-changes"),
    /** Changes of pressure that were over, or not to be told, while a listener was still at an earlier one. */
    BACK_PRESSURE_UNREPORTED("back-pressure-unreported"),
    /** Consumers taken out for holding others up too long, their dependants included. */
    CONSUMERS_EVICTED("consumers-evicted"),
    /** Evictions of consumers, with their dependants, that subscribing peers have told of, by link. */
    PEER_CONSUMERS_EVICTED("peer-consumers-evicted"),
    /** Peers refused, each time: no key or another one, or an address not on the list or not its own. */
    PEERS_REFUSED("peers-refused"),
    /** Threads of callbacks or listeners left alone at the close: user code there has not returned. */
    CALLBACKS_ABANDONED("callbacks-abandoned"),
    /** Subscriptions whose link was lost or given up while something was owed to them; not those left behind. */
    SUBSCRIBERS_LOST("subscribers-lost"),
    /** Requests to connect rejected unseen: too many waited. */
    CONNECT_REQUESTS_OVERFLOWED("connect-requests-overflowed"),
    /** Connections and links refused: their peer has its quota. */
    QUOTAS_REACHED("quotas-reached");

    private final String label;

    TransportCounter(final String label) {
        this.label = label;
    }

    /**
     * The counter's name in listings and logs.
     *
     * @return a short label in lower case.
     */
    public String label() {
        return label;
    }
}

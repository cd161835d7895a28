package io.sluice.transport.status;

/**
 * A counter as it was read.
 *
 * @param type  of the counter.
 * @param key   whose it is.
 * @param label its text, without control characters.
 * @param value at that moment.
 */
public record CounterReading(CounterType type, CounterKey key, String label, long value) {
    private static final String PEER = " peer=";
    private static final String CONSUMER = " consumer=";
    private static final int MAX_NAME_LENGTH = 80;
    private static final String CHANNEL = " channel=";

    /**
     * The counter's name: of transport-wide ones the label, of others that of their type.
     *
     * @return lower case with dashes.
     */
    public String name() {
        return type == CounterType.TRANSPORT ? label : type.label();
    }

    /**
     * What the counter is about, for people.
     *
     * @return the label behind its name; empty for transport-wide counters.
     */
    public String subject() {
        final int colon = label.indexOf(": ");
        return colon < 0 ? "" : label.substring(colon + 2);
    }

    /**
     * The channel that the publication or subscription was added with.
     *
     * @return its text, perhaps cut; empty where there is none.
     */
    public String channel() {
        final int begin = label.indexOf(CHANNEL);
        return begin < 0 ? "" : label.substring(begin + CHANNEL.length());
    }

    /**
     * Who is at the other end of a link or image.
     *
     * @return for example {@code "pid 4711"}; empty where there is nobody.
     */
    public String peer() {
        return field(PEER);
    }

    /**
     * What a consumer is called.
     *
     * @return the handler's name or number, {@code "poll"} for whoever polls; empty where there is none.
     */
    public String consumer() {
        return field(CONSUMER);
    }

    private String field(final String name) {
        final int begin = label.indexOf(name);
        if (begin < 0) {
            return "";
        }
        final int end = label.indexOf(CHANNEL, begin);
        return label.substring(begin + name.length(), end < 0 ? label.length() : end);
    }

    /**
     * The label of a counter of something on a channel.
     *
     * @param type    of the counter.
     * @param key     whose it is.
     * @param name    of links and images the peer's, of consumers their own; else null.
     * @param channel as added.
     * @return the whole label.
     */
    public static String label(
        final CounterType type, final CounterKey key, final String name, final String channel) {
        final CounterScope scope = type.scope();
        return type.label() + ": stream=" + key.streamId()
            + (scope.hasSession() ? " session=" + key.sessionId() : "")
            + (name == null ? "" : (scope == CounterScope.CONSUMER ? CONSUMER : PEER) + shortened(name))
            + CHANNEL + channel;
    }

    /** A name that is no field of its own and leaves room for the channel. */
    private static String shortened(final String name) {
        return name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH)).replace('=', '~');
    }
}

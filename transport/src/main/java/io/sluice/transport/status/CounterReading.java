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
        final int begin = label.indexOf(PEER);
        if (begin < 0) {
            return "";
        }
        final int end = label.indexOf(CHANNEL, begin);
        return label.substring(begin + PEER.length(), end < 0 ? label.length() : end);
    }

    /**
     * The label of a counter of a publication, link, subscription or image.
     *
     * @param type    of the counter.
     * @param key     whose it is.
     * @param peer    at the other end, or null.
     * @param channel as added.
     * @return the whole label.
     */
    public static String label(
        final CounterType type, final CounterKey key, final String peer, final String channel) {
        final String session = type.scope() == CounterScope.SUBSCRIPTION ? "" : " session=" + key.sessionId();
        return type.label() + ": stream=" + key.streamId() + session + (peer == null ? "" : PEER + peer)
            + CHANNEL + channel;
    }
}

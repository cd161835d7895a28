package io.sluice.transport.status;

import io.sluice.transport.layout.StatusLayout;
import org.agrona.DirectBuffer;

/**
 * A counter as it was read.
 *
 * @param type      of the counter.
 * @param typeId    of the type; of an application's counter its own.
 * @param key       whose it is; of an application's counter its number is the group.
 * @param keyBuffer of an application's counter the key that it was added with, and zeros up to 112 bytes; empty of
 *                  others. Not to be changed.
 * @param label     its text, without control characters.
 * @param value     at that moment.
 */
public record CounterReading(
    CounterType type, int typeId, CounterKey key, DirectBuffer keyBuffer, String label, long value) {
    /**
     * The counter's name: of transport-wide ones and the application's the label, of others that of their type.
     *
     * @return lower case with dashes.
     */
    public String name() {
        return hasOwnName() ? label : type.label();
    }

    private boolean hasOwnName() {
        return type == CounterType.TRANSPORT || type == CounterType.APPLICATION;
    }

    /**
     * The subject of the counter, for people.
     *
     * @return the label behind its name; empty for transport-wide counters and the application's.
     */
    public String subject() {
        final int colon = label.indexOf(": ");
        return hasOwnName() || colon < 0 ? "" : label.substring(colon + 2);
    }

    /**
     * The channel that the publication or subscription was added with.
     *
     * @return its text, perhaps cut; empty where there is none.
     */
    public String channel() {
        final int begin = label.indexOf(StatusLayout.CHANNEL_FIELD);
        return begin < 0 ? "" : label.substring(begin + StatusLayout.CHANNEL_FIELD.length());
    }

    /**
     * The peer at the other end of a link or image.
     *
     * @return for example {@code "pid 4711"}; empty where there is nobody.
     */
    public String peer() {
        return field(StatusLayout.PEER_FIELD);
    }

    /**
     * The name of a consumer, or of the one that has handled the messages of a latency.
     *
     * @return the handler's name or number, {@code "poll"} for whoever polls; empty where there is none.
     */
    public String consumer() {
        return field(StatusLayout.CONSUMER_FIELD);
    }

    /**
     * The stage of their way that messages were measured at.
     *
     * @return {@code "arrived"}, or {@code "handled"} by the {@link #consumer()}; empty of what is no latency.
     */
    public String stage() {
        final String stage = field(StatusLayout.STAGE_FIELD);
        return stage.startsWith(StatusLayout.HANDLED) ? StatusLayout.HANDLED : stage;
    }

    private String field(final String name) {
        final int begin = label.indexOf(name);
        final int end = label.indexOf(StatusLayout.CHANNEL_FIELD);
        if (begin < 0 || end >= 0 && end < begin) {
            // in a channel there may be any text
            return "";
        }
        return label.substring(begin + name.length(), end < 0 ? label.length() : end);
    }
}

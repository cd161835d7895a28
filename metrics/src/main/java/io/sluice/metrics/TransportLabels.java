package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.TransportStatus;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Makes the labels of one transport's series. The folder's name and the group make them unique on the host; the others
 * are for people and queries. One thread.
 */
final class TransportLabels {
    /**
     * The most characters of a value: channels are cut to some 300 bytes in the files, names of clients to 964; longer
     * ones cost memory in Prometheus for each series and are read by nobody.
     */
    static final int MAX_VALUE_LENGTH = 256;

    private final String transport;
    private final String client;
    private final String pid;

    TransportLabels(final TransportStatus status) {
        final String folder = status.folder().getFileName().toString();
        transport = folder.substring(folder.indexOf('-') + 1);
        client = bounded(status.clientName());
        pid = Long.toString(status.processId());
    }

    /** Cuts a value that is too long, and never a character in two. */
    static String bounded(final String value) {
        if (value.length() <= MAX_VALUE_LENGTH) {
            return value;
        }
        final int end = MAX_VALUE_LENGTH - 1;
        return value.substring(0, Character.isHighSurrogate(value.charAt(end - 1)) ? end - 1 : end) + '…';
    }

    /** The labels of the transport, with more: names and values by turns. */
    Labels of(final String... more) {
        final List<String> names = new ArrayList<>(List.of("transport", "client", "pid"));
        final List<String> values = new ArrayList<>(List.of(transport, client, pid));
        for (int i = 0; i < more.length; i += 2) {
            names.add(more[i]);
            values.add(bounded(more[i + 1]));
        }
        return Labels.of(names, values);
    }

    /** The labels of what a counter is about: equal for all counters of its group. */
    Labels of(final CounterReading reading) {
        final CounterKey key = reading.key();
        final CounterScope scope = reading.type().scope();
        final String group = Long.toString(key.group());
        final String stream = Integer.toString(key.streamId());
        final String session = Integer.toString(key.sessionId());
        final String channel = reading.channel();
        final String subscription = Long.toString(key.subscriptionId());
        return switch (scope) {
            case TRANSPORT -> of();
            case AGENT -> of("group", group, "agent", reading.subject());
            case PUBLICATION -> of("group", group, "channel", channel, "stream", stream, "session", session);
            case LINK -> of("group", group, "channel", channel, "stream", stream, "session", session,
                "link", link(key), "peer", reading.peer());
            case IMAGE -> of("group", group, "channel", channel, "stream", stream, "session", session,
                "link", link(key), "peer", reading.peer(), "subscription", subscription);
            case SUBSCRIPTION, RING ->
                of("group", group, "channel", channel, "stream", stream, "subscription", subscription);
            case CONSUMER -> of("group", group, "channel", channel, "stream", stream, "subscription", subscription,
                "consumer", reading.consumer());
            case LATENCY -> of("group", group, "channel", channel, "stream", stream, "subscription", subscription,
                "stage", reading.stage(), "consumer", reading.consumer());
            case APPLICATION -> of("group", group, "name", reading.label(), "type_id",
                Integer.toString(reading.typeId()), "key", keyOfApplication(reading));
        };
    }

    /** The name of a link, which its two ends have in common: half of the publisher's random identity is enough. */
    private static String link(final CounterKey key) {
        return HexFormat.of().toHexDigits(key.publisherLow()) + "-" + key.linkId();
    }

    /** The key of a program's counter, two hexadecimal digits a byte, without the zeros behind it. */
    private static String keyOfApplication(final CounterReading reading) {
        int length = reading.keyBuffer().capacity();
        while (length > 0 && reading.keyBuffer().getByte(length - 1) == 0) {
            length--;
        }
        final byte[] key = new byte[length];
        reading.keyBuffer().getBytes(0, key);
        return HexFormat.of().formatHex(key);
    }
}

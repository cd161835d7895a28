package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ObjDoubleConsumer;
import org.agrona.concurrent.status.CountersReader;

/**
 * Sets each link of one transport against the window of its publication. The counters are written by a process that
 * goes on meanwhile, and stand in any order. The channel at the end of a label is cut with it, and after a peer's name
 * earlier: of a channel that is cut what there is of it has to be the beginning of the other's. One thread.
 */
final class LinkWindows {
    /** Stands for publications that differ in the window only, so that no link can be set against any of them. */
    private static final long AMBIGUOUS = -1;

    /** Bytes of the longest character: a label that is cut may lack one less. */
    private static final int MAX_CHARACTER_LENGTH = 4;

    private final Map<Stream, Map<Channel, Long>> windows = new HashMap<>();
    private final Map<Long, Link> links = new LinkedHashMap<>();

    /** The stream and the session of a publication, and of its links. */
    private record Stream(int streamId, int sessionId) {
        static Stream of(final CounterReading reading) {
            return new Stream(reading.key().streamId(), reading.key().sessionId());
        }
    }

    /** The channel that a label ends with: all of it, or its beginning without half a character. */
    private record Channel(String text, boolean isCut) {
        static Channel of(final CounterReading reading) {
            final boolean isCut = reading.label().getBytes(StandardCharsets.UTF_8).length
                > CountersReader.MAX_LABEL_LENGTH - MAX_CHARACTER_LENGTH;
            return new Channel(
                isCut ? reading.channel().replaceFirst("\\uFFFD+$", "") : reading.channel(), isCut);
        }

        boolean mayBe(final Channel other) {
            return text.equals(other.text)
                || isCut && other.text.startsWith(text) || other.isCut && text.startsWith(other.text);
        }
    }

    /** The positions of a link, which are -1 before it joins. */
    private static final class Link {
        private final Stream stream;
        private final Channel channel;
        private final Labels labels;
        private long posted = -1;
        private long consumed = -1;

        Link(final CounterReading reading, final Labels labels) {
            stream = Stream.of(reading);
            channel = Channel.of(reading);
            this.labels = labels;
        }
    }

    /** Whether counters of a type are among those that are looked at. */
    static boolean needs(final CounterType type) {
        return type == CounterType.PUBLICATION_WINDOW || type == CounterType.LINK_POSTED
            || type == CounterType.LINK_CONSUMED;
    }

    /** Takes up a counter that is looked at; of each group one of a type. */
    void add(final CounterReading reading, final Labels labels) {
        if (reading.type() == CounterType.PUBLICATION_WINDOW) {
            windows.computeIfAbsent(Stream.of(reading), _ -> new HashMap<>())
                .merge(Channel.of(reading), reading.value(), LinkWindows::same);
        } else if (reading.type() == CounterType.LINK_POSTED) {
            link(reading, labels).posted = reading.value();
        } else {
            link(reading, labels).consumed = reading.value();
        }
    }

    private static long same(final long one, final long other) {
        return one == other ? one : AMBIGUOUS;
    }

    /** The window of the publications that the link may be of. */
    private long window(final Link link) {
        return windows.getOrDefault(link.stream, Map.of()).entrySet().stream()
            .filter(each -> link.channel.mayBe(each.getKey())).mapToLong(Map.Entry::getValue)
            .reduce(LinkWindows::same).orElse(AMBIGUOUS);
    }

    private Link link(final CounterReading reading, final Labels labels) {
        return links.computeIfAbsent(reading.key().group(), _ -> new Link(reading, labels));
    }

    /**
     * Tells of each link that has joined the part of the window that it uses. The positions may be of two refreshes:
     * the part is kept from 0 to 1.
     */
    void forEach(final ObjDoubleConsumer<Labels> taker) {
        for (final Link link : links.values()) {
            final long window = window(link);
            if (window > 0 && link.posted >= 0 && link.consumed >= 0) {
                taker.accept(link.labels, Math.clamp((link.posted - link.consumed) / (double) window, 0.0, 1.0));
            }
        }
    }

    @Override
    public String toString() {
        return "LinkWindows{publications=" + windows.size() + " links=" + links.size() + "}";
    }
}

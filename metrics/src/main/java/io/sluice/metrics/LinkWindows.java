package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ObjDoubleConsumer;

/**
 * Sets each link of one transport against the window of its publication. The counters are written by a process that
 * goes on meanwhile, and stand in any order. One thread.
 */
final class LinkWindows {
    /** Stands for publications that differ in the window only, so that no link can be set against any of them. */
    private static final long AMBIGUOUS = -1;

    private final Map<Stream, Long> windows = new HashMap<>();
    private final Map<Long, Link> links = new LinkedHashMap<>();

    /** The stream of one publication, and of its links. */
    private record Stream(int streamId, int sessionId, String channel) {
        static Stream of(final CounterReading reading) {
            return new Stream(reading.key().streamId(), reading.key().sessionId(), reading.channel());
        }
    }

    /** The positions of a link, which are -1 before it joins. */
    private static final class Link {
        private final Stream stream;
        private final Labels labels;
        private long posted = -1;
        private long consumed = -1;

        Link(final Stream stream, final Labels labels) {
            this.stream = stream;
            this.labels = labels;
        }
    }

    /** Takes up a counter, if it is one of those that are looked at; of each group one of a type. */
    void add(final CounterReading reading, final Labels labels) {
        if (reading.type() == CounterType.PUBLICATION_WINDOW) {
            windows.merge(Stream.of(reading), reading.value(), (one, other) -> one.equals(other) ? one : AMBIGUOUS);
        } else if (reading.type() == CounterType.LINK_POSTED) {
            link(reading, labels).posted = reading.value();
        } else if (reading.type() == CounterType.LINK_CONSUMED) {
            link(reading, labels).consumed = reading.value();
        }
    }

    private Link link(final CounterReading reading, final Labels labels) {
        return links.computeIfAbsent(reading.key().group(), _ -> new Link(Stream.of(reading), labels));
    }

    /**
     * Tells of each link that has joined the part of the window that it uses. The positions may be of two refreshes:
     * the part is kept from 0 to 1.
     */
    void forEach(final ObjDoubleConsumer<Labels> taker) {
        for (final Link link : links.values()) {
            final long window = windows.getOrDefault(link.stream, AMBIGUOUS);
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

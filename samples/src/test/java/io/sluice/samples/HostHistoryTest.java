package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.Transport;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostHistoryTest {
    private static final Pattern NUMBERS = Pattern.compile("-?\\d+");

    @TempDir
    private Path folder;
    private final HostHistory history = new HostHistory();

    private void add(final StatusSnapshot snapshot, final long timeMs) {
        history.add(timeMs, snapshot, StreamRow.of(snapshot, new CounterFilter()));
    }

    private static long count(final String json, final String array) {
        final String begun = json.substring(json.indexOf("\"" + array + "\":[") + array.length() + 4);
        return NUMBERS.matcher(begun.substring(0, begun.indexOf(']'))).results().count();
    }

    private StatusSnapshot publications(final int number) throws Exception {
        try (Transport transport = Transport.launch(new Context().directory(folder))) {
            for (int i = 0; i < number; i++) {
                transport.addExclusivePublication("sluice:ipc?endpoint=e", i);
            }
            StatusSnapshot snapshot;
            do {
                snapshot = StatusSnapshot.of(folder);
            } while (Backlog.of(snapshot, new CounterFilter()).size() < number);
            return snapshot;
        }
    }

    @Test
    void shouldHaveNothingBeforeTheFirstSample() {
        assertEquals("{}", history.json(0, 0));
    }

    @Test
    void shouldKeepTheLastTenMinutes() throws Exception {
        final StatusSnapshot snapshot = publications(1);
        for (int i = 1; i <= HostHistory.LENGTH + 5; i++) {
            add(snapshot, 1000 + i);
        }

        final String all = history.json(0, 0);
        assertEquals(HostHistory.LENGTH, count(all, "times"));
        assertEquals(HostHistory.LENGTH, count(all, "rates"));
        assertTrue(all.contains("\"times\":[1006,1007,"), all);
        assertEquals(2, count(history.json(0, 1000 + HostHistory.LENGTH + 3), "times"));
        assertEquals(0, count(history.json(0, Long.MAX_VALUE), "times"));
    }

    @Test
    void shouldTellHowOldTheLastLookIs() throws Exception {
        add(publications(1), 1000);

        assertTrue(history.json(4000, 0).contains("\"ageMs\":3000,"));
    }

    @Test
    void shouldForgetWhoIsGoneForTenMinutes() throws Exception {
        add(publications(1), 1000);
        final StatusSnapshot nobody = new StatusSnapshot(folder, 0, List.of(), List.of("a line"));
        for (int i = 1; i < HostHistory.LENGTH; i++) {
            add(nobody, 1000 + i);
        }
        assertTrue(history.json(0, 0).contains("\"label\":\"pid "), "too early");

        add(nobody, 1000 + HostHistory.LENGTH);
        final String json = history.json(0, 0);
        assertTrue(json.contains("\"publications\":[],"), json);
        assertTrue(json.contains("\"notices\":[\"unreadable: a line\"]"), json);
    }

    @Test
    void shouldBoundTheSeries() throws Exception {
        add(publications(HostHistory.MAX_SERIES + 1), 1000);

        final String json = history.json(0, 0);
        assertEquals(2 * HostHistory.MAX_SERIES, json.split("\"label\":", -1).length - 1);
        assertTrue(json.contains("\"omitted\":1,"), json);
    }
}

package io.sluice.transport.flight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightEventsTest {
    private static final String STALL = "io.sluice.ConductorStall";
    private static final String SLOW = "io.sluice.SlowHandler";

    private final List<Throwable> errors = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final FlightEvents events = new FlightEvents("pricer", () -> "12-" + asked.incrementAndGet(), errors::add);

    @TempDir
    private Path folder;

    private List<RecordedEvent> recorded(final Recording recording) throws IOException {
        final Path file = folder.resolve("recording.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.hasField("client") && "pricer".equals(event.getString("client"))).toList();
    }

    @Test
    void shouldAskForNothingWhileNoRecordingWantsTheEvent() {
        try (Recording recording = new Recording()) {
            recording.disable(STALL);
            recording.start();
            events.conductorStalled(2, 1);
            assertEquals(0, asked.get());
        }
    }

    @Test
    void shouldNameTheTransportAsItIsCalledThen() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable(STALL);
            recording.start();
            events.conductorStalled(2, 1);
            events.conductorStalled(3, 1);
            assertEquals(List.of("12-1", "12-2"),
                recorded(recording).stream().map(event -> event.getString("folder")).toList());
            assertEquals(List.of(), errors);
        }
    }

    @Test
    void shouldTellTheErrorHandlerWhatGoesWrongWithAnEventAndGoOn() throws IOException {
        final IllegalStateException failure = new IllegalStateException("no folder");
        final FlightEvents failing = new FlightEvents("pricer", () -> {
            throw failure;
        }, errors::add);
        try (Recording recording = new Recording()) {
            recording.enable(STALL);
            recording.start();
            failing.conductorStalled(2, 1);
            assertEquals(List.of(failure), errors);
            assertEquals(List.of(), recorded(recording));
        }
    }

    /** Strangers fill no recording by being refused: without the bound all would be there. */
    @Test
    void shouldKeepSomeOfManyRefusals() throws IOException {
        final int refusals = 10_000;
        try (Recording recording = new Recording()) {
            recording.enable("io.sluice.PeerRefused");
            recording.start();
            for (int i = 0; i < refusals; i++) {
                events.peerRefused("10.0.0.9", Thread.State.NEW, "no key");
            }
            final List<RecordedEvent> kept = recorded(recording);
            assertTrue(!kept.isEmpty() && kept.size() < refusals, () -> kept.size() + " are kept");
            assertEquals("10.0.0.9", kept.getFirst().getString("peer"));
        }
    }

    @Test
    void shouldWatchHandlersOnlyWhenARecordingSaysSo() {
        try (Recording recording = new Recording()) {
            recording.start();
            assertFalse(events.isWatchingHandlers());
        }
        try (Recording recording = new Recording()) {
            recording.enable(SLOW);
            recording.start();
            assertTrue(events.isWatchingHandlers());
        }
    }

    @Test
    void shouldRecordHandlersFromTheThresholdOn() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable(SLOW).withThreshold(Duration.ofDays(1));
            recording.start();
            final HandlerWatch watch = events.watch("sluice:ipc", 3, "pricing");
            watch.look(true, 1);
            watch.look(true, 2);
            assertEquals(List.of(), recorded(recording));
            recording.enable(SLOW).withoutThreshold();
            watch.look(true, 2);
            watch.look(false, 3);
            final RecordedEvent slow = recorded(recording).getFirst();
            assertEquals("pricing", slow.getString("consumer"));
            assertEquals(2, slow.getLong("messages"));
        }
    }

    /** The time between two looks is nobody's time at a message. */
    @Test
    void shouldRecordNothingOfWhoMovesOnBetweenLooks() throws IOException {
        final long thresholdNs = Duration.ofMillis(1).toNanos();
        try (Recording recording = new Recording()) {
            recording.enable(SLOW).withThreshold(Duration.ofNanos(thresholdNs));
            recording.start();
            final HandlerWatch watch = events.watch("sluice:ipc", 3, "quick");
            for (int done = 0; done < 3; done++) {
                watch.look(true, done);
                final long beganNs = System.nanoTime();
                while (System.nanoTime() - beganNs <= 2 * thresholdNs) {
                    Thread.onSpinWait();
                }
            }
            assertEquals(List.of(), recorded(recording));
        }
    }

    @Test
    void shouldRecordNothingOfWhoHasNothingToDo() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable(SLOW).withoutThreshold();
            recording.start();
            final HandlerWatch watch = events.watch("sluice:ipc", 3, "idle");
            watch.look(false, 0);
            watch.look(false, 0);
            watch.look(true, 0);
            assertEquals(List.of(), recorded(recording), "it is not done yet");
        }
    }
}

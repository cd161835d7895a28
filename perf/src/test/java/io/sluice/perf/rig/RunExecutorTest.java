package io.sluice.perf.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.os.CpuAffinity;
import io.sluice.perf.peer.PeerKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every system can be measured, in two real processes; what comes out is not looked at.
 */
@Tag("stress")
class RunExecutorTest {
    private static final int LENGTH = 32;
    /** So low that the one message which is due within the time cannot be late. */
    private static final int RATE = 20;
    private static final int ROUND_TRIPS = 1000;
    private static final long DURATION_NS = 50_000_000;
    private static final int MIN_CPUS = 2;
    /** Beyond what any system numbers. */
    private static final int NO_CPU = 1_000_000;
    /** More than a send log of the default window takes. */
    private static final int HUGE_LENGTH = 1024 * 1024;

    @TempDir
    private Path out;

    @BeforeEach
    void needTwoProcessors() {
        assumeTrue(CpuAffinity.allowedCpus().length >= MIN_CPUS, "a measurement takes two processors");
    }

    @ParameterizedTest
    @CsvSource({
        "SLUICE_IPC, ROUND_TRIP", "AERON_IPC, ROUND_TRIP", "CACHE_LINE, ROUND_TRIP",
        "AERON_UDP, ROUND_TRIP", "TCP, ROUND_TRIP",
        "SLUICE_IPC, THROUGHPUT", "AERON_IPC, THROUGHPUT", "AERON_UDP, THROUGHPUT", "TCP, THROUGHPUT",
        "SLUICE_IPC, LOAD",
        "SLUICE_IPC_DEDICATED, ROUND_TRIP", "AERON_IPC_RING, ROUND_TRIP",
        "SLUICE_IPC_DEDICATED, THROUGHPUT", "AERON_IPC_RING, THROUGHPUT",
        "SLUICE_RING, HAND_OFF_4", "SLUICE_RING_POLL, HAND_OFF", "DISRUPTOR, HAND_OFF_2", "SLUICE_IPC, HAND_OFF",
        "SLUICE_RING, FAN_OUT_2", "SLUICE_RING_POLL, FAN_OUT_2", "DISRUPTOR, FAN_OUT_4", "SLUICE_RING, SLOW_20"})
    void shouldMeasure(PeerKind peer, Measure measure) throws Exception {
        final Point point = new Point(measure, LENGTH, measure.isPaced() ? RATE : 0);
        final Run run = new RunExecutor(plan(), out).run(peer, point, 1);

        assertNull(run.failure());
        assertEquals(measure.isPaced() || measure == Measure.ROUND_TRIP, run.roundTrips() != null);
        assertEquals(List.copyOf(measure.metrics()), List.copyOf(run.values().keySet()));
        assertTrue(run.values().get(measure.metrics().getFirst()) > 0, run.values().toString());
        assertFalse(run.settings().isEmpty());
        assertTrue(run.machine().before().isKnown());
        assertTrue(run.machine().after().isKnown());
        try (var kept = Files.list(out)) {
            assertEquals(1, kept.count());
        }
    }

    @Test
    void shouldMarkARunThatFails() throws Exception {
        final Run run = new RunExecutor(plan(), null).run(
            PeerKind.SLUICE_IPC, new Point(Measure.THROUGHPUT, HUGE_LENGTH), 1);

        assertTrue(run.failure().reason().contains("maxMessageLength"), run.failure().reason());
        assertFalse(run.failure().isMissedRate());
        assertTrue(run.values().isEmpty());
        assertFalse(run.machine().after().isKnown(), "it did not come to its end");
    }

    @ParameterizedTest
    @CsvSource({"CACHE_LINE, ROUND_TRIP", "DISRUPTOR, HAND_OFF"})
    void shouldFailARunOfWhichAThreadCannotBePinned(PeerKind peer, Measure measure) throws Exception {
        final Run run = new RunExecutor(plan(CpuAffinity.allowedCpus()[0], NO_CPU), null).run(
            peer, new Point(measure, LENGTH), 1);

        assertTrue(run.failure().reason().contains("cpu=" + NO_CPU), run.failure().reason());
        assertTrue(run.values().isEmpty());
    }

    @Test
    void shouldKeepNothingOfAnEarlierAttemptWhenARunFails() throws Exception {
        final Path earlier = Files.createDirectories(out.resolve("sluice_ipc-rtt-" + HUGE_LENGTH + "B-round1"));
        Files.writeString(earlier.resolve("round-trips.hlog"), "figures that seem to be this run's");
        Files.writeString(earlier.resolve("another.properties"), "of a side that there is none of");

        final Run run = new RunExecutor(plan(), out).run(
            PeerKind.SLUICE_IPC, new Point(Measure.ROUND_TRIP, HUGE_LENGTH), 1);

        assertTrue(run.hasFailed());
        assertFalse(Files.exists(earlier.resolve("round-trips.hlog")));
        assertFalse(Files.exists(earlier.resolve("another.properties")));
        assertTrue(Files.exists(earlier.resolve("ping.log")), "its own are there");
    }

    private static Plan plan() {
        final int[] cpus = CpuAffinity.allowedCpus();
        return plan(cpus[0], cpus[1]);
    }

    private static Plan plan(int firstCpu, int secondCpu) {
        return new Plan(
            List.of(), List.of(), List.of(), List.of(), new Effort(1, 0, ROUND_TRIPS, DURATION_NS, 0), firstCpu,
            secondCpu, "127.0.0.1");
    }
}

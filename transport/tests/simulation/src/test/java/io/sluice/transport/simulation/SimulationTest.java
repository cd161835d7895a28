package io.sluice.transport.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many runs of {@link Simulation}, each from its own seed: those that {@code ./sluice simulate} runs, too. One that
 * fails prints the end of its trace; {@code ./sluice simulate --seed N} runs it alone and prints all of it.
 */
class SimulationTest {
    private static final Path TRACES = Path.of("target", "simulation");
    private static final int MISTAKEN_RUNS = 5;

    private final SeedRuns runs = new SeedRuns(System.out, TRACES);

    @Test
    void shouldDeliverEverythingInOrderInAHundredRuns() throws IOException {
        shouldDeliverEverythingInOrder(SeedRange.IN_SHORT);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void shouldDeliverEverythingInOrderWhateverGoesWrong() throws IOException {
        shouldDeliverEverythingInOrder(SeedRange.OF_BUILD);

        final List<String> gaps = runs.cover(SeedRange.OF_BUILD);
        System.out.println(runs.coverage().table());
        assertEquals(List.of(), runs.failed(), "seeds that failed");
        assertEquals(List.of(), gaps, "pairs of fault and state");
    }

    private void shouldDeliverEverythingInOrder(final SeedRange seeds) throws IOException {
        for (long seed = seeds.first(); seed <= seeds.last(); seed++) {
            runs.run(seed, true);
        }
        System.out.println(runs);
        assertEquals(List.of(), runs.failed(), "seeds that failed");
        assertTrue(runs.backPressured() > seeds.count(), runs::toString);
        assertTrue(runs.held() > seeds.count(), runs::toString);
        assertTrue(runs.resumed() > seeds.count() / 2, runs::toString);
        assertTrue(runs.died() > seeds.count() / 8, runs::toString);
        assertTrue(runs.subscriptions() > seeds.count() * 2, runs::toString);
        assertTrue(runs.unblocked() > seeds.count() / 4, runs::toString);
    }

    @Test
    @Tag("slow")
    void shouldRunTheSameFromTheSameSeed() {
        for (long seed = 1; seed <= 20; seed++) {
            final Trace first = new Trace(null);
            final Trace second = new Trace(null);
            runs.run(seed, first);
            runs.run(seed, second);
            assertEquals(first.events(), second.events(), "seed=" + seed);
            assertEquals(first.hash(), second.hash(), "seed=" + seed);
            final Trace other = new Trace(null);
            runs.run(seed + 1, other);
            assertNotEquals(first.hash(), other.hash(), "seed=" + seed);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindAMistake(final Mistake mistake) {
        int tried = 0;
        for (long seed = 1; tried < MISTAKEN_RUNS; seed++) {
            final Simulation simulation = new Simulation(seed, new Trace(null), mistake);
            try {
                if (mistake.isHarmful(simulation.scenario())) {
                    tried++;
                    final AssertionError found =
                        assertThrows(AssertionError.class, simulation::run, mistake + " seed=" + seed);
                    assertTrue(mistake.isFoundBy(found.getMessage()),
                        mistake + " seed=" + seed + ": " + found.getMessage());
                }
            } finally {
                simulation.release();
            }
        }
    }
}

package io.sluice.transport.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.status.TransportCounter;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many runs of {@link Simulation}, each from its own seed. A failure names its seed and how to see the run again: with
 * {@code -Dsluice.simulation.seed=SEED} it is the only one, and prints its trace; {@code -Dsluice.simulation.draw=N}
 * draws other seeds.
 */
class SimulationTest {
    private static final String SEED_PROP = "sluice.simulation.seed";
    private static final String DRAW_PROP = "sluice.simulation.draw";
    /** What the seeds are drawn from: the same in every run, so that only a change of the code changes the outcome. */
    private static final long DRAW = 20_261_121L;
    private static final String RUNS_PROP = "sluice.simulation.runs";
    private static final int RUNS = 1_000;

    private long backPressured;
    private long held;
    private long resumed;
    private long steps;

    @Test
    void shouldDeliverEverythingInOrderWhateverGoesWrong() {
        final Long seed = Long.getLong(SEED_PROP);
        if (seed != null) {
            run(seed, new Trace(System.out));
            return;
        }
        final int runs = Integer.getInteger(RUNS_PROP, RUNS);
        final SplittableRandom seeds = new SplittableRandom(Long.getLong(DRAW_PROP, DRAW));
        for (int i = 0; i < runs; i++) {
            run(seeds.nextLong(), new Trace(null));
        }
        assertTrue(backPressured > runs, "backPressured=" + backPressured);
        assertTrue(held > runs, "held=" + held);
        assertTrue(resumed > runs / 2, "resumed=" + resumed);
        System.out.println("runs=" + runs + " steps=" + steps + " resumed=" + resumed + " backPressured="
            + backPressured + " held=" + held);
    }

    private void run(final long seed, final Trace trace) {
        final Simulation simulation = new Simulation(seed, trace);
        try {
            simulation.run();
        } catch (final AssertionError | RuntimeException ex) {
            throw new AssertionError("seed=" + seed + " " + simulation.scenario() + ": " + ex.getMessage()
                + "\nsee it again with its trace: mvn -Dquick -pl transport -am test -Dtest=SimulationTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -D" + SEED_PROP + "=" + seed, ex);
        } finally {
            simulation.release();
        }
        backPressured += simulation.backPressured();
        held += simulation.held();
        resumed += simulation.count(TransportCounter.LINKS_RESUMED);
        steps += simulation.steps();
    }

    @Test
    void shouldRunTheSameFromTheSameSeed() {
        final SplittableRandom seeds = new SplittableRandom(Long.getLong(DRAW_PROP, DRAW));
        for (int i = 0; i < 20; i++) {
            final long seed = seeds.nextLong();
            final Trace first = new Trace(null);
            final Trace second = new Trace(null);
            run(seed, first);
            run(seed, second);
            assertEquals(first.events(), second.events(), "seed=" + seed);
            assertEquals(first.hash(), second.hash(), "seed=" + seed);
            final Trace other = new Trace(null);
            run(seed + 1, other);
            assertNotEquals(first.hash(), other.hash(), "seed=" + seed);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindAMistake(final Mistake mistake) {
        int tried = 0;
        for (long seed = 1; tried < 10; seed++) {
            final Simulation simulation = new Simulation(seed, new Trace(null), mistake);
            try {
                if (mistake.isHarmful(simulation.scenario())) {
                    tried++;
                    assertThrows(AssertionError.class, simulation::run, mistake + " seed=" + seed);
                }
            } finally {
                simulation.release();
            }
        }
    }
}

package io.sluice.transport.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.sluice.transport.status.TransportCounter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many runs of {@link Simulation}, each from its own seed. One that fails is run again with its trace, which goes to a
 * file and whose end is printed together with the command that does the same; {@code -Dsluice.simulation.seed=SEED}
 * runs one seed alone and prints its whole trace. {@code -Dsluice.simulation.draw=N} draws other seeds, and
 * {@code -Dsluice.simulation.runs=N} as many.
 */
class SimulationTest {
    private static final String SEED_PROP = "sluice.simulation.seed";
    private static final String DRAW_PROP = "sluice.simulation.draw";
    /** What the seeds are drawn from: the same in every run, so that only a change of the code changes the outcome. */
    private static final long DRAW = 20_261_121L;
    private static final String RUNS_PROP = "sluice.simulation.runs";
    private static final int RUNS = 1_000;
    private static final Path TRACES = Path.of("target", "simulation");
    private static final int TRACES_MAX = 10;
    private static final int LINES_PRINTED = 100;
    private static final int MISTAKEN_RUNS = 5;

    private final List<Long> failed = new ArrayList<>();
    private long backPressured;
    private long held;
    private long resumed;
    private long died;
    private long subscriptions;
    private long steps;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void shouldDeliverEverythingInOrderWhateverGoesWrong() throws IOException {
        final Long seed = Long.getLong(SEED_PROP);
        if (seed != null) {
            run(seed, new Trace(System.out));
            return;
        }
        final int runs = Integer.getInteger(RUNS_PROP, RUNS);
        final SplittableRandom seeds = new SplittableRandom(Long.getLong(DRAW_PROP, DRAW));
        for (int i = 0; i < runs; i++) {
            runAndExplain(seeds.nextLong());
        }
        System.out.println("runs=" + runs + " steps=" + steps + " resumed=" + resumed + " backPressured="
            + backPressured + " held=" + held + " died=" + died + " subscriptions=" + subscriptions);
        assertTrue(failed.isEmpty(), () -> "failed=" + failed.size() + " of runs=" + runs + ", seeds=" + failed);
        assertTrue(backPressured > runs, "backPressured=" + backPressured);
        assertTrue(held > runs, "held=" + held);
        assertTrue(resumed > runs / 2, "resumed=" + resumed);
        assertTrue(died > runs / 8, "died=" + died);
        assertTrue(subscriptions > runs * 2, "subscriptions=" + subscriptions);
    }

    private void runAndExplain(final long seed) throws IOException {
        try {
            run(seed, new Trace(null));
        } catch (final AssertionError ex) {
            failed.add(seed);
            System.out.println(ex.getMessage());
            if (failed.size() <= TRACES_MAX) {
                explain(seed);
            }
        }
    }

    private void explain(final long seed) throws IOException {
        Files.createDirectories(TRACES);
        final Path file = TRACES.resolve(seed + ".trace");
        try (PrintStream out = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            run(seed, new Trace(out));
            fail("the same seed did not fail again: seed=" + seed);
        } catch (final AssertionError ex) {
            ex.printStackTrace(System.out);
        }
        final List<String> lines = Files.readAllLines(file);
        lines.subList(Math.max(0, lines.size() - LINES_PRINTED), lines.size()).forEach(System.out::println);
        System.out.println("the whole trace: " + file.toAbsolutePath());
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
        died += simulation.world().processes().stream().filter(process -> !process.isAlive()).count();
        subscriptions += simulation.world().subscribers().size();
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

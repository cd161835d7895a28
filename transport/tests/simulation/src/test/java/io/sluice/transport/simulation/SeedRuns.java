package io.sluice.transport.simulation;

import io.sluice.transport.status.TransportCounter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs of {@link Simulation} one after the other, each from its own seed, and what happened in them together. One that
 * fails is told in one line and run again with its trace, which goes to a file and whose end is printed.
 */
final class SeedRuns {
    private static final int TRACES_MAX = 10;
    private static final int LINES_PRINTED = 100;

    private final PrintStream out;
    private final Path traces;
    private final Coverage coverage = new Coverage();
    private final List<Long> failed = new ArrayList<>();
    private long runs;
    private long backPressured;
    private long held;
    private long resumed;
    private long died;
    private long subscriptions;
    private long unblocked;
    private long steps;

    /** No runs yet; what they have to say is printed, and their traces go to a folder. */
    SeedRuns(final PrintStream out, final Path traces) {
        this.out = out;
        this.traces = traces;
    }

    /** {@return whether all was well in a run} When it was not that is told, and explained with its trace if asked. */
    boolean run(final long seed, final boolean explains) throws IOException {
        try {
            run(seed, new Trace(null));
            return true;
        } catch (final AssertionError ex) {
            failed.add(seed);
            out.println("FAILED " + ex.getMessage());
            if (explains && failed.size() <= TRACES_MAX) {
                explain(seed);
            }
            return false;
        }
    }

    /** Run the seeds behind a range until every pair was seen, or many were run; {@return the pairs that were not} */
    List<String> cover(final SeedRange seeds) throws IOException {
        coverage.gaps().forEach(gap -> out.println("up to seed " + seeds.last() + ": " + gap));
        for (long seed = seeds.last() + 1; seed <= seeds.last() + Coverage.SEEDS_MORE; seed++) {
            if (coverage.gaps().isEmpty()) {
                break;
            }
            run(seed, true);
        }
        return coverage.gaps();
    }

    private void explain(final long seed) throws IOException {
        Files.createDirectories(traces);
        final Path file = traces.resolve(seed + ".trace");
        try (PrintStream trace = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            run(seed, new Trace(trace));
            out.println("the same seed did not fail again: seed=" + seed);
        } catch (final AssertionError ex) {
            ex.printStackTrace(out);
        }
        final List<String> lines = Files.readAllLines(file);
        lines.subList(Math.max(0, lines.size() - LINES_PRINTED), lines.size()).forEach(out::println);
        out.println("the whole trace: " + file.toAbsolutePath() + ", or ./sluice simulate --seed " + seed);
    }

    /** Run a seed, with its trace; fails when something is wrong in it. */
    void run(final long seed, final Trace trace) {
        final Simulation simulation = new Simulation(seed, trace, coverage);
        runs++;
        try {
            simulation.run();
        } catch (final AssertionError | RuntimeException ex) {
            throw new AssertionError("seed=" + seed + ": " + ex.getMessage() + " in " + simulation.scenario(), ex);
        } finally {
            simulation.release();
        }
        backPressured += simulation.backPressured();
        held += simulation.held();
        resumed += simulation.count(TransportCounter.LINKS_RESUMED);
        died += simulation.world().processes().stream().filter(process -> !process.isAlive()).count();
        subscriptions += simulation.world().subscribers().size();
        unblocked += simulation.unblocked();
        steps += simulation.steps();
    }

    /** Seeds that failed. */
    List<Long> failed() {
        return failed;
    }

    long backPressured() {
        return backPressured;
    }

    long held() {
        return held;
    }

    long resumed() {
        return resumed;
    }

    long died() {
        return died;
    }

    long subscriptions() {
        return subscriptions;
    }

    long unblocked() {
        return unblocked;
    }

    /** {@return the coverage of these runs} */
    Coverage coverage() {
        return coverage;
    }

    @Override
    public String toString() {
        return "runs=" + runs + " failed=" + failed.size() + " steps=" + steps + " resumed=" + resumed
            + " backPressured=" + backPressured + " held=" + held + " died=" + died + " subscriptions="
            + subscriptions + " unblocked=" + unblocked;
    }
}

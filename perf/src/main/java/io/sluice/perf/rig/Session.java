package io.sluice.perf.rig;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a plan, turn after turn.
 */
public final class Session {
    /** A run that does not count is repeated; after this many the machine will not become quiet for us. */
    private static final int ATTEMPTS = 3;

    private Session() {
    }

    /**
     * Run.
     *
     * @param plan     what to measure.
     * @param executor that measures.
     * @param progress told of each run as it ends.
     * @return all runs in the order they ran.
     * @throws IOException          when no process can be started.
     * @throws InterruptedException when the caller is interrupted.
     */
    public static List<Run> run(final Plan plan, final RunExecutor executor, final Consumer<Run> progress)
        throws IOException, InterruptedException {
        final List<Run> runs = new ArrayList<>();
        for (final Turn turn : plan.turns()) {
            runs.addAll(runUntilItCounts(executor, turn, progress));
        }
        return runs;
    }

    /**
     * Runs a turn until it counts, and returns all attempts. One that failed is not repeated: a failure is a result.
     */
    private static List<Run> runUntilItCounts(
        final RunExecutor executor, final Turn turn, final Consumer<Run> progress)
        throws IOException, InterruptedException {
        final List<Run> attempts = new ArrayList<>();
        do {
            attempts.add(executor.run(turn.peer(), turn.point(), turn.round()));
            progress.accept(attempts.getLast());
        } while (attempts.size() < ATTEMPTS && !attempts.getLast().counts() && !attempts.getLast().hasFailed());
        return attempts;
    }
}

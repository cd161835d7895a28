package io.sluice.perf.drain;

import io.sluice.perf.rig.FreshJvm;
import io.sluice.perf.rig.TemporaryFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Measures all cases in turn, each in fresh processes. One thread; ends its processes whatever happens.
 *
 * @param cases        to measure.
 * @param rounds       processes of each case.
 * @param cpu          that the measuring thread is pinned to.
 * @param durationNs   to warm up and then to measure, for each length of bursts.
 * @param quietLimitNs that each process waits for a moment in which nothing else runs.
 */
public record DrainSession(List<DrainCase> cases, int rounds, int cpu, long durationNs, long quietLimitNs) {
    private static final long START_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Measure.
     *
     * @param progress told a line before each process.
     * @return the figures of all processes.
     * @throws IOException          when the library cannot be made, or a process fails, with what it said.
     * @throws InterruptedException when the caller is interrupted.
     */
    public List<DrainResult> run(final Consumer<String> progress) throws IOException, InterruptedException {
        final List<DrainResult> results = new ArrayList<>();
        final Path folder = Files.createTempDirectory("sluice-drain-");
        try {
            final Path library = DrainLibrary.compile(folder);
            for (int round = 1; round <= rounds; round++) {
                for (final DrainCase drainCase : cases) {
                    progress.accept("round " + round + " of " + rounds + ": " + drainCase.label());
                    results.addAll(measure(drainCase, library));
                }
            }
        } finally {
            TemporaryFolders.delete(folder);
        }
        return results;
    }

    private List<DrainResult> measure(final DrainCase drainCase, final Path library)
        throws IOException, InterruptedException {
        final long limitNs = START_LIMIT_NS + 2 * DrainProcess.BURSTS.size() * durationNs;
        return new FreshJvm(library.resolveSibling("output.txt"), quietLimitNs, limitNs)
            .run(DrainProcess.class, drainCase.jvmFlags(),
                List.of(drainCase.name(), library.toString(), Integer.toString(cpu), Long.toString(durationNs)),
                DrainProcess.BURSTS.size())
            .stream().map(line -> DrainResult.parse(drainCase, line)).toList();
    }
}

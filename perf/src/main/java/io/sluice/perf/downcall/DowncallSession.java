package io.sluice.perf.downcall;

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
 * Measures all linker options in turn, each in fresh processes. One thread.
 *
 * @param rounds       processes of each option.
 * @param cpu          that the measuring thread is pinned to.
 * @param durationNs   to warm up and then to measure, for each function.
 * @param quietLimitNs that each process waits for a moment in which nothing else runs.
 */
public record DowncallSession(int rounds, int cpu, long durationNs, long quietLimitNs) {
    private static final long START_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Measure.
     *
     * @param progress told a line before each process.
     * @return the figures of all processes.
     * @throws IOException          when the library cannot be made, or a process fails, with what it said.
     * @throws InterruptedException when the caller is interrupted.
     */
    public List<DowncallResult> run(final Consumer<String> progress) throws IOException, InterruptedException {
        final List<DowncallResult> results = new ArrayList<>();
        final Path folder = Files.createTempDirectory("sluice-downcalls-");
        try {
            final Path library = DowncallLibrary.compile(folder);
            final FreshJvm jvm =
                new FreshJvm(folder.resolve("output.txt"), quietLimitNs, START_LIMIT_NS + 4 * durationNs);
            for (int round = 1; round <= rounds; round++) {
                for (final DowncallCase downcallCase : DowncallCase.values()) {
                    progress.accept("round " + round + " of " + rounds + ": " + downcallCase.label());
                    results.add(DowncallResult.parse(downcallCase, jvm.run(DowncallProcess.class,
                        downcallCase.jvmFlags(),
                        List.of(library.toString(), Integer.toString(cpu), Long.toString(durationNs)), 1).getFirst()));
                }
            }
        } finally {
            TemporaryFolders.delete(folder);
        }
        return results;
    }
}

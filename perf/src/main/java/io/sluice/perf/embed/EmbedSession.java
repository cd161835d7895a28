package io.sluice.perf.embed;

import io.sluice.perf.rig.FreshJvm;
import io.sluice.perf.rig.TemporaryFolders;
import java.io.IOException;
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
 * @param restNs       that each process rests before it counts as idle.
 * @param durationNs   to measure the idle process.
 * @param quietLimitNs that each process waits for a moment in which nothing else runs.
 */
public record EmbedSession(List<EmbedCase> cases, int rounds, long restNs, long durationNs, long quietLimitNs) {
    private static final long START_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Measure.
     *
     * @param progress told a line before each process.
     * @return the figures of all processes.
     * @throws IOException          when a process fails, with what it said.
     * @throws InterruptedException when the caller is interrupted.
     */
    public List<EmbedResult> run(final Consumer<String> progress) throws IOException, InterruptedException {
        final List<EmbedResult> results = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            for (final EmbedCase embedCase : cases) {
                progress.accept("round " + round + " of " + rounds + ": " + embedCase.label());
                results.add(measure(embedCase));
            }
        }
        return results;
    }

    private EmbedResult measure(final EmbedCase embedCase) throws IOException, InterruptedException {
        final Path folder = TemporaryFolders.create("sluice-embed-");
        try {
            return EmbedResult.parse(embedCase, new FreshJvm(
                folder.resolve("output.txt"), quietLimitNs, START_LIMIT_NS + restNs + durationNs)
                .run(EmbedProcess.class, List.of(), List.of(embedCase.name(), folder.resolve("files").toString(),
                    Long.toString(restNs), Long.toString(durationNs)), 1).getFirst());
        } finally {
            TemporaryFolders.delete(folder);
        }
    }
}

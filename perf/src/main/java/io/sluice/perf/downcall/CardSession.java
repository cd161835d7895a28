package io.sluice.perf.downcall;

import io.sluice.perf.rig.CCompiler;
import io.sluice.perf.rig.FreshJvm;
import io.sluice.perf.rig.TemporaryFolders;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.model.NativePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Measures stops of all threads over model cards, each in a process of its own. One thread.
 *
 * @param cases        to measure.
 * @param times        that each thing is done.
 * @param systemCallNs that a system call of the device takes.
 * @param quietLimitNs that each process waits for a moment in which nothing else runs.
 */
public record CardSession(List<CardCase> cases, int times, long systemCallNs, long quietLimitNs) {
    private static final long START_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
    /** System calls that are waited for each time, at most: a few of the thing itself, and those of posts meanwhile. */
    private static final int MAX_CALLS = 20;

    /**
     * Compile the data path of the cards.
     *
     * @param folder to write to.
     * @return the library.
     * @throws IOException          when there is no compiler or it fails, with what it says.
     * @throws InterruptedException when the caller is interrupted.
     */
    static Path compile(final Path folder) throws IOException, InterruptedException {
        return CCompiler.compile(CardSession.class, "cards.c", NativePath.definitions(), folder);
    }

    /**
     * Measure.
     *
     * @param progress told a line before each process.
     * @return the figures of all processes.
     * @throws IOException          when the library cannot be made, or a process fails, with what it said.
     * @throws InterruptedException when the caller is interrupted.
     */
    public List<CardResult> run(final Consumer<String> progress) throws IOException, InterruptedException {
        final List<CardResult> results = new ArrayList<>();
        final Path folder = Files.createTempDirectory("sluice-cards-");
        try {
            final Path library = compile(folder);
            final FreshJvm jvm = new FreshJvm(folder.resolve("output.txt"), quietLimitNs,
                START_LIMIT_NS + MAX_CALLS * CardAction.values().length * (times + 1) * systemCallNs);
            for (final CardCase cardCase : cases) {
                progress.accept((results.size() + 1) + " of " + cases.size() + ": " + cardCase.label()
                    + (cardCase.isControl() ? ", control" : ""));
                results.add(CardResult.parse(cardCase, jvm.run(CardProcess.class,
                    Stream.concat(StopLog.jvmFlags(folder).stream(),
                        Stream.of("-D" + DataPathLinker.CRITICAL_PROP_NAME + "=true")).toList(),
                    Stream.concat(Stream.of(library.toString(), Integer.toString(times), Long.toString(systemCallNs)),
                        cardCase.words().stream()).toList(), 1).getFirst()));
            }
        } finally {
            TemporaryFolders.delete(folder);
        }
        return results;
    }
}

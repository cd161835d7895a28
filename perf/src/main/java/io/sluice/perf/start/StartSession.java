package io.sluice.perf.start;

import io.sluice.perf.rig.FreshJvm;
import io.sluice.perf.rig.TemporaryFolders;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.spi.ToolProvider;

/**
 * Makes a cache by one run, and then measures the cases in turn, each in fresh processes. One thread; ends its
 * processes whatever happens.
 *
 * @param rounds       processes of each case.
 * @param durationNs   that each process, the one that makes the cache too, goes on for.
 * @param quietLimitNs that each process waits for a moment in which nothing else runs.
 */
public record StartSession(int rounds, long durationNs, long quietLimitNs) {
    private static final long START_LIMIT_NS = TimeUnit.SECONDS.toNanos(120);

    /**
     * Measure.
     *
     * @param progress told a line before each process.
     * @return the figures of all processes.
     * @throws IOException          when a process fails, with what it said.
     * @throws InterruptedException when the caller is interrupted.
     */
    public List<StartResult> run(final Consumer<String> progress) throws IOException, InterruptedException {
        final Path folder = TemporaryFolders.create("sluice-start-");
        try {
            final String classPath = inJars(folder);
            final Path cache = folder.resolve("start.aot");
            progress.accept("making the cache");
            run(folder, classPath, List.of("-XX:AOTCacheOutput=" + cache), FreshJvm.ANY_LINES);
            final List<StartResult> results = new ArrayList<>();
            for (int round = 1; round <= rounds; round++) {
                for (final StartCase startCase : StartCase.values()) {
                    progress.accept("round " + round + " of " + rounds + ": " + startCase.label());
                    final List<String> flags = startCase == StartCase.PLAIN
                        ? List.of() : List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=on");
                    results.add(StartResult.parse(startCase, run(folder, classPath, flags, 1).getFirst()));
                }
            }
            return results;
        } finally {
            TemporaryFolders.delete(folder);
        }
    }

    private List<String> run(
        final Path folder, final String classPath, final List<String> flags, final int lines)
        throws IOException, InterruptedException {
        // a short name, and the same for all: each leaves nothing there
        final Path files = folder.resolve("f");
        final FreshJvm jvm = new FreshJvm(
            folder.resolve("output.txt"), quietLimitNs, START_LIMIT_NS + durationNs, classPath);
        return jvm.run(
            StartProcess.class, flags, List.of(files.toString(), Long.toString(durationNs)), lines);
    }

    /** {@return the class path of this process with a jar in place of each folder: a cache has classes of jars only} */
    private static String inJars(final Path folder) throws IOException {
        final ToolProvider jar = ToolProvider.findFirst("jar")
            .orElseThrow(() -> new IOException("this Java has no tool jar: run with a JDK"));
        final List<String> jars = new ArrayList<>();
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (Files.isDirectory(Path.of(entry))) {
                final String file = folder.resolve(jars.size() + ".jar").toString();
                if (jar.run(System.err, System.err, "--create", "--file", file, "-C", entry, ".") != 0) {
                    throw new IOException("cannot make a jar of " + entry);
                }
                jars.add(file);
            } else {
                jars.add(entry);
            }
        }
        return String.join(File.pathSeparator, jars);
    }
}

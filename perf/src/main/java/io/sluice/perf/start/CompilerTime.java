package io.sluice.perf.start;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The processor time of this process' compiler threads, which Linux tells by their names. Stateless; any thread. */
final class CompilerTime {
    private static final Path THREADS = Path.of("/proc/self/task");
    /** The beginnings of the names of HotSpot's compiler threads, of which Linux keeps 15 characters. */
    private static final List<String> NAMES = List.of("C1 CompilerThre", "C2 CompilerThre");

    private CompilerTime() {
    }

    /** {@return nanoseconds so far, NaN where no such thread is told of} */
    static double ns() {
        if (!Files.isDirectory(THREADS)) {
            return Double.NaN;
        }
        double sumNs = Double.NaN;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (final Path thread : threads) {
                final double ns = ns(thread);
                if (!Double.isNaN(ns)) {
                    sumNs = (Double.isNaN(sumNs) ? 0 : sumNs) + ns;
                }
            }
            return sumNs;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return nanoseconds of a compiler's thread, NaN of others and of one that has ended, as idle ones do} */
    private static double ns(final Path thread) {
        try {
            return NAMES.contains(Files.readString(thread.resolve("comm")).strip())
                ? Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]) : Double.NaN;
        } catch (final IOException e) {
            return Double.NaN;
        }
    }
}

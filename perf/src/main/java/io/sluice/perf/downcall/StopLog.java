package io.sluice.perf.downcall;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JVM's own log of stops that take long: which threads have not stopped yet after 1 ms. A thread in a plain call
 * has, however long the call takes. One thread.
 */
final class StopLog implements AutoCloseable {
    private static final String FILE = "stops.txt";
    private static final Pattern THREAD = Pattern.compile("\\[(\\d+)ns] *# \".* nid=(\\d+) .*");

    private final BufferedReader reader;

    /**
     * A thread that has not stopped in time.
     *
     * @param atNs   when that was seen, by {@link System#nanoTime()}.
     * @param thread by its number in the system.
     */
    record Late(long atNs, int thread) {
    }

    /** Opens the log in the folder that the JVM's flags name. */
    StopLog(final Path folder) throws IOException {
        reader = Files.newBufferedReader(folder.resolve(FILE));
    }

    /** Flags of a JVM that writes it. */
    static List<String> jvmFlags(final Path folder) {
        return List.of("-XX:+SafepointTimeout", "-XX:SafepointTimeoutDelay=1", "-Xlog:disable",
            "-Xlog:safepoint=warning:file=" + folder.resolve(FILE) + ":timenanos:filecount=0");
    }

    /** Threads that were late, as written since the last time. */
    List<Late> read() throws IOException {
        final List<Late> late = new ArrayList<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            final Matcher matcher = THREAD.matcher(line);
            if (matcher.matches()) {
                late.add(new Late(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2))));
            }
        }
        return late;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}

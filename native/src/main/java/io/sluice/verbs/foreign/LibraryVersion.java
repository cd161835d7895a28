package io.sluice.verbs.foreign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of rdma-core. No function tells it: it is read from the file that the library was loaded from, which
 * rdma-core names {@code libibverbs.so.1.14.44.0} for version 44.0.
 *
 * @param major for example 44; 0 when it is not known.
 * @param minor for example 0.
 */
public record LibraryVersion(int major, int minor) {
    /** Version of a library whose file has another name. */
    public static final LibraryVersion UNKNOWN = new LibraryVersion(0, 0);
    private static final Path MAPPINGS = Path.of("/proc/self/maps");
    private static final Pattern NUMBERS = Pattern.compile("\\.so\\.\\d+\\.\\d+\\.(\\d{1,6})\\.(\\d{1,6})$");

    /** Version of a library that this process has loaded. */
    static LibraryVersion ofLoaded(final String soname) {
        try {
            return ofMappings(Files.readAllLines(MAPPINGS), soname);
        } catch (final IOException e) {
            return UNKNOWN;
        }
    }

    /** Version by the lines of proc_pid_maps(5). */
    static LibraryVersion ofMappings(final List<String> lines, final String soname) {
        for (final String line : lines) {
            final int start = line.lastIndexOf('/') + 1;
            if (start > 0 && line.startsWith(soname, start)) {
                return parse(line.substring(start));
            }
        }
        return UNKNOWN;
    }

    static LibraryVersion parse(final String file) {
        final Matcher matcher = NUMBERS.matcher(file);
        return matcher.find()
            ? new LibraryVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)))
            : UNKNOWN;
    }

    /**
     * Whether the version is known.
     *
     * @return false for {@link #UNKNOWN}.
     */
    public boolean isKnown() {
        return major > 0;
    }

    @Override
    public String toString() {
        return isKnown() ? major + "." + minor : "of unknown version";
    }
}

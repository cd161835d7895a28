package io.sluice.transport.counters;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kind of a failure: what stays of its text without the parts that change each time it happens. Those are counts,
 * times, sizes, identifiers, and the ports behind addresses. Addresses and GIDs stay, and so do the numbers that say
 * which one is meant: the index of a GID, a device's port, a LID, a partition key, an errno, a reason, a status. Any
 * thread.
 */
public final class FailureKind {
    /**
     * The greatest length of a text: longer ones differ in what nobody reads; a bound on the work that somebody else's
     * text makes.
     */
    private static final int MAX_LENGTH = 4096;

    private static final String KEPT = "kept";

    /**
     * Numbers that say which one, by the word before; IPv6 addresses and GIDs, IPv4 addresses; zones, and interfaces of
     * VLANs; then the random numbers in names of files, other numbers, and identifiers of six hexadecimal digits and
     * more.
     */
    private static final Pattern PARTS = Pattern.compile("(?<" + KEPT + ">"
        + "\\b(?:gid|index|port|lid|partition|errno|reason|status)[ =](?:0x[0-9a-f]+|-?\\d+)(?![0-9a-fx]|[.:][0-9a-f:])"
        + "|(?<![0-9a-z:\\]])[0-9a-f]{0,4}(?::[0-9a-f.]*){2,8}|\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?![0-9.])"
        + "|%[0-9a-z.]+|\\b[a-z]+\\d*\\.\\d{1,4}(?![0-9a-z.]))"
        + "|(?<=/)[a-z][0-9a-f]{6,8}\\b|\\b0x[0-9a-f]+|\\b\\d[0-9a-f]*+|\\b(?=[a-f]*\\d)[0-9a-f]{6,}\\b");

    private FailureKind() {
    }

    /**
     * The kind of a text.
     *
     * @param text of a failure.
     * @return the text with {@code #} for each part that changes, cut when it is very long.
     */
    public static String of(final String text) {
        return PARTS.matcher(text.substring(0, Math.min(text.length(), MAX_LENGTH)))
            .replaceAll(part -> part.group(KEPT) == null ? "#" : Matcher.quoteReplacement(part.group()));
    }

    /**
     * The kind of an error: of its class, its errno, its text and the place where it was made.
     *
     * @param error that was caught or made.
     * @return its kind; that of its causes is no part of it.
     */
    public static String of(final Throwable error) {
        final int errno = error instanceof VerbsException verbs ? verbs.errno() : Errno.OK;
        final StackTraceElement[] places = error.getStackTrace();
        return error.getClass().getName() + " " + errno + " " + of(String.valueOf(error.getMessage()))
            + (places.length == 0 ? "" : " " + places[0]);
    }
}

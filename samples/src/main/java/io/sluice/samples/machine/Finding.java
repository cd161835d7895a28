package io.sluice.samples.machine;

import java.util.regex.Pattern;

/**
 * One line of the doctor's report. Immutable; any thread. What comes from the machine's files is made printable.
 *
 * @param verdict how it is meant.
 * @param subject what was looked at.
 * @param text    what was found.
 * @param remedy  what to do; empty when it is ok.
 */
public record Finding(Verdict verdict, String subject, String text, String remedy) {
    private static final Pattern UNPRINTABLE = Pattern.compile("\\p{Cntrl}+");

    /**
     * A finding.
     *
     * @throws IllegalArgumentException when something is not ok and nothing is said against it.
     */
    public Finding {
        if ((verdict == Verdict.OK) != remedy.isEmpty()) {
            throw new IllegalArgumentException("verdict=" + verdict + " does not go with remedy='" + remedy + "'");
        }
        text = printable(text);
        remedy = printable(remedy);
    }

    static Finding ok(final String subject, final String text) {
        return new Finding(Verdict.OK, subject, text, "");
    }

    static Finding warn(final String subject, final String text, final String remedy) {
        return new Finding(Verdict.WARN, subject, text, remedy);
    }

    static Finding fail(final String subject, final String text, final String remedy) {
        return new Finding(Verdict.FAIL, subject, text, remedy);
    }

    private static String printable(final String text) {
        return UNPRINTABLE.matcher(text).replaceAll(" ").strip();
    }
}

package io.sluice.samples;

import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * The standard output of a command whose reader may go away: a closed pipe or a full device ends the run. One thread.
 */
final class Output {
    private static final String NO_WRITE = "cannot write to the standard output: closed pipe or full device";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private final PrintWriter out;
    private final boolean isTerminal;

    Output(final PrintWriter out) {
        this(out, System.console() != null && System.console().isTerminal());
    }

    Output(final PrintWriter out, final boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /** Print text. */
    void print(final String text) {
        out.print(text);
        // usually a writer onto the standard output, which keeps its errors to itself
        if (out.checkError() || System.out.checkError()) {
            throw new RunFailure(NO_WRITE);
        }
    }

    /** The terminal's size now; unbounded where there is none. */
    Screen screen() throws InterruptedException {
        return isTerminal ? Screen.ofTerminal() : Screen.UNBOUNDED;
    }

    /** Print text in place of what was printed before, on a terminal; elsewhere after it. */
    void replace(final String text) {
        // Line by line, so that nothing flickers; each before its text: behind one that is as wide as the terminal the
        // cursor still stands on the last column, which would be cleared, too.
        final String end = System.lineSeparator();
        print(isTerminal ? HOME + CLEAR_LINE + text.replace(end, end + CLEAR_LINE) + CLEAR_BELOW : text);
    }

    /**
     * Flushes what a command prints from time to time.
     *
     * @throws RunFailure when nobody reads it any more.
     */
    static void requireArrived(final PrintStream out) {
        if (out.checkError()) {
            throw new RunFailure(NO_WRITE);
        }
    }

    /** Whether everything that was printed has arrived so far; if not, it is told where it can be. */
    static boolean hasArrived(final PrintStream out, final PrintStream err) {
        if (out.checkError()) {
            err.println("sluice: " + NO_WRITE);
            return false;
        }
        return true;
    }
}

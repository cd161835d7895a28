package io.sluice.transport.reentrancy;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The lines that the process that makes the calls says of them on its standard output. */
final class Cells {
    /** A call that did what it does elsewhere. */
    static final String WORKS = "works";
    /** The outcome where there is nothing to call. */
    static final String NONE = "";

    private Cells() {
    }

    /** A call is about to be made: if nothing more comes, it has ended the process. */
    static void announce(final String call) {
        say("CALL name=" + call);
    }

    /** A call was made: tell its outcome. */
    static void tell(final String call, final String outcome) {
        say("RESULT name=" + call + " outcome=" + encoded(outcome));
    }

    /** All calls of a place were made, and its transport closed: nothing, or what is wrong. */
    static void end(final String problems) {
        say("PLAYED problems=" + encoded(problems));
    }

    private static String encoded(final String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static synchronized void say(final String line) {
        System.out.println(line);
        System.out.flush();
    }
}

package io.sluice.samples;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

/**
 * Prints what a run of ping measures, and under which conditions, so that its figures can be judged later. Stateless.
 */
final class PingSettings {
    private PingSettings() {
    }

    /**
     * Print them.
     *
     * @param out     to print on.
     * @param title   first line.
     * @param meeting where and how ping and pong meet, by name.
     * @param options of the measurement.
     * @param cores   that were chosen from.
     * @param threads what became of them.
     */
    static void print(
        final PrintStream out, final String title, final Map<String, String> meeting, final PingOptions options,
        final Cores cores, final String threads) {
        out.println(title);
        meeting.forEach((name, value) -> line(out, name, value));
        line(out, "messages", String.format(
            Locale.ROOT, "%,d of %,d bytes, %s", options.messages(), options.messageLength(), pace(options.rate())));
        line(out, "threads", threads);
        line(out, "java", VersionProvider.jvm());
        if (!cores.notice().isEmpty()) {
            line(out, "notice", cores.notice());
        }
        out.println();
    }

    private static String pace(final long rate) {
        return rate == 0
            ? "each sent when the last one was answered"
            : String.format(Locale.ROOT, "%,d per second, timed from when each was due", rate);
    }

    private static void line(final PrintStream out, final String name, final String value) {
        out.printf(Locale.ROOT, "  %-10s %s%n", name, value);
    }
}

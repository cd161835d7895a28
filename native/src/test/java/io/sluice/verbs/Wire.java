package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The wire between the two devices of the lab, which can be made worse: packets of the first device to the second are
 * lost or late, or the second one's end is pulled out. {@code native/lab/README.md} describes it.
 */
final class Wire {
    private static final String NEAR = "d0";
    private static final String FAR = "d1";
    private static final Pattern DROPPED = Pattern.compile("dropped (\\d+)");

    private boolean isPulled;

    /** Whether there is one. */
    static boolean isThere() {
        return "2".equals(System.getenv("SLUICE_LAB_DEVICES"));
    }

    /** Before there is traffic; a queueing discipline that is put in under traffic fails queue pairs. */
    Wire() throws IOException, InterruptedException {
        run("tc", "qdisc", "replace", "dev", NEAR, "root", "netem", "loss", "0%");
    }

    /** Make it as bad as tc-netem(8) describes: {@code "loss", "100%"}. */
    void worsen(final String... impairment) throws IOException, InterruptedException {
        final List<String> command =
            new ArrayList<>(List.of("tc", "qdisc", "change", "dev", NEAR, "root", "netem"));
        command.addAll(List.of(impairment));
        run(command.toArray(String[]::new));
    }

    void repair() throws IOException, InterruptedException {
        worsen("loss", "0%");
    }

    /** Packets that it has lost so far. */
    long lost() {
        try {
            final Matcher matcher = DROPPED.matcher(run("tc", "-s", "qdisc", "show", "dev", NEAR));
            assertTrue(matcher.find());
            return Long.parseLong(matcher.group(1));
        } catch (final IOException e) {
            throw new AssertionError(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Pull it out of the second device. */
    void pull() throws IOException, InterruptedException {
        isPulled = true;
        run("ip", "link", "set", FAR, "down");
    }

    /** Put it in again, with the routes that are gone with it. */
    void plug() throws IOException, InterruptedException {
        run("ip", "link", "set", FAR, "up");
        run("ip", "route", "replace", "10.77.0.1/32", "dev", FAR, "table", "101");
        isPulled = false;
    }

    private static String run(final String... command) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), String.join(" ", command) + ": " + output);
        return output;
    }

    /** As it was before the test. */
    void restore() throws IOException, InterruptedException {
        if (isPulled) {
            plug();
        }
        repair();
    }
}

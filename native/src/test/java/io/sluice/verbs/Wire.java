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
    private static final String COMMAND = "lab-wire";
    private static final Pattern DROPPED = Pattern.compile("dropped (\\d+)");

    private boolean isPulled;

    /** Whether there is one. */
    static boolean isThere() {
        return "2".equals(System.getenv("SLUICE_LAB_DEVICES"));
    }

    /** Create the wire, and make it as good as it is. */
    Wire() throws IOException, InterruptedException {
        repair();
    }

    /** Make it as bad as tc-netem(8) describes: {@code "loss", "100%"}. */
    void worsen(final String... impairment) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>(List.of(COMMAND));
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
        run(COMMAND, "down");
    }

    /** Put it in again. */
    void plug() throws IOException, InterruptedException {
        run(COMMAND, "up");
        isPulled = false;
    }

    private static String run(final String... command) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), String.join(" ", command) + ": " + output);
        return output;
    }

    /** Make the wire what it was before the test. */
    void restore() throws IOException, InterruptedException {
        if (isPulled) {
            plug();
        }
        repair();
    }
}

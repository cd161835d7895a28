package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands as a user runs them, in JVMs of their own.
 */
class PingPongProcessTest {
    private static final int INTERRUPTED = 130;
    private static final String ENDLESS = "1000000000";
    /** Seconds; machines that run tests are busy. */
    private static final String PATIENT = "100";

    @TempDir
    private Path folder;
    private SluiceProcess first;
    private SluiceProcess second;

    @AfterEach
    void endProcesses() {
        for (SluiceProcess process : new SluiceProcess[]{first, second}) {
            if (process != null) {
                process.close();
            }
        }
    }

    @Test
    void shouldPrintTheRoundTripsBetweenTwoProcesses() throws Exception {
        first = start("ping-pong", "--messages", "2000", "--warmup", "1");
        assertEquals(0, first.exitCode(), () -> said(first));
        final String output = first.output();
        for (String expected : List.of("32 bytes", "Warming up: 1 rounds", "Measuring: 2,000 messages",
            "Round trip time in microseconds", "p50 ", "p90 ", "p99 ", "p99.9 ", "p99.99 ", "max ", "2,000 messages\n",
            "messages/s")) {
            assertTrue(output.contains(expected), () -> expected + " is missing in:\n" + output);
        }
        assertFalse(output.contains("Stopped"), output);
    }

    @Test
    @Tag("slow")
    void shouldKeepAScheduleAndWriteTheDistribution() throws Exception {
        final Path file = folder.resolve("histogram.hgrm");
        first = start("ping-pong", "--messages", "500", "--warmup", "0", "--rate", "5000",
            "--message-length", "1000", "--histogram", file.toString());
        assertEquals(0, first.exitCode(), () -> said(first));
        assertTrue(first.output().contains("5,000 per second"), first.output());
        assertTrue(first.output().contains("The sender "), first.output());
        assertTrue(Files.readString(file).contains("#[Mean"), file::toString);
    }

    @Test
    @Tag("slow")
    void shouldEndBothProcessesOnInterrupt() throws Exception {
        first = measuringForever();
        final ProcessHandle pong = first.child();
        first.interrupt();
        assertEquals(INTERRUPTED, first.exitCode(), () -> said(first));
        assertTrue(first.output().contains("Stopped after "), first.output());
        // It is waited for: no process is left behind when the command has ended.
        assertFalse(pong.isAlive());
        assertEquals(List.of(), first.errorLines());
    }

    @Test
    @Tag("slow")
    void shouldEndPongWhenItsParentIsKilled() throws Exception {
        first = measuringForever();
        final ProcessHandle pong = first.child();
        first.kill();
        SluiceProcess.awaitEnd(pong);
    }

    @Test
    void shouldFailWhenPongIsKilled() throws Exception {
        first = measuringForever();
        first.child().destroyForcibly();
        assertEquals(1, first.exitCode(), () -> said(first));
        final List<String> lines = first.errorLines();
        assertTrue(lines.getLast().startsWith("sluice ping-pong: pong is gone"), lines::toString);
        // the transport tells, too, if it has seen it before the program ends
        lines.subList(0, lines.size() - 1).forEach(line -> assertTrue(
            line.contains("ended without a goodbye") || line.contains("subscriber lost") || line.contains("image lost"),
            lines::toString));
        assertTrue(first.output().contains("Stopped after "), first.output());
    }

    @Test
    @Tag("slow")
    void shouldConnectToAPongThatWasStartedBefore() throws Exception {
        first = SluiceProcess.command(folder, "pong");
        first.awaitLine("Answering ");
        second = start("ping", "--messages", "1000", "--warmup", "0");
        assertEquals(0, second.exitCode(), () -> said(second));
        endPong(first);
    }

    @Test
    @Tag("slow")
    void shouldConnectToAPongThatIsStartedAfterwards() throws Exception {
        first = start("ping", "--messages", "1000", "--warmup", "0");
        first.awaitLine("Waiting for pong");
        second = SluiceProcess.command(folder, "pong");
        assertEquals(0, first.exitCode(), () -> said(first));
        endPong(second);
    }

    @Test
    @Tag("slow")
    void shouldServeOnePingAfterTheOther() throws Exception {
        first = SluiceProcess.command(folder, "pong");
        for (int i = 0; i < 2; i++) {
            second = start("ping", "--messages", "1000", "--warmup", "0");
            assertEquals(0, second.exitCode(), () -> said(second));
            first.awaitLine("ping connected: ");
            first.awaitLine("ping finished: ");
        }
    }

    @Test
    @Tag("slow")
    void shouldServeTheNextPingWhenOneWasKilled() throws Exception {
        first = SluiceProcess.command(folder, "pong");
        second = start("ping", "--messages", ENDLESS, "--warmup", "0", "--rate", "100000");
        second.awaitLine("Measuring");
        second.kill();
        second.exitCode();
        second = start("ping", "--messages", "1000", "--warmup", "0");
        assertEquals(0, second.exitCode(), () -> said(second));
    }

    @Test
    void shouldGiveUpWithoutAPong() throws Exception {
        first = SluiceProcess.command(folder, "ping", "--timeout", "1");
        assertEquals(1, first.exitCode(), () -> said(first));
        assertOneErrorLine(first, "sluice ping: no pong within 1 s: channel=sluice:ipc?endpoint=ping-pong");
    }

    private SluiceProcess start(final String command, final String... options) throws IOException {
        final List<String> arguments = new ArrayList<>(List.of(command, "--timeout", PATIENT));
        arguments.addAll(List.of(options));
        return SluiceProcess.command(folder, arguments.toArray(new String[0]));
    }

    private SluiceProcess measuringForever() throws IOException, InterruptedException {
        final SluiceProcess process = start("ping-pong", "--messages", ENDLESS, "--warmup", "0");
        process.awaitLine("Measuring");
        return process;
    }

    private static void endPong(final SluiceProcess pong) throws IOException, InterruptedException, ExecutionException {
        pong.awaitLine("ping connected: pid ");
        pong.awaitLine("ping finished: pid ");
        pong.interrupt();
        assertEquals(INTERRUPTED, pong.exitCode(), () -> said(pong));
        assertEquals(List.of(), pong.errorLines());
    }

    private static void assertOneErrorLine(final SluiceProcess process, final String beginning) throws IOException {
        final List<String> lines = process.errorLines();
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.getFirst().startsWith(beginning), lines::toString);
    }

    private static String said(final SluiceProcess process) {
        try {
            return process.output() + String.join("\n", process.errorLines());
        } catch (final IOException e) {
            return e.toString();
        }
    }
}

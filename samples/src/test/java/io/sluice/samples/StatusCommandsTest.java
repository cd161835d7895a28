package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.Transport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * The commands that look at transports from outside: bad arguments, no transports, garbage, and a living one in another
 * process.
 */
@Timeout(180)
class StatusCommandsTest {
    private static final String CHANNEL = "sluice:ipc?endpoint=looked-at|mode=invoker";

    @TempDir
    private Path folder;
    private SluiceProcess pong;
    private SluiceProcess ping;
    private String out = "";
    private String err = "";

    @AfterEach
    void endProcesses() {
        for (SluiceProcess process : new SluiceProcess[]{ping, pong}) {
            if (process != null) {
                process.close();
            }
        }
    }

    private int execute(final String... arguments) {
        final StringWriter outText = new StringWriter();
        final StringWriter errText = new StringWriter();
        final CommandLine command = SluiceCommand.commandLine();
        command.setOut(new PrintWriter(outText));
        command.setErr(new PrintWriter(errText));
        final int exitCode = command.execute(arguments);
        out = outText.toString();
        err = errText.toString();
        return exitCode;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "stat --dir /no/folder   | sluice stat: Invalid value for option '--dir': '/no/folder' is not a folder",
        "errors --dir /no/folder | sluice errors: Invalid value for option '--dir'",
        "backlog --dir           | Missing required parameter for option '--dir'",
        "stat --stream x         | '--stream': 'x'",
        "backlog --session 1.5   | '--session': '1.5'",
        "top --dir /no/folder    | sluice top: Invalid value for option '--dir': '/no/folder' is not a folder",
        "top --json              | Unknown option: '--json'",
        "errors --stream 1       | Unknown options: '--stream', '1'",
        "stat extra              | Unmatched argument at index 1: 'extra'"})
    void shouldTellAMistakeInOneLine(final String arguments, final String expected) {
        assertEquals(2, execute(arguments.trim().split(" ")));
        assertEquals(1, err.lines().count(), err);
        assertTrue(err.contains(expected), err);
        assertEquals("", out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stat --once", "errors", "backlog"})
    void shouldShowThatThereIsNothing(final String arguments) {
        assertEquals(0, execute((arguments + " --dir " + folder).split(" ")));
        assertEquals(1, out.lines().count(), out);
        assertTrue(out.contains(folder.toString()), out);
        assertEquals(0, execute((arguments + " --json --dir " + folder).split(" ")));
        assertTrue(out.startsWith("{\"directory\":\"" + folder + "\",\"epochMs\":"), out);
        assertTrue(out.endsWith(":[],\"unreadable\":[]}" + System.lineSeparator()), out);
    }

    @Test
    void shouldShowATableOfNobody() {
        assertEquals(0, execute("top", "--once", "--dir", folder.toString()));
        assertEquals(3, out.lines().count(), out);
        assertTrue(out.contains("0 transports in " + folder), out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stat --once", "top --once", "errors", "backlog"})
    void shouldNameWhatCannotBeRead(final String arguments) throws IOException {
        final Path garbage = folder.resolve("status/4711-0123456789abcdef");
        Files.createDirectories(garbage, PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------")));
        final byte[] bytes = new byte[5000];
        new Random(1).nextBytes(bytes);
        final Path counters = Files.createFile(garbage.resolve("counters"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(counters, bytes);
        assertEquals(0, execute((arguments + " --dir " + folder).split(" ")));
        assertTrue(out.contains("unreadable: " + garbage + ": not a counters file"), out);
        assertEquals("", err);
        try (RandomAccessFile opened = new RandomAccessFile(counters.toFile(), "rw")) {
            opened.setLength(1L << 40);
        }
        assertEquals(0, execute((arguments + " --dir " + folder).split(" ")));
        assertTrue(out.contains("unreadable: " + garbage + ": file is longer than its kind can be: path=" + counters),
            out);
        assertEquals("", err);
    }

    @Test
    void shouldShowATransportOfAnotherProcess() throws Exception {
        startPingAndPong();
        final String fabric = folder.resolve("fabric").toString();
        assertEquals(0, execute("stat", "--once", "--dir", fabric));
        for (String expected : List.of("2 transports in " + fabric, " (ping)", " (pong)", "agent sluice-conductor",
            "publication stream=1002 session=", "link stream=1002 session=", "state=active", "image stream=1003 ")) {
            assertTrue(out.contains(expected), () -> expected + " is missing in:\n" + out);
        }
        assertEquals(0, execute("stat", "--once", "--stream", "1003", "--channel", "looked", "--dir", fabric));
        assertTrue(out.contains("stream=1003"), out);
        assertFalse(out.contains("stream=1002"), out);
        assertFalse(out.contains("agent"), out);
        assertEquals(0, execute("stat", "--once", "--channel", "other", "--dir", fabric));
        assertFalse(out.contains("stream="), out);
        assertEquals(0, execute("stat", "--once", "--json", "--session", "1", "--dir", fabric));
        assertTrue(out.contains("\"name\":\"ping\",\"alive\":true,"), out);
        assertEquals(0, execute("backlog", "--stream", "1002", "--dir", fabric));
        assertTrue(out.matches("(?s)stream=1002 session=-?\\d+ channel=\\Q" + CHANNEL + "\\E\n"
            + "  publisher pid \\d+ \\(ping\\): at [\\d,]+, [\\d,]+ bytes to back-pressure\n"
            + "  subscriber .*\\(active\\): [\\d,]+ bytes behind\n1 publications in .*"), out);
        assertEquals(0, execute("backlog", "--json", "--dir", fabric));
        assertTrue(out.contains("\"stream\":1003,"), out);
        assertEquals(0, execute("errors", "--dir", fabric));
        assertTrue(out.contains("0 distinct errors of 2 transports"), out);
    }

    /** Three processes: one publishes, one has a consumer that stands still, and this one looks. */
    @Test
    @Tag("slow")
    void shouldNameTheSlowConsumerOfAnotherProcessAndWhatIsFull() throws Exception {
        pong = SluiceProcess.start(folder, SlowConsumer.class);
        pong.awaitLine("Subscribed");
        ping = SluiceProcess.command(folder, "publish", "--channel", SlowConsumer.CHANNEL + "|window=4k|linger=0ns",
            "--stream", "" + SlowConsumer.STREAM_ID);
        ping.awaitLine("Publishing");
        final String fabric = folder.resolve("fabric").toString();
        final Pattern slow = Pattern.compile("\"windowExhausted\":[1-9]\\d*,\"subscribers\":\\[\\{\"peer\":"
            + "\"pid \\d+\",\"state\":\"active\",\"distanceBytes\":4096,\"ring\":\\{\"capacity\":8,"
            + "\"occupancy\":8,\"maxOccupancy\":8,\"full\":1},\"consumers\":\\["
            + "\\{\"name\":\"quick\",\"state\":\"alive\",\"distanceEvents\":0,\"distanceBytes\":3584},"
            + "\\{\"name\":\"slow\",\"state\":\"alive\",\"distanceEvents\":8,\"distanceBytes\":4096}]}],"
            + "\"slowest\":\\{\"peer\":\"pid \\d+\",\"consumer\":\"slow\"}");
        do {
            assertEquals(0, execute("backlog", "--json", "--dir", fabric));
        } while (!slow.matcher(out).find());
        assertEquals(0, execute("stat", "--once", "--json", "--stream", "" + SlowConsumer.STREAM_ID, "--dir", fabric));
        for (String expected : List.of(
            "\"name\":\"consumer-distance\",[^}]*\"consumer\":\"slow\",\"value\":8}",
            "\"name\":\"consumer-distance\",[^}]*\"consumer\":\"quick\",\"value\":0}",
            "\"name\":\"ring-full\",[^}]*\"value\":1}",
            "\"name\":\"publication-window-exhausted\",[^}]*\"value\":[1-9]\\d*}")) {
            assertTrue(Pattern.compile(expected).matcher(out).find(), () -> expected + " is missing in:\n" + out);
        }
        assertEquals(0, execute("backlog", "--dir", fabric));
        assertTrue(out.contains("    consumer slow: 8 events, 4,096 bytes behind, the slowest\n"), out);
        assertEquals(0, execute("stat", "--once", "--channel", "slow", "--dir", fabric));
        assertTrue(out.contains("  consumer stream=77 consumer=slow channel=" + SlowConsumer.CHANNEL), out);
        final Pattern slowest = Pattern.compile("(?m)^  consumer .*consumer=(\\S+) .* \\(the slowest\\)$");
        assertEquals(List.of("slow"), slowest.matcher(out).results().map(line -> line.group(1)).toList(), out);
        assertTrue(out.contains("state=alive sequence=-1 distance=8 position=0 messages=0"), out);
        awaitLaggardOnTop(fabric);
        do {
            assertEquals(0, execute("stat", "--once", "--channel", "slow", "--dir", fabric));
        } while (!out.contains("pressure=blocked pressure-cause=window-exhausted ")
            || !out.contains("pressure=blocked pressure-cause=ring-full "));
    }

    private void awaitLaggardOnTop(final String fabric) {
        final Pattern first = Pattern.compile("B/s  PRESSURE .*\\R +100% +4096 +8 +0 +0  blocked window-exhausted  "
            + "pid \\d+ \\(publish\\)  pid \\d+ slow +77 " + Pattern.quote(SlowConsumer.CHANNEL));
        do {
            assertEquals(0, execute("top", "--once", "--dir", fabric));
        } while (!first.matcher(out).find());
    }

    private void startPingAndPong() throws Exception {
        pong = SluiceProcess.command(folder, "pong", "--channel", CHANNEL, "--no-pin");
        pong.awaitLine("Answering");
        ping = SluiceProcess.command(folder, "ping", "--channel", CHANNEL, "--no-pin", "--warmup", "0", "--timeout",
            "100", "--messages", "1000000000");
        ping.awaitLine("Measuring");
        boolean isActive;
        do {
            // The conductors bring the counters up to date ten times a second.
            execute("stat", "--once", "--dir", folder.resolve("fabric").toString());
            isActive = out.split("state=active", -1).length == 5;
        } while (!isActive);
    }

    @Test
    void shouldShowWhatAProgramCountsUnderItsLabel() {
        final Path fabric = folder.resolve("fabric");
        try (Transport transport = Transport.launch(new Context().directory(fabric))) {
            transport.addCounter(1001, "orders: sent").set(1234);
            transport.addCounter(1002, "level");
            do {
                assertEquals(0, execute("stat", "--once", "--dir", fabric.toString()));
            } while (!out.contains("  application orders: sent=1,234 level=0\n"));
            assertEquals(0, execute("stat", "--once", "--json", "--dir", fabric.toString()));
            assertTrue(out.contains("{\"name\":\"orders: sent\",\"scope\":\"application\",\"typeId\":1001,\"group\":1,"
                + "\"key\":\"\",\"value\":1234}"), out);
        }
    }

    @Test
    void shouldTellCountersOfOneLabelApart() {
        final Path fabric = folder.resolve("fabric");
        final UnsafeBuffer label = new UnsafeBuffer("sent".getBytes(StandardCharsets.UTF_8));
        final UnsafeBuffer key = new UnsafeBuffer(new byte[] {0x0a, 0, (byte) 0xff, 0});
        try (Transport transport = Transport.launch(new Context().directory(fabric))) {
            transport.addCounter(1001, "sent").set(1);
            transport.addCounter(1002, "sent").set(2);
            transport.addCounter(1002, key, 0, key.capacity(), label, 0, label.capacity()).set(3);
            transport.addCounter(1003, "application-level").set(4);
            do {
                assertEquals(0, execute("stat", "--once", "--dir", fabric.toString()));
            } while (!out.replaceAll("\\s+", " ").contains(
                " application sent[1001]=1 sent[1002]=2 sent[1002 key=0a00ff]=3 application-level=4 "));
            assertEquals(0, execute("stat", "--once", "--json", "--dir", fabric.toString()));
            assertTrue(out.contains("\"typeId\":1002,\"group\":3,\"key\":\"0a00ff\",\"value\":3}"), out);
        }
    }

    @Test
    void shouldShowTheLivingViewUntilInterrupted() throws Exception {
        Files.createDirectory(folder.resolve("fabric"), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------")));
        ping = SluiceProcess.command(folder, "stat");
        for (int i = 0; i < 3; i++) {
            ping.awaitLine("");
        }
        ping.interrupt();
        assertEquals(130, ping.exitCode());
        assertTrue(ping.output().contains("0 transports in "), ping::output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stat", "top"})
    void shouldStayOnALowTerminal(final String command) throws Exception {
        final Path fabric = folder.resolve("fabric");
        try (Transport transport = Transport.launch(new Context().directory(fabric))) {
            for (int i = 0; i < 12; i++) {
                transport.addExclusivePublication("sluice:ipc?endpoint=e" + i, 1);
            }
            ping = SluiceProcess.commandOnTerminal(folder, 8, 50, command);
            final Pattern screen = Pattern.compile("\u001b\\[H\u001b\\[K([^\u001b]*\\R\u001b\\[K){2,6}"
                + "[1-9]\\d* more lines: --stream, --channel or a higher[^\u001b]*\\R\u001b\\[K\u001b\\[J");
            do {
                ping.awaitLine("");
            } while (!screen.matcher(ping.output()).find());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stat", "top", "stat --json", "errors", "backlog", "--version", "stat --help",
        "ping-pong --messages 1000 --warmup 0 --no-pin"})
    void shouldFailWhenTheOutputIsLost(final String arguments) throws Exception {
        Files.createDirectory(folder.resolve("fabric"), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------")));
        ping = SluiceProcess.commandInto(folder, Path.of("/dev/full"), arguments.split(" "));
        assertEquals(1, ping.exitCode());
        assertEquals(1, ping.errorLines().size(), () -> String.join("\n", errorsOf(ping)));
        assertTrue(ping.errorLines().getFirst().contains("cannot write to the standard output"));
    }

    private static List<String> errorsOf(final SluiceProcess process) {
        try {
            return process.errorLines();
        } catch (final IOException e) {
            return List.of(e.toString());
        }
    }
}

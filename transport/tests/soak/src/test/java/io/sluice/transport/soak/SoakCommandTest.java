package io.sluice.transport.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

/** The arguments of the command, and what it makes of them; {@link SoakTest} runs it. */
class SoakCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(final String arguments) {
        return SoakCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(arguments.trim().split(" +"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', value = {
        "--minutes 0 ! '--minutes': '0.0' is not above 0",
        "--minutes NaN ! '--minutes': 'NaN'",
        "--minutes x ! '--minutes'",
        "--seed x ! '--seed'",
        "--publishers 0 ! '--publishers': '0' is not from 1 to 16",
        "--subscribers 17 ! '--subscribers': '17'",
        "--channel aeron:ipc ! '--channel': 'aeron:ipc' is not a channel of sluice:ipc",
        "--channel sluice:rdma?endpoint=10.0.0.1:1 ! '--channel': 'sluice:rdma?endpoint=10.0.0.1:1' must be",
        "--shedule ! Unknown option: '--shedule'; --help tells what there is"})
    void shouldTellAMistakeInOneLine(final String arguments, final String expected) {
        assertEquals(2, execute(arguments));
        assertTrue(err.toString().startsWith("sluice soak: "), err::toString);
        assertTrue(err.toString().contains(expected), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertEquals("", out.toString());
    }

    /** The launcher prints that text without a build. */
    @Test
    void shouldTellTheHelpThatTheLauncherPrints() throws IOException {
        final String told = SoakCommand.commandLine().getUsageMessage(Ansi.OFF);
        Files.writeString(Files.createDirectories(Path.of("target/help")).resolve("soak.txt"), told);
        assertEquals(told, Files.readString(Path.of("../../../.config/help/soak.txt")),
            "the text for the launcher; target/help of this module has the one that is due");
    }

    @Test
    void shouldSayHow() {
        assertEquals(0, execute("--help"));
        assertTrue(out.toString().startsWith("Usage: sluice soak "), out::toString);
    }

    @Test
    void shouldPrintTheSameScheduleForTheSameSeed() {
        assertEquals(0, execute("--schedule --minutes 10 --seed 7"));
        final String first = out.toString();
        out.getBuffer().setLength(0);
        assertEquals(0, execute("--schedule --minutes 10 --seed 7"));
        assertEquals(first, out.toString());
        out.getBuffer().setLength(0);
        assertEquals(0, execute("--schedule --minutes 10 --seed 8"));
        assertNotEquals(first.replace("seed 7", ""), out.toString().replace("seed 8", ""));
        for (final FaultKind kind : FaultKind.values()) {
            assertTrue(first.contains(" s  " + kind.label() + " "), kind::label);
        }
    }
}

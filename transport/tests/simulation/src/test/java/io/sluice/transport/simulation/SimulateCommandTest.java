package io.sluice.transport.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** Answers of the command to its arguments; {@link SimulationTest} runs the simulation. */
class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** The launcher prints that text without a build. */
    @Test
    void shouldTellTheHelpThatTheLauncherPrints() throws IOException {
        final String told = SimulateCommand.commandLine().getUsageMessage(Ansi.OFF);
        Files.writeString(Files.createDirectories(Path.of("target/help")).resolve("simulate.txt"), told);
        assertEquals(told, Files.readString(Path.of("../../../.config/help/simulate.txt")),
            "the text for the launcher; target/help of this module has the one that is due");
    }

    @Test
    void shouldSayHow() {
        assertEquals(0, execute("--help"));
        assertTrue(out.toString().startsWith("Usage: simulate "), out::toString);
    }

    @Test
    void shouldTellAMistakeInOneLine() {
        assertEquals(2, execute("--seeds", "9..1"));
        assertTrue(err.toString().startsWith("sluice simulate: "), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
    }

    private int execute(final String... arguments) {
        return SimulateCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(arguments);
    }
}

package io.sluice.transport.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Answers of the command to its arguments; {@link SimulationTest} runs the simulation. */
class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

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

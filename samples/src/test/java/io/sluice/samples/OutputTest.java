package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class OutputTest {
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String END = System.lineSeparator();

    /** To clear behind a line that is as wide as the terminal would clear its last character. */
    @Test
    void shouldClearEachLineBeforeItsText() {
        final StringWriter written = new StringWriter();

        new Output(new PrintWriter(written), true).replace("first" + END + "second" + END);

        assertEquals("\u001b[H" + CLEAR_LINE + "first" + END + CLEAR_LINE + "second" + END + CLEAR_LINE + "\u001b[J",
            written.toString());
    }

    @Test
    void shouldEndTheRunWhenNobodyReads() {
        final PrintStream closed = new PrintStream(new OutputStream() {
            @Override
            public void write(final int one) throws IOException {
                throw new IOException("Broken pipe");
            }
        });
        closed.println("a line");

        final RunFailure failure = assertThrows(RunFailure.class, () -> Output.requireArrived(closed));
        assertTrue(failure.getMessage().contains("closed pipe"), failure.getMessage());
    }
}

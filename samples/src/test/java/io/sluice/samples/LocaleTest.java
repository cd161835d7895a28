package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands in JVMs whose default locale has digits and separators of its own. */
@Timeout(300)
class LocaleTest {
    /** ar-EG-u-nu-arab, whose digits are others, and what the rest of it prints must be readable wherever it is. */
    private static final List<String> ARABIC = List.of("-Duser.language=ar", "-Duser.region=EG",
        "-Duser.extensions=nu-arab", "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8");

    @TempDir
    private Path folder;
    private SluiceProcess measuring;

    @AfterEach
    void endProcess() {
        if (measuring != null) {
            measuring.close();
        }
    }

    @Test
    @Tag("slow")
    void shouldPrintTheSameDigitsInEveryLocale() throws Exception {
        assertDigits(0, "2,000 messages", "ping-pong", "--messages", "2000", "--warmup", "1", "--no-pin",
            "--timeout", "100", "--histogram", folder.resolve("times.hgrm").toString());
        assertAscii(Files.readString(folder.resolve("times.hgrm")));
        measuring = SluiceProcess.commandWith(ARABIC, folder, "ping-pong", "--messages", "1000000000", "--warmup",
            "0", "--no-pin", "--timeout", "100");
        measuring.awaitLine("Measuring: 1,000,000,000 messages");
        final String fabric = folder.resolve("fabric").toString();

        assertDigits(0, "2 transports in " + fabric, "stat", "--once", "--dir", fabric);
        assertDigits(0, "bytes to back-pressure", "backlog", "--dir", fabric);
        assertDigits(0, "0 distinct errors of 2 transports", "errors", "--dir", fabric);
    }

    @Test
    void shouldDescribeTheMachineWithTheSameDigitsInEveryLocale() throws Exception {
        assertDigits(0, "software (software)", "devices");
        try (SluiceProcess doctor = SluiceProcess.commandWith(ARABIC, folder, "doctor")) {
            doctor.exitCode();
            assertTrue(doctor.output().matches("(?s).*\\R\\d+ ok, \\d+ warn, \\d+ fail\\R"), doctor::output);
            assertAscii(doctor.output());
        }
    }

    @Test
    void shouldTellMistakesWithTheSameDigitsInEveryLocale() throws Exception {
        assertDigits(2, "'--messages'", "ping-pong", "--messages", "99999999999999999999");
        assertDigits(2, "Unmatched argument at index 1", "stat", "12");
        assertDigits(2, "'--message-length'", "ping-pong", "--message-length", "1");
    }

    private void assertDigits(final int exitCode, final String expected, final String... arguments)
        throws Exception {
        try (SluiceProcess process = SluiceProcess.commandWith(ARABIC, folder, arguments)) {
            final int result = process.exitCode();
            final String text = process.output() + String.join("\n", process.errorLines());
            assertEquals(exitCode, result, text);
            assertTrue(text.contains(expected), text);
            assertAscii(text);
        }
    }

    private static void assertAscii(final String text) {
        assertEquals("", text.chars().filter(c -> Character.isDigit(c) && (c < '0' || c > '9'))
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString(), text);
    }
}

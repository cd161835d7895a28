package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.selftest.SelfTest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

class SelftestCommandTest {
    @TempDir
    private Path folder;

    @Test
    void shouldCheckADeviceAndWriteAReportToSendBack() throws Exception {
        final Path report = folder.resolve("report.txt");
        final StringWriter printed = new StringWriter();
        final CommandLine command = SluiceCommand.commandLine().setOut(new PrintWriter(printed));

        final int result = command.execute("selftest", "--device", "software", "--report", report.toString());

        final List<String> lines = Files.readAllLines(report);
        assertEquals(ExitCode.OK, result, () -> String.join("\n", lines));
        assertEquals(8, lines.stream().filter(line -> line.startsWith("  ok ")).count(), lines::toString);
        assertTrue(lines.getFirst().startsWith("device=software "), lines::getFirst);
        assertTrue(printed.toString().contains("0 of 8 checks failed; the report is in " + report), printed::toString);
    }

    @Test
    void shouldTellInTheReportWhyADeviceCannotBeUsed() {
        final List<String> lines = new ArrayList<>();
        final SelfTest test = new SelfTest(lines::add);
        assertEquals(0, test.run(SystemEnvironment.instance(), "no_such_device"));
        assertEquals(0, test.checks());
        assertEquals(4, lines.stream().filter(line -> line.startsWith("  refused: ")).count(), lines::toString);
    }
}

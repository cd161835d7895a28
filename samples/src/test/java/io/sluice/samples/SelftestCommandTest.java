package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.machine.ModelSurvey;
import io.sluice.samples.machine.RdmaSurvey;
import io.sluice.samples.selftest.Report;
import io.sluice.samples.selftest.SelfTest;
import io.sluice.verbs.model.Model;
import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.model.Trait;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

class SelftestCommandTest {
    private static final int CHECKS = 8;
    private static final int DATAGRAM_CHECKS = 5;
    private static final int INTERFACES = 4;
    /** So many times less often, since models differ in what they do, and not in how long it goes on. */
    private static final int SHORT = 50;

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
        assertEquals(CHECKS, lines.stream().filter(line -> line.startsWith("  ok ")).count(), lines::toString);
        assertTrue(lines.getFirst().startsWith("device=software "), lines::getFirst);
        assertEquals("0 of 8 checks failed", lines.getLast());
        assertEquals(String.join("\n", lines) + "\nthe report is in " + report + "\n", printed.toString());
    }

    @Test
    void shouldSayInTheReportThatItIsShort() throws Exception {
        final Path report = folder.resolve("report.txt");
        final CommandLine command = SluiceCommand.commandLine().setOut(new PrintWriter(new StringWriter()));

        final int result =
            command.execute("selftest", "--device", "software", "--short", "--report", report.toString());

        final List<String> lines = Files.readAllLines(report);
        assertEquals(ExitCode.OK, result, () -> String.join("\n", lines));
        assertTrue(lines.getFirst().endsWith(" short"), lines::getFirst);
        assertTrue(lines.stream().anyMatch(line -> line.endsWith(" 2000 messages of 256 bytes, in order and whole")),
            lines::toString);
    }

    private static Stream<String> models() {
        return ModelSurvey.names().stream();
    }

    private static void requireLibraries() {
        assumeFalse(RdmaSurvey.take(SystemEnvironment.instance(), "auto").libraryVersion().isEmpty(),
            "no libibverbs by which a model is described");
    }

    @ParameterizedTest
    @MethodSource("models")
    void shouldFindEachModelWell(final String name) {
        requireLibraries();
        final List<String> lines = new ArrayList<>();
        final SelfTest test = new SelfTest(Report.to(lines::add), SHORT);

        assertEquals(0, test.runModel(SystemEnvironment.instance(), name), () -> String.join("\n", lines));

        final long used = INTERFACES - lines.stream().filter(line -> line.startsWith("  refused: ")).count();
        final boolean isConnected = !name.equals("efa");
        final boolean hasDatagrams = !List.of("mana", "qedr").contains(name);
        final int each = (hasDatagrams ? DATAGRAM_CHECKS : 0) + (isConnected ? CHECKS : 0);
        assertEquals(each * used, test.checks(), lines::toString);
        assertEquals(each * used, lines.stream().filter(line -> line.startsWith("  ok ")).count(), lines::toString);
        assertEquals(isConnected ? 0 : used, lines.stream().filter(
            line -> line.equals("  no reliable connected queue pairs")).count(), lines::toString);
        assertEquals(hasDatagrams ? 0 : used, lines.stream().filter(
            line -> line.equals("  no datagrams")).count(), lines::toString);
        assertTrue(used > 0, lines::toString);
    }

    /** Unlike mana, which the provider knows by the length that it grants; by the builder the model copies. */
    @Test
    void shouldFindACardThatIgnoresInlineBytes() {
        requireLibraries();
        final List<String> lines = new ArrayList<>();
        final SelfTest test = new SelfTest(Report.to(lines::add), SHORT);

        // connected queue pairs, and datagrams
        assertEquals(2, test.run(new Model(
            ModelCard.BNXT.with(Trait.IGNORES_INLINE, "a/fault.c"), SystemEnvironment.instance())), lines::toString);

        assertEquals(2, lines.stream().filter(line -> line.matches(
            "  FAILED  (datagram )?inline +other bytes have arrived than were posted: message=1 .*")).count(),
            lines::toString);
    }

    @Test
    void shouldSayInTheReportThatAModelIsNoDevice() throws Exception {
        requireLibraries();
        final Path report = folder.resolve("report.txt");
        final StringWriter printed = new StringWriter();
        final CommandLine command = SluiceCommand.commandLine().setOut(new PrintWriter(printed));

        final int result = command.execute("selftest", "--model", "qedr", "--report", report.toString());

        final List<String> lines = Files.readAllLines(report);
        assertEquals(ExitCode.OK, result, () -> String.join("\n", lines));
        assertTrue(lines.getFirst().startsWith("This report is of a model, and of no device: "), lines::getFirst);
        assertTrue(lines.get(1).startsWith("model=qedr "), () -> lines.get(1));
        assertTrue(printed.toString().startsWith(lines.getFirst()), printed::toString);
        assertFalse(String.join("\n", lines).matches("(?s).*(\\d+\\.\\d+\\.\\d+\\.\\d+|::|fe80:).*"),
            lines::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--model               | is none of mlx5, mlx4, irdma, bnxt, mana, efa, hns, erdma, ionic, qedr, rxe",
        "--model=x             | 'x' is none of mlx5, mlx4, irdma, bnxt, mana, efa, hns, erdma, ionic, qedr, rxe",
        "--model=x --device=y  | are mutually exclusive"})
    void shouldListTheModelsWhereNoneIsNamed(final String arguments, final String told) {
        final StringWriter errors = new StringWriter();
        final List<String> all = new ArrayList<>(List.of("selftest"));
        all.addAll(List.of(arguments.split(" +")));

        final int result =
            SluiceCommand.commandLine().setErr(new PrintWriter(errors)).execute(all.toArray(String[]::new));

        assertEquals(ExitCode.USAGE, result, errors::toString);
        assertTrue(errors.toString().contains(told), errors::toString);
    }

    @Test
    void shouldTellInTheReportWhyADeviceCannotBeUsed() {
        final List<String> lines = new ArrayList<>();
        final SelfTest test = new SelfTest(Report.to(lines::add));
        assertEquals(0, test.run(SystemEnvironment.instance(), "no_such_device"));
        assertEquals(0, test.checks());
        assertEquals(
            INTERFACES, lines.stream().filter(line -> line.startsWith("  refused: ")).count(), lines::toString);
    }
}

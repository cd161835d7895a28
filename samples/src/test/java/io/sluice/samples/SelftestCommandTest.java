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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

class SelftestCommandTest {
    private static final int CHECKS = 13;
    private static final int DATAGRAM_CHECKS = 6;
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
        assertTrue(lines.getFirst().startsWith("Self-test of software by sluice "), lines::getFirst);
        assertEquals("0 of " + CHECKS + " checks failed", lines.getLast());
        assertEquals(String.join("\n", lines) + "\nthe report is in " + report + "\n",
            printed.toString().replaceAll("  trying .*\n", ""));
    }

    @Test
    void shouldSayInTheReportThatItIsShortAndOfWhichCommit() throws Exception {
        final Path report = folder.resolve("report.txt");
        System.setProperty("selftest.commit", "1234abcd-dirty");
        final CommandLine command = SluiceCommand.commandLine().setOut(new PrintWriter(new StringWriter()));

        final int result =
            command.execute("selftest", "--device", "software", "--short", "--report", report.toString());

        System.clearProperty("selftest.commit");
        final List<String> lines = Files.readAllLines(report);
        assertEquals(ExitCode.OK, result, () -> String.join("\n", lines));
        assertTrue(lines.getFirst().endsWith(" of commit 1234abcd-dirty, short"), lines::getFirst);
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

        final long used = INTERFACES - count(lines, "  refused: .*");
        final ModelCard card =
            ModelCard.all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
        final boolean isConnected = !card.has(Trait.LACKS_CONNECTIONS);
        final boolean hasDatagrams = !card.has(Trait.LACKS_DATAGRAMS);
        final int each = (hasDatagrams ? DATAGRAM_CHECKS : 1) + (isConnected ? CHECKS : 1);
        assertEquals(each * used, count(lines, "  (ok|not there) .*"), lines::toString);
        assertEquals(test.checks(), count(lines, "  ok .*"), lines::toString);
        assertEquals(isConnected ? 0 : used, count(lines, "  not there connected .*"), lines::toString);
        assertEquals(hasDatagrams ? 0 : used, count(lines, "  not there datagrams .*"), lines::toString);
        assertEquals(isConnected && card.has(Trait.ATOMICS) ? used : 0, count(lines, "  ok +atomics .*"),
            lines::toString);
        assertEquals(isConnected && card.has(Trait.SHARED_RECEIVES) ? used : 0,
            count(lines, "  ok +shared receives .*"), lines::toString);
        assertEquals(isConnected ? used : 0, count(lines, "  ok +(events|queues|read) .*") / 3, lines::toString);
        assertTrue(used > 0, lines::toString);
    }

    private static long count(final List<String> lines, final String pattern) {
        return lines.stream().filter(line -> line.matches(pattern)).count();
    }

    /** A card unlike mana, which the provider knows by the length that it grants; by the builder the model copies. */
    @Test
    void shouldFindACardThatIgnoresInlineBytes() {
        requireLibraries();
        final List<String> lines = new ArrayList<>();
        final SelfTest test = new SelfTest(Report.to(lines::add), SHORT);

        // connected queue pairs, and datagrams
        assertEquals(2, test.run(new Model(
            ModelCard.BNXT.with(Trait.IGNORES_INLINE, "a/fault.c"), SystemEnvironment.instance())), lines::toString);

        assertEquals(2, lines.stream().filter(line -> line.matches(
            "  FAILED    (datagram )?inline +other bytes have arrived than were posted: message=1 .*")).count(),
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
        assertTrue(lines.getFirst().startsWith("Self-test of model-qedr by sluice "), lines::getFirst);
        assertTrue(lines.get(1).startsWith("This report is of a model, and of no device: "), () -> lines.get(1));
        assertTrue(printed.toString().startsWith(lines.getFirst()), printed::toString);
        assertFalse(String.join("\n", lines).matches("(?s).*(\\d+\\.\\d+\\.\\d+\\.\\d+|::|fe80:).*"),
            lines::toString);
        for (final String name : List.of(System.getProperty("user.home"), System.getProperty("user.dir"),
            folder.toString(), Files.readString(Path.of("/proc/sys/kernel/hostname")).strip())) {
            assertTrue(name.equals("localhost")
                || !Pattern.compile("(?<![\\w-])" + Pattern.quote(name) + "(?![\\w-])")
                    .matcher(String.join("\n", lines)).find(), name);
        }
        assertEquals(0, count(lines, "  trying .*"), lines::toString);
        assertEquals(1, count(lines, "kernel=.*, java=.*"), lines::toString);
        assertEquals(1, count(lines, "settings: .*sluice\\.verbs\\.critical=false.*"), lines::toString);
        // as with java -jar: no launcher has given it
        assertEquals(1, count(lines, "this JVM has no -XX:\\+AbortVMOnSafepointTimeout, .*"), lines::toString);
        assertEquals(1, count(lines, "port 1: active, Ethernet, MTU 4096 of 4096, no LID, GRH not required, GIDs: .*"),
            lines::toString);
        assertEquals(1, count(lines, "AUTO takes completions=legacy: .*"), lines::toString);
        assertEquals(1, count(lines, "posting: (plain|critical) calls: .*"), lines::toString);
        assertTrue(lines.size() < 150, () -> "lines=" + lines.size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--model=x             | 'x' is none of mlx5, mlx5_vf, mlx4, irdma, bnxt, mana, efa, hns, erdma, ionic, qedr, "
            + "rxe",
        "--model=x --device=y  | are mutually exclusive"})
    void shouldRefuseAModelThatThereIsNot(final String arguments, final String told) {
        final StringWriter errors = new StringWriter();
        final List<String> all = new ArrayList<>(List.of("selftest"));
        all.addAll(List.of(arguments.split(" +")));

        final int result =
            SluiceCommand.commandLine().setErr(new PrintWriter(errors)).execute(all.toArray(String[]::new));

        assertEquals(ExitCode.USAGE, result, errors::toString);
        assertTrue(errors.toString().contains(told), errors::toString);
    }

    @Test
    void shouldListTheModelsWhereNoneIsNamed() {
        final StringWriter out = new StringWriter();

        final int result = SluiceCommand.commandLine().setOut(new PrintWriter(out)).execute("selftest", "--model");

        assertEquals(ExitCode.OK, result);
        assertEquals("models: mlx5, mlx5_vf, mlx4, irdma, bnxt, mana, efa, hns, erdma, ionic, qedr, rxe\n",
            out.toString());
    }

    @Test
    void shouldEndWithoutHavingCheckedADeviceThatIsNotThere() throws Exception {
        final Path report = folder.resolve("report.txt");
        final CommandLine command = SluiceCommand.commandLine().setOut(new PrintWriter(new StringWriter()));

        final int result = command.execute("selftest", "--device", "no_such_device", "--report", report.toString());

        final List<String> lines = Files.readAllLines(report);
        assertEquals(ExitCode.SOFTWARE, result, lines::toString);
        assertEquals("nothing could be checked", lines.getLast());
        assertEquals(1, count(lines, "refused: .*"), lines::toString);
    }

    @Test
    void shouldTellInTheReportWhyADeviceCannotBeUsed() {
        final List<String> lines = new ArrayList<>();
        final SelfTest test = new SelfTest(Report.to(lines::add));
        assertEquals(0, test.run(SystemEnvironment.instance(), "no_such_device", port -> ""));
        assertEquals(0, test.checks());
        assertEquals(1, count(lines, "refused: .*"), lines::toString);
    }
}

package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.machine.ModelSurvey;
import io.sluice.samples.machine.RdmaSurvey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** The output of {@code devices --model} for each model card. */
class ModelCommandTest {
    private static final Path CARDS = Path.of("../native/README.md");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(final String... arguments) {
        final CommandLine command = SluiceCommand.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(arguments);
    }

    private static Stream<String> names() {
        return ModelSurvey.names().stream();
    }

    @BeforeEach
    void requireLibraries() {
        assumeFalse(RdmaSurvey.take(SystemEnvironment.instance(), "auto").libraryVersion().isEmpty(),
            "no libibverbs by which a model is described");
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldShowAModelAsADeviceIsShown(final String name) {
        assertEquals(ExitCode.OK, execute("devices", "--model", name), err::toString);

        final String text = out.toString();
        assertTrue(text.startsWith("A model of rdma-core's provider " + name + " as it was read, and no device"), text);
        assertTrue(text.matches("(?s).*\\Rmodel_" + name + " \\(rdma\\): (vendor 0x[0-9a-f]{4} |soft-RoCE ).*"), text);
        for (final String row : List.of("port 1", "completion queues", "posting", "limits", "as was read")) {
            assertTrue(text.contains("\n  " + row + " "), row + ": " + text);
        }
        // mana has none of what not all have
        assertEquals(!name.equals("mana"), text.contains("\n  abilities "), text);
    }

    /** The table for people is checked by the cards, which the provider has judged; a virtual function has no row. */
    @ParameterizedTest
    @MethodSource("names")
    void shouldGetTheInterfaceThatTheTableOfCardsTells(final String name) throws IOException {
        final String provider = name.replace("_vf", "");
        final List<String> row = DocsTest.rows(CARDS, "provider").stream().filter(cells ->
            cells.getFirst().replace("_re", "").split(" ")[0].equals(provider)).findFirst().orElseThrow();

        final ModelSurvey survey = ModelSurvey.take(SystemEnvironment.instance(), name, "auto");

        // soft-RoCE's depends on the version of the libraries, of which a model has none
        final String told = name.equals("rxe") ? "legacy" : row.get(1).split("\\W")[0];
        assertEquals(told, survey.device().completionInterface());
        assertEquals(row.get(3).startsWith("yes"), !survey.refused().contains("resizing of completion queues"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "irdma | completions=EXTENDED: ibv_create_cq_ex: the device's extended completion queues hold a lock",
        "bnxt  | completions=EXTENDED: ibv_create_cq_ex: the device has no extended completion queues",
        "mana  | inline bytes",
        "efa   | reliable connected queue pairs, and so streams",
        "ionic | posting=BUILDER: ibv_create_qp_ex: device model_ionic holds a lock while a request is built",
        "efa   | posting=BUILDER: ibv_create_qp_ex: device model_efa holds a lock while a request is built"})
    void shouldTellWhatIsRefused(final String name, final String refused) {
        execute("devices", "--model", name);
        assertTrue(out.toString().contains("\n  refused            " + refused), out::toString);
    }

    @Test
    void shouldShowWhatAModelGetsWhereAnInterfaceIsAskedFor() {
        execute("devices", "--model", "mlx5", "--cq", "legacy");
        assertTrue(out.toString().contains("\n  completion queues  legacy: asked for\n"), out::toString);
    }

    @Test
    void shouldWriteAModelAsJson() {
        execute("devices", "--model=erdma", "--json");
        final String json = out.toString();
        assertTrue(json.startsWith("{\"model\":\"erdma\",\"devices\":[{\"name\":\"model_erdma\","), json);
        assertTrue(json.contains("\"completionInterface\":\"legacy\""), json);
        assertTrue(json.contains("\"refused\":[\"completions=EXTENDED: "), json);
        assertTrue(json.endsWith("}}\n") && json.contains("\"ATOMICS\":\"erdma/erdma_verbs.c:632\""), json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--model", "--model="})
    void shouldListTheModelsWhereNoneIsNamed(final String option) {
        assertEquals(ExitCode.OK, execute("devices", option));
        assertEquals("models: mlx5, mlx5_vf, mlx4, irdma, bnxt, mana, efa, hns, erdma, ionic, qedr, rxe\n",
            out.toString());
        assertEquals("", err.toString());
    }

    @Test
    void shouldListTheModelsWhereAnotherIsNamed() {
        assertEquals(ExitCode.USAGE, execute("devices", "--model=mlx6"));
        assertTrue(err.toString().contains(
            "is none of mlx5, mlx5_vf, mlx4, irdma, bnxt, mana, efa, hns, erdma, ionic, qedr, rxe\n"), err::toString);
        assertEquals("", out.toString());
    }

    /** A critical call that calls Java ends the process; nobody who starts it need know. */
    @Test
    void shouldStartWithCallsThatMayCallJava(@TempDir final Path folder) throws Exception {
        try (SluiceProcess process = SluiceProcess.command(folder, "devices", "--model", "mlx5")) {
            assertEquals(ExitCode.OK, process.exitCode(), () -> process.output());
            assertTrue(process.output().contains("model_mlx5 (rdma)"), process::output);
        }
    }
}

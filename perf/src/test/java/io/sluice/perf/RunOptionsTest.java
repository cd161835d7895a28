package io.sluice.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.perf.BenchCommand.Part;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.Measure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** Wrong arguments are told in a sentence before anything is measured. */
class RunOptionsTest {
    @TempDir
    private Path folder;

    @Test
    void shouldRefuseAProcessorThatThereIsNot() {
        assertRefused("two different processors that this process may use are needed: --cpus=[0, 99999] allowed=[",
            "quick", "--cpus", "0,99999");
    }

    @ParameterizedTest
    @CsvSource({"drain, 99999", "drain, -1", "downcalls, 99999", "downcalls, -1"})
    void shouldRefuseAProcessorForTheMeasuredThreadThatThereIsNot(final String command, final String cpu) {
        assertRefused("a processor that this process may use is needed: --cpu=" + cpu + " allowed=[",
            command, "--cpu=" + cpu);
    }

    @Test
    void shouldRefuseAFileForAFolder() throws Exception {
        final Path file = Files.createFile(folder.resolve("file"));

        assertRefused("cannot write to a folder: --out=" + file + " java.nio.file.FileAlreadyExistsException",
            "quick", "--peers", "cache-line", "--measures", "rtt", "--rounds", "1", "--out", file.toString());
    }

    @Test
    void shouldRefuseAPeerThatHasNoMeasure() {
        assertRefused("nothing to measure: --peers=sluice:ring --measures=rtt,throughput,load "
            + "known=sluice:ipc,sluice:ipc-64m,sluice:ipc-queue,sluice:ipc-unmoderated,"
            + "sluice:ipc-dedicated,sluice:ipc-latency,sluice:ipc-dedicated-latency,"
            + "aeron:ipc,aeron:ipc-ring,aeron:udp,tcp,cache-line",
            "quick", "--peers", "sluice:ring");
        assertRefused("nothing to measure: --peers=aeron:ipc --measures=hand-off "
            + "known=sluice:ipc,sluice:ipc-64m,sluice:ipc-queue,sluice:ipc-unmoderated,"
            + "sluice:ring,sluice:ring-poll,disruptor",
            "ring", "quick", "--rounds", "1", "--measures", "hand-off", "--peers", "disruptor,aeron:ipc");
    }

    /** The one command leaves no measure out. */
    @Test
    void shouldMeasureEverythingWhenNothingIsNamed() {
        final List<Part> parts = parts("quick");

        assertEquals(EnumSet.allOf(Measure.class), parts.stream().flatMap(part -> part.measures().stream())
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Measure.class))));
        assertEquals(List.of("", "ring"), parts.stream().map(Part::folder).toList());
        for (final Part part : parts) {
            for (final Measure measure : part.measures()) {
                assertTrue(part.peers().stream().filter(measure::suits).count() > 1, measure.label());
            }
        }
    }

    @Test
    void shouldMeasureNothingElseThanWhatIsNamed() {
        assertEquals(List.of(Measure.ROUND_TRIP), parts("--measures", "rtt").getFirst().measures());
        assertEquals(1, parts("--measures", "rtt").size());
        assertEquals(List.of(PeerKind.TCP), parts("--peers", "tcp").getFirst().peers());
        assertEquals(1, parts("--peers", "tcp").size());
    }

    @Test
    void shouldRefuseACardThatNobodyKnows() {
        assertRefused("unknown card: --cards=cx known=mlx5,mlx5_vf,", "downcalls", "--cards", "mlx5,cx");
    }

    @Test
    void shouldHelpWithEveryCommand() {
        for (final String command : List.of("", "ring ", "drain ", "downcalls ")) {
            final StringWriter out = new StringWriter();
            assertEquals(ExitCode.OK, new CommandLine(new BenchCommand()).setOut(new PrintWriter(out))
                .execute((command + "--help").split(" ")));
            assertTrue(out.toString().startsWith("Usage: bench " + command), out::toString);
        }
    }

    private static List<Part> parts(String... args) {
        final BenchCommand bench = new BenchCommand();
        new CommandLine(bench).parseArgs(args);
        return bench.parts();
    }

    private static void assertRefused(String sentence, String... args) {
        final StringWriter err = new StringWriter();
        final int exitCode = new CommandLine(new BenchCommand()).setErr(new PrintWriter(err)).execute(args);

        assertEquals(ExitCode.USAGE, exitCode, err.toString());
        assertTrue(err.toString().startsWith(sentence), err.toString());
    }
}

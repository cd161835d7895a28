package io.sluice.perf.downcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.perf.rig.CCompiler;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.foreign.NativeLibraries;
import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.model.NativePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each thing is done on each card with critical calls, whatever it takes. */
@Tag("slow")
class CardProcessTest {
    private static final long SYSTEM_CALL_NS = 1_000_000;

    @TempDir
    private static Path folder;
    private static Path library;

    private static Stream<CardCase> cases() {
        return CardCase.of(ModelCard.all()).stream();
    }

    private static void compile() throws IOException, InterruptedException {
        assumeTrue(DataPathLinker.isCritical(), "calls are not critical here");
        try {
            NativeLibraries.instance();
            assumeTrue(new ProcessBuilder(CCompiler.command(), "--version").start().waitFor() == 0);
        } catch (final VerbsException | IOException e) {
            abort(e.getMessage());
        }
        if (library == null) {
            library = CardSession.compile(folder);
            Files.createFile(folder.resolve("stops.txt"));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldStopThreadsBesideEachThingThatTheCardHas(final CardCase cardCase)
        throws IOException, InterruptedException {
        compile();

        final CardResult result = CardProcess.measure(library, cardCase, 1, SYSTEM_CALL_NS);

        final Set<CardAction> expected = Arrays.stream(CardAction.values())
            .filter(action -> action.isOf(cardCase.card())).collect(Collectors.toSet());
        assertEquals(expected, result.stops().keySet());
        for (final CardResult.Stops stops : result.stops().values()) {
            assertTrue(stops.longestUs() > 0, stops::toString);
            assertEquals(stops.longestUs(), stops.medianUs());
        }
        assertEquals(expected, CardResult.parse(cardCase, result.toLine()).stops().keySet());
    }

    /** Here by the calling thread, past the provider, which would post plainly but to no other effect. */
    @Test
    void shouldTellHowLongAPostHasWaited() throws IOException, InterruptedException {
        compile();
        final CardCase control = CardCase.of(List.of(ModelCard.IRDMA)).getLast();
        final NativePath path = new NativePath(library, control.card());
        try (CardRig rig = new CardRig(path, control)) {
            rig.prepare(CardAction.FAIL);
            rig.post();
            rig.act(CardAction.FAIL, 0);
            path.enterKernelFor(SYSTEM_CALL_NS);
            final int thread = Integer.parseInt(
                Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString());
            final long startNs = System.nanoTime();

            rig.post();

            final long endNs = System.nanoTime();
            path.enterKernelFor(0);
            assertEquals(0, path.waitedNs(thread, startNs, startNs));
            assertEquals(0, path.waitedNs(thread + 1, startNs, startNs + SYSTEM_CALL_NS));
            long longestNs = 0;
            for (long atNs = startNs; atNs < endNs; atNs += SYSTEM_CALL_NS / 4) {
                longestNs = Math.max(longestNs, path.waitedNs(thread, startNs, atNs));
            }
            assertTrue(longestNs >= SYSTEM_CALL_NS && longestNs <= endNs - startNs, Long.toString(longestNs));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldTellAProcessItsCase(final CardCase cardCase) {
        assertEquals(cardCase, CardCase.parse(cardCase.words().toArray(String[]::new)));
    }

    @Test
    void shouldReadALineOfAProcess() {
        final CardCase cardCase = CardCase.of(List.of(ModelCard.ERDMA)).getFirst();
        assertEquals(
            new CardResult(cardCase, Map.of(CardAction.NOTHING, new CardResult.Stops(50.5, 60, 0),
                CardAction.FAIL, new CardResult.Stops(70, 2000, 1500))),
            CardResult.parse(cardCase, "NOTHING 50.5 60.0 0.0 FAIL 70.0 2000.0 1500.0"));
        assertThrows(RuntimeException.class, () -> CardResult.parse(cardCase, "warning: something"));
    }

    @Test
    void shouldReadWhichThreadsHaveNotStoppedInTime(@TempDir final Path own) throws IOException {
        final Path file = Files.writeString(own.resolve("stops.txt"), """
            [7923332517240ns]\s
            [7923332639602ns] # SafepointSynchronize::begin: Timeout detected:
            [7923332710698ns] # "a thread" #22 [6188] prio=5 os_prio=0 cpu=4.32ms nid=6188 runnable  [0x0]
            [7923332716938ns]    java.lang.Thread.State: RUNNABLE
            """);
        try (StopLog log = new StopLog(own)) {
            assertEquals(List.of(new StopLog.Late(7_923_332_710_698L, 6188)), log.read());
            assertEquals(List.of(), log.read());
            Files.writeString(file, Files.readString(file)
                + "[7923332900000ns] # \"Thread-1\" #23 [6189] prio=5 nid=6189 waiting on condition  [0x0]\n");
            assertEquals(List.of(new StopLog.Late(7_923_332_900_000L, 6189)), log.read());
        }
    }
}

package io.sluice.perf.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.perf.rig.CCompiler;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.rdma.FunctionTableQueue;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The loops that are measured do the same in Java and in C. */
class DrainCaseTest {
    private static final int COUNT = 160;
    /** The sum of the ids and of the immediate data, which are the same. */
    private static final long TWO_SUMS = (long) COUNT * (COUNT + 1);

    @TempDir
    private static Path folder;
    private static DrainLibrary library;

    @BeforeEach
    void compile() throws IOException, InterruptedException {
        assumeTrue(hasCompiler(), "no C compiler here");
        if (library == null) {
            library = DrainLibrary.load(DrainLibrary.compile(folder));
        }
    }

    private static boolean hasCompiler() throws InterruptedException {
        try {
            return new ProcessBuilder(CCompiler.command(), "--version").start().waitFor() == 0;
        } catch (final IOException e) {
            return false;
        }
    }

    private static CompletionQueue queue(final DrainCase drainCase, final int burst) {
        final long table = library.queue(burst);
        return drainCase.isExtended() ? FunctionTableQueue.extended(table) : FunctionTableQueue.legacy(
            table, UnsafeApi.getLong(UnsafeApi.getLong(table) + FunctionTableQueue.pollFunctionOffset()));
    }

    private static long call(final String name, final int burst) throws Throwable {
        final MethodHandle loop = library.loop(name);
        return (long) loop.invokeExact(library.queue(burst), (long) COUNT);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadTheSameInJavaAndInC(final DrainCase drainCase) throws Throwable {
        for (final int burst : new int[] {1, 4, 16, 5, 32}) {
            final long sum = drainCase.drain(queue(drainCase, burst), COUNT);

            assertEquals(sum, call(drainCase.function(), burst), "burst=" + burst);
            assertTrue(sum >= TWO_SUMS, "burst=" + burst);
        }
    }

    @ParameterizedTest
    @CsvSource({"LEGACY", "EXTENDED"})
    void shouldReadIdAndImmediateData(final DrainCase drainCase) {
        assertEquals(TWO_SUMS, drainCase.drain(queue(drainCase, 16), COUNT));
    }

    @ParameterizedTest
    @EnumSource
    void shouldFindAnEmptyQueueEmpty(final DrainCase drainCase) throws Throwable {
        assertEquals(COUNT, DrainCase.look(queue(drainCase, 0), COUNT));
        assertEquals(COUNT, call(drainCase.lookFunction(), 0));
    }

    /** One call more or less would be measured as a difference between the languages. */
    @Test
    void shouldSeeTheEndOfABurst() {
        final CompletionQueue queue = queue(DrainCase.EXTENDED, 2);
        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(Errno.OK, queue.nextPoll());
        assertEquals(Errno.ENOENT, queue.nextPoll());
        queue.endPoll();
        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(3, queue.workRequestId());
        queue.endPoll();
    }

    @Test
    void shouldReadALineOfAProcess() {
        final DrainResult result = DrainResult.parse(DrainCase.LEGACY, "16 3.0000 1.5000 0.2500");

        assertEquals(new DrainResult(DrainCase.LEGACY, 16, 3, 1.5, 0.25), result);
        assertEquals(2, result.ratio());
        assertThrows(RuntimeException.class, () -> DrainResult.parse(DrainCase.LEGACY, "warning: something"));
    }
}

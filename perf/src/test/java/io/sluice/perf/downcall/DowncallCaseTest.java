package io.sluice.perf.downcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.perf.rig.CCompiler;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The calls that are measured are made, whatever the linker option. */
class DowncallCaseTest {
    private static final int COUNT = 160;
    private static final int ENOMEM = 12;

    @TempDir
    private static Path folder;
    private static DowncallLibrary library;

    @BeforeEach
    void compile() throws IOException, InterruptedException {
        assumeTrue(hasCompiler(), "no C compiler here");
        if (library == null) {
            library = DowncallLibrary.load(DowncallLibrary.compile(folder));
        }
    }

    private static boolean hasCompiler() throws InterruptedException {
        try {
            return new ProcessBuilder(CCompiler.command(), "--version").start().waitFor() == 0;
        } catch (final IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldPassItsArgumentsWithEveryOption(final DowncallCase downcallCase) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment queue = arena.allocate(ValueLayout.JAVA_LONG, 2);
            final MemorySegment refused = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);

            final int result = (int) downcallCase.link().invokeExact(
                library.function("stores"), queue.address(), 17L, refused.address());

            assertEquals(0, result);
            assertEquals(17, queue.get(ValueLayout.JAVA_LONG, 0));
            assertEquals(1, queue.getAtIndex(ValueLayout.JAVA_LONG, 1));
            assertEquals(0, refused.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    @Test
    void shouldCallAsOftenInJavaAsInC() {
        final long function = library.function("stores");
        final long before = library.calls();

        assertEquals(0, library.repeat(function, COUNT));
        assertEquals(before + COUNT, library.calls());
        assertEquals(0, library.repeatInC(function, COUNT));
        assertEquals(before + 2 * COUNT, library.calls());
    }

    @Test
    void shouldCallTheKernel() {
        assertEquals(0, library.repeat(library.function("system_call"), COUNT));
        assertEquals(0, library.call(library.function("slow_system_call"), 1000));
    }

    /** A post is refused before the queue is resized, and while it is. */
    @Test
    void shouldRefuseAPostToAFullQueueWhetherItIsResizedOrNot() throws InterruptedException {
        final long post = library.function("post_to_full");
        assertEquals(ENOMEM, library.call(post, 0));
        final Thread resizer = new Thread(() -> library.setupCall(library.function("resize"), 1_000_000));
        resizer.start();

        assertEquals(ENOMEM, library.call(post, 0));

        resizer.join();
    }

    @Test
    void shouldReadALineOfAProcess() {
        assertEquals(new DowncallResult(DowncallCase.PLAIN, new CallTime(7.2, 1.3), new CallTime(80, 70),
            new StopTime(55, 900.5), new StopTime(60, 99000)),
            DowncallResult.parse(DowncallCase.PLAIN, "7.2000 1.3000 80.0000 70.0000 55.0 900.5 60.0 99000.0"));
        assertThrows(RuntimeException.class, () -> DowncallResult.parse(DowncallCase.PLAIN, "warning: something"));
    }
}

package io.sluice.perf.downcall;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.perf.rig.CCompiler;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;

/**
 * The functions that are called, compiled here, and the loop in C. Any thread may call.
 */
final class DowncallLibrary {
    private static final MethodHandle POST = DowncallCase.ofThisProcess().link();
    /** The handle of set-up calls, which are plain, and keep errno. */
    private static final MethodHandle SETUP = DowncallCase.ERRNO.link();
    private static final int QUEUE_LENGTH = 64;

    private final SymbolLookup symbols;
    private final MethodHandle repeat;
    private final MemorySegment memory = Arena.global().allocate(2 * QUEUE_LENGTH, QUEUE_LENGTH);

    @SuppressWarnings("restricted")
    private DowncallLibrary(final SymbolLookup symbols) {
        this.symbols = symbols;
        repeat = Linker.nativeLinker().downcallHandle(symbols.find("repeat").orElseThrow(),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    static Path compile(final Path folder) throws IOException, InterruptedException {
        return CCompiler.compile(DowncallLibrary.class, "downcalls.c", List.of(), folder);
    }

    @SuppressWarnings("restricted")
    static DowncallLibrary load(final Path library) {
        return new DowncallLibrary(SymbolLookup.libraryLookup(library, Arena.global()));
    }

    long function(final String name) {
        return symbols.find(name).orElseThrow().address();
    }

    /** Makes one call with the linker option of this process. */
    int call(final long function, final long work) {
        try {
            return (int) POST.invokeExact(function, memory.address(), work, memory.address() + QUEUE_LENGTH);
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Makes one call as those of set-up are. */
    int setupCall(final long function, final long work) {
        try {
            return (int) SETUP.invokeExact(function, memory.address(), work, memory.address() + QUEUE_LENGTH);
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** The number of calls so far of the functions that count them. */
    long calls() {
        return memory.getAtIndex(JAVA_LONG, 1);
    }

    /** Makes so many calls from Java, and returns the sum of their results. */
    long repeat(final long function, final int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += call(function, i);
        }
        return sum;
    }

    /** Makes so many calls from C, and returns the sum of their results. */
    long repeatInC(final long function, final int count) {
        try {
            return (long) repeat.invokeExact(function, memory.address(), (long) count);
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }
}

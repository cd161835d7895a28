package io.sluice.perf.drain;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.perf.rig.CCompiler;
import io.sluice.verbs.rdma.FunctionTableQueue;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * The queue without a device and the loops in C, compiled here. One thread.
 */
public final class DrainLibrary {
    private static final String SOURCE = "drain.c";

    private final MethodHandle queue;
    private final SymbolLookup symbols;

    private DrainLibrary(final SymbolLookup symbols) {
        this.symbols = symbols;
        queue = link("drain_queue", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    }

    /**
     * Compile.
     *
     * @param folder to write to.
     * @return the library.
     * @throws IOException          when there is no compiler or it fails, with what it says.
     * @throws InterruptedException when the caller is interrupted.
     */
    public static Path compile(final Path folder) throws IOException, InterruptedException {
        return CCompiler.compile(DrainLibrary.class, SOURCE, FunctionTableQueue.definitions(), folder);
    }

    /** Load a compiled library for as long as this process lives. */
    @SuppressWarnings("restricted")
    static DrainLibrary load(final Path library) {
        return new DrainLibrary(SymbolLookup.libraryLookup(library, Arena.global()));
    }

    @SuppressWarnings("restricted")
    private MethodHandle link(final String name, final FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(symbols.find(name).orElseThrow(), descriptor);
    }

    /** A loop over the queue: its address and a count go in, a sum comes out. */
    MethodHandle loop(final String name) {
        return link(name, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    /** The queue as new, with bursts of so many completions. */
    long queue(final int burst) {
        try {
            return ((MemorySegment) queue.invokeExact(burst)).address();
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }
}

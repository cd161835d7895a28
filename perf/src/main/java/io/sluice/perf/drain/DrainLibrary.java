package io.sluice.perf.drain;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.verbs.rdma.FunctionTableQueue;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The queue without a device and the loops in C, compiled here. One thread.
 */
public final class DrainLibrary {
    private static final String SOURCE = "drain.c";
    private static final String NAME = "libdrain.so";
    private static final List<String> FLAGS = List.of("-std=gnu11", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra");

    private final MethodHandle queue;
    private final SymbolLookup symbols;

    private DrainLibrary(final SymbolLookup symbols) {
        this.symbols = symbols;
        queue = link("drain_queue", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    }

    /**
     * The C compiler of this machine.
     *
     * @return its command: that of the environment variable {@code CC}, else {@code cc}.
     */
    public static String compiler() {
        final String named = System.getenv("CC");
        return named == null || named.isBlank() ? "cc" : named;
    }

    /**
     * How the compiler is called.
     *
     * @return its flags.
     */
    public static String flags() {
        return String.join(" ", FLAGS);
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
        final Path source = folder.resolve(SOURCE);
        try (InputStream text = DrainLibrary.class.getResourceAsStream(SOURCE)) {
            Files.copy(text, source);
        }
        final Path library = folder.resolve(NAME);
        final List<String> command = new ArrayList<>(List.of(compiler()));
        command.addAll(FLAGS);
        command.addAll(FunctionTableQueue.definitions());
        command.addAll(List.of("-o", library.toString(), source.toString()));
        final Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (final IOException e) {
            throw new IOException("no C compiler '" + compiler() + "': install one (Debian: apt install gcc), or name"
                + " it by the environment variable CC", e);
        }
        final String output = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + output);
        }
        return library;
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

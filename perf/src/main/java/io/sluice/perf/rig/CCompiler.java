package io.sluice.perf.rig;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The C compiler of this machine, for loops in C that are measured beside those in Java. Stateless.
 */
public final class CCompiler {
    private static final List<String> FLAGS = List.of("-std=gnu11", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra");

    private CCompiler() {
    }

    /**
     * The command that calls the compiler.
     *
     * @return its command, that of the environment variable {@code CC}, else {@code cc}.
     */
    public static String command() {
        final String named = System.getenv("CC");
        return named == null || named.isBlank() ? "cc" : named;
    }

    /**
     * The flags that the compiler is called with.
     *
     * @return its flags.
     */
    public static String flags() {
        return String.join(" ", FLAGS);
    }

    /**
     * Compile a library.
     *
     * @param owner       class that the source lies beside.
     * @param source      name of the source.
     * @param definitions arguments of the form {@code -DNAME=VALUE}.
     * @param folder      to write to.
     * @return the library.
     * @throws IOException          when there is no compiler or it fails, with what it says.
     * @throws InterruptedException when the caller is interrupted.
     */
    public static Path compile(
        final Class<?> owner, final String source, final List<String> definitions, final Path folder)
        throws IOException, InterruptedException {
        final Path copy = folder.resolve(source);
        try (InputStream text = owner.getResourceAsStream(source)) {
            Files.copy(text, copy);
        }
        final Path library = folder.resolve("lib" + source.substring(0, source.lastIndexOf('.')) + ".so");
        final List<String> command = new ArrayList<>(List.of(command()));
        command.addAll(FLAGS);
        command.addAll(definitions);
        command.addAll(List.of("-o", library.toString(), copy.toString()));
        final Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (final IOException e) {
            throw new IOException("no C compiler '" + command() + "': install one (Debian: apt install gcc), or name"
                + " it by the environment variable CC", e);
        }
        final String output = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + output);
        }
        return library;
    }
}

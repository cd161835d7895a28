package io.sluice.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code rping}, a program of rdma-core (rping(1)). */
final class Rping {
    private static final String PROGRAM = "rping";

    private Rping() {
    }

    /** Whether rping is on the PATH. */
    static boolean isInstalled() {
        for (final String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, PROGRAM))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Start it at an address, printing and checking what it gets.
     *
     * @param folder  for files of what it prints.
     * @param address {@code host:port} to listen at, or to connect to.
     * @param options more of its options.
     */
    static ForeignProgram start(final Path folder, final String address, final String... options) throws IOException {
        final int colon = address.lastIndexOf(':');
        final List<String> command = new ArrayList<>(List.of(
            PROGRAM, "-v", "-V", "-a", address.substring(0, colon), "-p", address.substring(colon + 1)));
        command.addAll(List.of(options));
        return ForeignProgram.start(folder, command);
    }
}

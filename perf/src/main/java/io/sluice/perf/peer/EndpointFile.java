package io.sluice.perf.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The file that says where a receiving end can be reached, left by its process for the sending one in the folder that
 * they share: a port is known only after the system has chosen a free one. Appears whole or not at all; any thread.
 *
 * @param file that holds it.
 */
record EndpointFile(Path file) {
    /**
     * Name the file of a stream.
     *
     * @param folder   that both processes share.
     * @param system   whose endpoint it is.
     * @param streamId of the stream.
     * @return the file, which need not exist.
     */
    static EndpointFile of(final Path folder, final String system, final int streamId) {
        return new EndpointFile(folder.resolve(system + "-" + streamId + ".endpoint"));
    }

    void publish(final String endpoint) {
        final Path draft = file.resolveSibling(file.getFileName() + ".draft");
        try {
            Files.writeString(draft, endpoint);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot write an endpoint: file=" + file, ex);
        }
    }

    /** {@return the endpoint that the other process has left, or null when it has left none yet} */
    String lookUp() {
        try {
            return Files.exists(file) ? Files.readString(file) : null;
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot read an endpoint: file=" + file, ex);
        }
    }
}

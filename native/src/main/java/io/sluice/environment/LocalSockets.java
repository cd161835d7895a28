package io.sluice.environment;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Stream sockets named by a path (Unix domain sockets). Any thread may call; nothing blocks.
 */
public interface LocalSockets {
    /**
     * Listen at a path, private to this user.
     *
     * @param path    at most 100 bytes long (the operating system's bound is 104 to 108).
     * @param backlog connections that may wait, at least 1.
     * @return the listener, owned by the caller; closing it deletes the path.
     * @throws IOException when the path is taken, too long, or cannot be created.
     */
    LocalListener listen(Path path, int backlog) throws IOException;

    /**
     * Connect to a listener.
     *
     * @param path of the listener.
     * @return the connected socket, owned by the caller.
     * @throws IOException when nobody listens there (a dead process' path included) or its backlog is full.
     */
    LocalSocket connect(Path path) throws IOException;
}

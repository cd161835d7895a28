package io.sluice.environment;

import java.io.IOException;

/**
 * A listening local socket. One thread at a time; owned by whoever opened it.
 */
public interface LocalListener extends AutoCloseable {
    /**
     * Accept one waiting connection without blocking.
     *
     * @return the connected socket, owned by the caller, or null when none waits.
     * @throws IOException when the socket fails.
     */
    LocalSocket accept() throws IOException;

    /**
     * Block until a connection or a byte on one of the accepted sockets arrives, {@link #wake()} is called, or the time
     * is over. Sockets that were accepted from this listener and are still open are watched too.
     *
     * @param timeoutNs longest time to wait; 0 returns at once.
     * @return true when something may be ready.
     * @throws IOException when the socket fails.
     */
    boolean await(long timeoutNs) throws IOException;

    /**
     * End a running {@link #await(long)}, or the next one, from any thread.
     */
    void wake();

    /**
     * Whether the path still leads to this listener. Any thread.
     *
     * @return false when somebody has removed the path or put something else there.
     */
    boolean isThere();

    /**
     * Listen at the path again when it was removed. Accepted sockets, clients that wait to be accepted, and who waits
     * in {@link #await} notice nothing. Any thread; file operations.
     *
     * @throws IOException when the path is taken or cannot be created.
     */
    void restore() throws IOException;

    /**
     * Close, and delete the path; idempotent. Accepted sockets live on.
     */
    @Override
    void close();
}

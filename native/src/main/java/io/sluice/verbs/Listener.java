package io.sluice.verbs;

/**
 * A listening endpoint of the connection manager (rdma_listen(3)). One thread at a time; owned by whoever opened it.
 */
public interface Listener extends AutoCloseable {
    /**
     * The address listened on.
     *
     * @return what {@link RdmaDevice#connect} takes.
     */
    String address();

    /**
     * Take one waiting request, without blocking.
     *
     * @return the request, to be accepted or rejected by the caller, or null when none waits.
     */
    ConnectionRequest poll();

    /**
     * Stop listening; idempotent. Accepted connections live on.
     */
    @Override
    void close();
}

package io.sluice.verbs;

/**
 * A destination of datagrams (ibv_create_ah(3)): a port, which together with the number and the queue key of a queue
 * pair there is an address to post to. Any thread may post with it, by queue pairs of its protection domain. Whoever
 * created it closes it, and only when all that was posted with it has completed.
 */
public interface AddressHandle extends AutoCloseable {
    /**
     * The path that this handle was created with.
     *
     * @return the path.
     */
    AddressHandleAttributes attributes();

    /**
     * Destroy the handle (ibv_destroy_ah(3)); idempotent. Posts with it answer EINVAL from now on.
     */
    @Override
    void close();
}

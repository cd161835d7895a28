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
     * Count the requests that were rejected because more waited than may, or more of one host than half of those. Who
     * asked has not been looked at, and may ask again.
     *
     * @return how many since the last call; 0 where the system keeps peers waiting instead.
     */
    default long takeRefused() {
        return 0;
    }

    /**
     * Listen anew where the address has moved to another port or network interface of the device: the kernel's listener
     * stays where it was made. For who hears that addresses have changed, such as {@link AsyncEventType#GID_CHANGE}.
     * Requests that wait are dropped then, and their peers ask again. An address that is nowhere is waited for.
     *
     * @return whether it listens anew; false when nothing has moved, and always where addresses do not.
     * @throws VerbsException when the device does not listen there any more, with the reason; call it again at the next
     *                        change.
     */
    default boolean renew() {
        return false;
    }

    /**
     * Stop listening; idempotent. Accepted connections live on.
     */
    @Override
    void close();
}

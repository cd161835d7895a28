package io.sluice.verbs;

import java.util.List;

/**
 * An opened RDMA device. Its methods are for set-up and may block; any thread may call them, except {@link #poll},
 * which one thread at a time must call regularly: it carries the device's slow duties. Whoever opened the device closes
 * it, after everything that was created from it.
 */
public interface RdmaDevice extends AutoCloseable {
    /**
     * The device's name.
     *
     * @return for example {@code "mlx5_0"} or {@code "software"}.
     */
    String name();

    /**
     * The limits and abilities of the device (ibv_query_device(3)).
     *
     * @return its limits.
     */
    DeviceAttributes attributes();

    /**
     * The path that datagrams take to queue pairs of this device: a peer is told it by other means, and creates an
     * address handle with it ({@link ProtectionDomain#createAddressHandle}).
     *
     * @return the path to the port that the device was opened with, as it is now.
     * @throws VerbsException EOPNOTSUPP when the device has no datagrams, see
     *                        {@link DeviceAttributes#maxDatagramLength()}; ENODEV when the port is not active.
     */
    default AddressHandleAttributes portAddress() {
        throw new VerbsException("ibv_query_gid", Errno.EOPNOTSUPP, "device " + name() + " has no datagrams");
    }

    /**
     * Read the device's clock (ibv_query_rt_values_ex(3)), by which it stamps completions;
     * {@link DeviceAttributes#clock} says how fast it is. Not for the data path.
     *
     * @return its ticks now.
     * @throws VerbsException EOPNOTSUPP when the device has no clock that can be read, EINVAL when it is closed.
     */
    default long clockTicks() {
        throw new VerbsException("ibv_query_rt_values_ex", Errno.EOPNOTSUPP,
            "device " + name() + " has no clock that can be read");
    }

    /**
     * Allocate a protection domain (ibv_alloc_pd(3)).
     *
     * @return the domain, owned by the caller.
     * @throws VerbsException when the device refuses.
     */
    ProtectionDomain allocateProtectionDomain();

    /**
     * Create a completion channel (ibv_create_comp_channel(3)).
     *
     * @return the channel, owned by the caller.
     * @throws VerbsException when the device refuses.
     */
    CompletionChannel createCompletionChannel();

    /**
     * Create a completion queue (ibv_create_cq_ex(3)).
     *
     * @param attributes size, readable fields, channel, vector, flags and parent domain.
     * @return the queue, owned by the caller; its capacity may be larger than asked.
     * @throws VerbsException EINVAL when size or vector is out of range, EOPNOTSUPP with the names of the fields that
     *                        cannot be read, or of the flags, that the device does not have.
     */
    CompletionQueue createCompletionQueue(CompletionQueueAttributes attributes);

    /**
     * Listen for connections (rdma_listen(3)).
     *
     * @param address of the provider's form; {@code host:port} always is one. A host that is a name is looked up
     *                meanwhile, for as long as name servers take.
     * @param backlog requests that may wait, at least 1; what is too much is rejected, or waits with its peer.
     * @return the listener, owned by the caller.
     * @throws VerbsException EADDRINUSE with the holder's process id where it is known.
     */
    Listener listen(String address, int backlog);

    /**
     * Connect a queue pair to a listener (rdma_connect(3)). Returns at once; {@link Connection#poll()} tells the rest.
     * The queue pair must be in the INIT state with its receives posted; it is ready to send when the connection is
     * ESTABLISHED. The caller waits only for the look-up of a host that is a name, as long as name servers take: who
     * cannot wait gives a literal address.
     *
     * @param address     of the listener.
     * @param queuePair   to connect, owned by the caller.
     * @param privateData for the listener, at most {@link Connection#MAX_CONNECT_PRIVATE_DATA} bytes.
     * @param timeoutNs   until the connection becomes UNREACHABLE.
     * @return the connection, owned by the caller.
     * @throws VerbsException EINVAL when the address is malformed or the private data too long.
     */
    Connection connect(String address, QueuePair queuePair, byte[] privateData, long timeoutNs);

    /**
     * The names under which somebody listens on this host, where the provider can tell.
     *
     * @param service a path-like prefix, for example {@code "ipc/prices"}.
     * @return addresses that {@link #connect} takes, living or recently dead; empty where the provider cannot tell.
     */
    List<String> listeners(String service);

    /**
     * Deliver asynchronous events (ibv_get_async_event(3), never blocking) and do the device's slow duties, such as
     * noticing dead peers. Call it at least every 100 ms, one thread at a time.
     *
     * @param handler told of each event.
     * @return number of events delivered and duties done; 0 when there was nothing, and when the device is closed.
     * @throws VerbsException when a call of the device fails; the other queue pairs were looked after, and the rest is
     *                        done by the next call.
     */
    int poll(AsyncEventHandler handler);

    /**
     * Give back everything that was created from a device that is being removed or is broken
     * ({@link AsyncEventType#DEVICE_REMOVED}, {@link AsyncEventType#DEVICE_FATAL}): the kernel waits for that before
     * the device can go. From then on nothing can be created (ENODEV), queue pairs are closed and so in the ERROR
     * state, completion queues are closed, connections have ended and listeners hear of nobody. Regions keep their
     * memory, which may be read and written as before. All objects are the caller's to close still. May block; any
     * thread, but not within an event handler. Idempotent.
     *
     * @throws VerbsException EBUSY when a thread is inside a post, a poll or a wait: to be called again then. Others
     *                        say what the device has refused, and that all is released nevertheless.
     */
    default void release() {
        throw new VerbsException("ibv_close_device", Errno.EOPNOTSUPP, "device " + name() + " is never removed");
    }

    /**
     * Take a device up again after {@link #release()}, when one of its name is there. Protection domains, regions and
     * completion channels are what they were, but for keys and descriptors, which are others, and listeners listen
     * again. What was closed by the release is to be created anew. May block; any thread, but not within an event
     * handler.
     *
     * @return whether the device is in use, also when it was never released; false when it is not there yet.
     * @throws VerbsException when it is there and cannot be used yet: it stays released.
     */
    default boolean reopen() {
        return true;
    }

    /**
     * Look whether what the device has made outside of this process, for peers to find it, is still there. Cheap enough
     * for once a second; it may block for as long as the file system does. One thread at a time; better not that which
     * calls {@link #poll}, which then waits, too.
     *
     * @return for people: a path that somebody else has removed, or that was removed and has been made anew since the
     *         last call, a comma or colon, and what is impossible without it; null when everything is there, and where
     *         a device has made nothing.
     */
    default String missing() {
        return null;
    }

    /**
     * Make anew what was removed, see {@link #missing}. Connections that there are go on. May block; any thread.
     *
     * @throws VerbsException when it cannot be made; what can be was, and the rest can be tried again.
     */
    default void restore() {
    }

    /**
     * Close the device; idempotent. What was created from it is closed before, and nothing is created meanwhile. It may
     * wait for another thread's {@link #poll} to return, which does nothing from then on. Not from within an event
     * handler.
     *
     * @throws VerbsException EBUSY, naming what is left, where a provider counts, or, where it waits, when an event
     *                        handler closes it; nothing has changed then.
     */
    @Override
    void close();
}

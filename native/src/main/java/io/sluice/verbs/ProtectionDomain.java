package io.sluice.verbs;

/**
 * A protection domain: regions and queue pairs work together only within one, so that a peer reaches by its queue pair
 * what is registered in the queue pair's domain, and nothing else. Its methods may block and may be called
 * from any thread. Close it after its regions, queue pairs and address handles. A closed one refuses everything but
 * another close: EINVAL, or EOPNOTSUPP for what the device does not have.
 */
public interface ProtectionDomain extends AutoCloseable {
    /**
     * Allocate memory and register it (ibv_reg_mr(3)). The bytes are zero.
     *
     * @param length in bytes, at least 1.
     * @param access {@link AccessFlags} bits.
     * @return the region, owned by the caller.
     * @throws VerbsException ENOMEM when there is no room, EMFILE or EFBIG when a limit of the process is reached; with
     *                        the bytes needed and what to do.
     */
    MemoryRegion allocateRegion(long length, int access);

    /**
     * Register memory of another domain of this device here, too (ibv_reg_mr(3)), under a key that the queue pairs of
     * this domain can send from; it is good for nothing else, and peers can do nothing with it. The memory lives until
     * the last of its registrations is closed. Each registration counts towards {@code ulimit -l}.
     *
     * @param region of the device, open.
     * @return another region over the same bytes, owned by the caller.
     * @throws VerbsException EINVAL when the region is closed or another device's; ENOMEM when a limit is reached.
     */
    MemoryRegion registerForSends(MemoryRegion region);

    /**
     * Map a region of another process of this host, read-only for this process, and register it under a key of its own,
     * so that a peer that "writes" to it at an offset merely tells that the bytes are there.
     *
     * @param shareToken from {@link MemoryRegion#shareToken()} of the owner; comes from outside and is not trusted.
     * @param length     of the region in bytes, as the caller expects it: of another length nothing is mapped.
     * @param access     {@link AccessFlags} bits for the new key.
     * @return the region, owned by the caller.
     * @throws VerbsException EINVAL when the token is malformed or the region gone or of another length, EOPNOTSUPP
     *                        when the device does not share memory.
     */
    MemoryRegion openShared(byte[] shareToken, long length, int access);

    /**
     * Create a queue pair in the RESET state (ibv_create_qp(3)).
     *
     * @param attributes queues, sizes and type.
     * @return the queue pair, owned by the caller; its sizes may be larger than asked, see
     * {@link QueuePair#attributes()}.
     * @throws VerbsException EINVAL when a size is out of range, or a queue is another device's; EOPNOTSUPP when the
     *                        device has none of this type.
     */
    QueuePair createQueuePair(QueuePairAttributes attributes);

    /**
     * Create an address handle for the datagram queue pairs of this domain (ibv_create_ah(3)).
     *
     * @param attributes the path, for example the peer's {@link RdmaDevice#portAddress()}.
     * @return the handle, owned by the caller.
     * @throws VerbsException EINVAL when the device cannot use the path; EOPNOTSUPP when the device has no datagrams.
     */
    default AddressHandle createAddressHandle(final AddressHandleAttributes attributes) {
        throw new VerbsException("ibv_create_ah", Errno.EOPNOTSUPP, "this device has no datagrams");
    }

    /**
     * Create a shared receive queue (ibv_create_srq(3)).
     *
     * @param maxWork receives that it must hold, 1 to {@link DeviceAttributes#maxSharedReceiveWorkRequests()}.
     * @return the queue, owned by the caller; it may hold more than asked.
     * @throws VerbsException EINVAL when the size is out of range, EOPNOTSUPP when the device has none.
     */
    SharedReceiveQueue createSharedReceiveQueue(int maxWork);

    /**
     * Allocate a parent domain over this one, with a thread domain of its own (ibv_alloc_parent_domain(3),
     * ibv_alloc_td(3)): one thread at a time uses what is created in it, so that the device need not lock. It can be
     * used wherever this domain can. Close it after what was created in it, and before this domain.
     *
     * @return the domain, owned by the caller.
     * @throws VerbsException EOPNOTSUPP when {@link DeviceAttributes#parentDomains()} says that the device has none.
     */
    ProtectionDomain allocateParentDomain();

    /**
     * Release the domain; idempotent. It waits for what other threads are creating in it.
     *
     * @throws VerbsException EBUSY while something of it is not closed: the domain stays open.
     */
    @Override
    void close();
}

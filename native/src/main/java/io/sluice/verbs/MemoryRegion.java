package io.sluice.verbs;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Registered memory. Any thread may read its properties. Whoever got the region closes it, and only when no queue pair
 * can still write to it and no thread still reads it: after that its addresses are dead.
 */
public interface MemoryRegion extends AutoCloseable {
    /**
     * The first address, as work requests of this process and of peers name it.
     *
     * @return the address of byte 0.
     */
    long address();

    /**
     * The size of the region.
     *
     * @return bytes registered.
     */
    long length();

    /**
     * Key for work requests of this side.
     *
     * @return the lkey.
     */
    int localKey();

    /**
     * Key for work requests of peers.
     *
     * @return the rkey; unpredictable where the device can choose it.
     */
    int remoteKey();

    /**
     * A view of the memory.
     *
     * @return a new buffer over the first {@code min(length, Integer.MAX_VALUE)} bytes, dead after {@link #close()}.
     */
    UnsafeBuffer buffer();

    /**
     * The token that another process of this host needs to map this region by {@link ProtectionDomain#openShared}.
     *
     * @return the token, at most 512 bytes; empty where the device does not share memory, or the region's files were
     *         removed by somebody else.
     */
    byte[] shareToken();

    /**
     * Deregister and release the region (ibv_dereg_mr(3)); idempotent. From now on peers that use its key get
     * {@link WorkStatus#REM_ACCESS_ERR}.
     */
    @Override
    void close();
}

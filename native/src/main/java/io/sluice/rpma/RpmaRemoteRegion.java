package io.sluice.rpma;

import java.lang.foreign.Arena;

/**
 * Memory of another peer that may be read, written or flushed as far as its usages go,
 * rpma_mr_remote_from_descriptor(3). Any thread. Whoever made it closes it, when nobody posts with it any more.
 */
public final class RpmaRemoteRegion implements AutoCloseable {
    private final NativePeer peer;
    private final long handle;
    private final long length;
    private final int flushUsages;
    private volatile boolean isShut;
    private boolean isDeleted;

    private RpmaRemoteRegion(final NativePeer peer, final long handle) {
        this.peer = peer;
        this.handle = handle;
        final RpmaLibrary library = peer.library();
        length = library.word(library.mrRemoteGetSize, handle);
        flushUsages = library.number(library.mrRemoteGetFlushType, handle);
    }

    static RpmaRemoteRegion ofDescriptor(final NativePeer peer, final byte[] descriptor) {
        final RpmaLibrary library = peer.library();
        peer.objects().attach(library.mrRemoteFromDescriptor.name());
        long handle = 0;
        try (Arena arena = Arena.ofConfined()) {
            handle = library.create(library.mrRemoteFromDescriptor,
                "no descriptor of a memory region: length=" + descriptor.length,
                RpmaLibrary.copy(arena, descriptor), (long) descriptor.length);
            return new RpmaRemoteRegion(peer, handle);
        } catch (final RuntimeException e) {
            if (handle != 0) {
                library.discard(library.mrRemoteDelete, handle, e);
            }
            peer.objects().detach();
            throw e;
        }
    }

    /**
     * The size of the region, rpma_mr_remote_get_size(3).
     *
     * @return bytes registered there.
     */
    public long length() {
        return length;
    }

    /**
     * The ways in which the region may be flushed, rpma_mr_remote_get_flush_type(3).
     *
     * @return {@link RpmaUsage#FLUSH_VISIBILITY} and {@link RpmaUsage#FLUSH_PERSISTENT} flags.
     */
    public int flushUsages() {
        return flushUsages;
    }

    /** Whether work of a peer may name it. A thread inside of a guard of the peer, for as long as it is. */
    boolean isOf(final NativePeer asked) {
        return peer == asked && !isShut;
    }

    long handle() {
        return handle;
    }

    /**
     * Forget it, rpma_mr_remote_delete(3); idempotent. The memory stays what it is.
     *
     * @throws RpmaException                  when the library refuses.
     * @throws io.sluice.verbs.VerbsException EBUSY when a thread stays inside a post: to be closed again after that.
     */
    @Override
    public synchronized void close() {
        if (isDeleted) {
            return;
        }
        isShut = true;
        final RpmaLibrary library = peer.library();
        peer.objects().awaitUnused(library.mrRemoteDelete.name(), "a remote region");
        isDeleted = true;
        try {
            library.delete(library.mrRemoteDelete, "a remote region stays", handle);
        } finally {
            peer.objects().detach();
        }
    }
}

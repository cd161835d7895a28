package io.sluice.rpma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.foreign.SystemCalls;
import java.lang.foreign.MemorySegment;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Registered memory of this process, rpma_mr_reg(3). Any thread may read its properties. Whoever made it closes it, and
 * only when no peer can still write to it and no thread still reads it: after that its addresses are dead, unless the
 * memory is the caller's.
 */
public final class RpmaMemoryRegion implements AutoCloseable {
    private final NativePeer peer;
    /** The registered memory, kept from being freed. */
    private final MemorySegment memory;
    private final boolean isOwn;
    private final int usages;
    private final long handle;
    private volatile boolean isShut;
    private boolean isDeleted;

    private RpmaMemoryRegion(
        final NativePeer peer, final MemorySegment memory, final boolean isOwn, final int usages) {
        this.peer = peer;
        this.memory = memory;
        this.isOwn = isOwn;
        this.usages = usages;
        final RpmaLibrary library = peer.library();
        peer.objects().attach(library.mrReg.name());
        try {
            synchronized (library.lock) {
                handle = library.create(library.mrReg, "no memory region: length=" + memory.byteSize() + " usages="
                    + usages, peer.handle(), memory.address(), memory.byteSize(), usages);
            }
        } catch (final RuntimeException e) {
            peer.objects().detach();
            throw e;
        }
    }

    static RpmaMemoryRegion allocate(final NativePeer peer, final long length, final int usages) {
        if (length < 1) {
            throw new IllegalArgumentException("length=" + length + " is less than 1");
        }
        final SetupCall.Result pages = SystemCalls.map(length);
        if (pages.value() == -1) {
            throw new VerbsException("mmap", pages.errno(),
                "no memory for " + length + " bytes; free some, or make the region smaller");
        }
        try {
            return new RpmaMemoryRegion(
                peer, MemorySegment.ofAddress(pages.value()).reinterpret(length), true, usages);
        } catch (final RuntimeException e) {
            SystemCalls.unmap(pages.value(), length);
            throw e;
        }
    }

    static RpmaMemoryRegion of(final NativePeer peer, final MemorySegment memory, final int usages) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("the memory is on the heap, where no device can reach it");
        }
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException("the memory is read-only, which a device does not know");
        }
        return new RpmaMemoryRegion(peer, memory, false, usages);
    }

    /**
     * The first address, rpma_mr_get_ptr(3).
     *
     * @return the address of byte 0.
     */
    public long address() {
        return memory.address();
    }

    /**
     * The size of the region, rpma_mr_get_size(3).
     *
     * @return bytes registered.
     */
    public long length() {
        return memory.byteSize();
    }

    /**
     * The uses that the region was registered for.
     *
     * @return {@link RpmaUsage} flags.
     */
    public int usages() {
        return usages;
    }

    /**
     * A view of the memory.
     *
     * @return a new buffer over the first {@code min(length, Integer.MAX_VALUE)} bytes, dead after {@link #close()}.
     * @throws RpmaException E_INVAL when it is closed.
     */
    public synchronized UnsafeBuffer buffer() {
        if (isShut) {
            throw new RpmaException("rpma_mr_get_ptr", RpmaError.E_INVAL, Errno.OK, "the memory region is closed");
        }
        return new UnsafeBuffer(memory.address(), (int) Math.min(memory.byteSize(), Integer.MAX_VALUE));
    }

    /**
     * The descriptor for a peer that is to read or write the region, rpma_mr_get_descriptor(3).
     *
     * @return some bytes, which {@link RpmaPeer#remoteRegion} reads there.
     * @throws RpmaException E_INVAL when it is closed.
     */
    public synchronized byte[] descriptor() {
        final RpmaLibrary library = peer.library();
        checkOpen(library.mrGetDescriptor);
        return library.bytes(library.mrGetDescriptorSize, library.mrGetDescriptor, handle);
    }

    /**
     * Tell the device what is about to be done with a part of the region, rpma_mr_advise(3), ibv_advise_mr(3).
     *
     * @param offset in bytes.
     * @param length in bytes.
     * @param advice of {@code enum ibv_advise_mr_advice}: 0 to fetch pages, 1 to fetch them for writing, 2 without
     *               waiting for absent ones.
     * @param flags  of {@code enum ibv_advise_mr_flag}: 1 to be done when this returns.
     * @throws RpmaException E_NOSUPP when the device cannot, E_INVAL for a bad argument or a closed region.
     */
    public synchronized void advise(final long offset, final int length, final int advice, final int flags) {
        final RpmaLibrary library = peer.library();
        checkOpen(library.mrAdvise);
        library.check(library.mrAdvise, "advice=" + advice + " flags=" + flags + " offset=" + offset + " length="
            + length, handle, offset, (long) length, advice, flags);
    }

    private void checkOpen(final SetupCall call) {
        if (isShut) {
            throw new RpmaException(call.name(), RpmaError.E_INVAL, Errno.OK, "the memory region is closed");
        }
    }

    /** Whether work of a peer may name the region. A thread inside of a guard of the peer, for as long as it is. */
    boolean isOf(final NativePeer asked) {
        return peer == asked && !isShut;
    }

    long handle() {
        return handle;
    }

    /**
     * Deregister the region, rpma_mr_dereg(3); idempotent. Memory of its own is given back, but not when the device has
     * refused: it may still write there.
     *
     * @throws RpmaException                  when the device refuses; the region is gone all the same.
     * @throws io.sluice.verbs.VerbsException EBUSY when a thread stays inside a post: to be closed again after that.
     */
    @Override
    public synchronized void close() {
        if (isDeleted) {
            return;
        }
        isShut = true;
        final RpmaLibrary library = peer.library();
        peer.objects().awaitUnused(library.mrDereg.name(), "a memory region");
        isDeleted = true;
        try {
            synchronized (library.lock) {
                library.delete(library.mrDereg, "the memory stays registered and is not given back", handle);
            }
            if (isOwn) {
                SystemCalls.unmap(memory.address(), memory.byteSize());
            }
        } finally {
            peer.objects().detach();
        }
    }
}

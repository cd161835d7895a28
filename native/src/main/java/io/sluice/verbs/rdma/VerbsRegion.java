package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_mr;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/** Registered pages of this process. They are given back only when the device has let go of them. */
final class VerbsRegion implements MemoryRegion {
    private static final byte[] NOT_SHARED = {};
    /** Access that every region has. */
    private static final int READ_LOCALLY = 0;

    private final DeviceContext device;
    /** Regions of the device that are not closed: this is one of them until it is. */
    private final Set<VerbsRegion> regions;
    /** Tells the {@code ibv_pd}: another one after the device was away. */
    private final LongSupplier domain;
    private final int access;
    /** The {@code ibv_mr}; 0 while the device is released. */
    private long handle;
    private final RegionMemory memory;
    /** Registrations of the memory: the last one gives it back. */
    private final AtomicInteger registrations;
    private final long length;
    private volatile int localKey;
    private volatile int remoteKey;
    private boolean isClosed;

    private VerbsRegion(
        final DeviceContext device,
        final Set<VerbsRegion> regions,
        final LongSupplier domain,
        final RegionMemory memory,
        final AtomicInteger registrations,
        final long length,
        final int access) {
        this.registrations = registrations;
        this.device = device;
        this.regions = regions;
        this.domain = domain;
        this.memory = memory;
        this.length = length;
        this.access = access;
        register();
        device.objects().onCreated(DeviceObjects.Kind.MEMORY_REGION);
        regions.add(this);
    }

    /** Registers memory, while the domain is open only. */
    static VerbsRegion register(
        final DeviceContext device,
        final Set<VerbsRegion> regions,
        final LongSupplier domain,
        final long length,
        final int access) {
        final RegionMemory memory = RegionMemory.allocate(length, device.regionPages());
        try {
            return new VerbsRegion(device, regions, domain, memory, new AtomicInteger(1), length, access);
        } catch (final VerbsException e) {
            memory.release();
            throw e;
        }
    }

    /** Register the memory in another domain, too, while that is open only. */
    synchronized VerbsRegion registerForSends(final LongSupplier other) {
        if (isClosed) {
            throw new VerbsException("ibv_reg_mr", Errno.EINVAL, "the region is closed");
        }
        final VerbsRegion another =
            new VerbsRegion(device, regions, other, memory, registrations, length, READ_LOCALLY);
        registrations.incrementAndGet();
        return another;
    }

    private void register() {
        handle = device.verbs().regMr.pointer("cannot register " + length + " bytes", domain.getAsLong(),
            memory.address(), memory.registeredLength(length), access);
        // Kept: the keys are read after the region is closed, too.
        localKey = UnsafeApi.getInt(handle + ibv_mr.lkey$offset());
        remoteKey = UnsafeApi.getInt(handle + ibv_mr.rkey$offset());
    }

    /** Deregisters the region, as the device goes: its memory stays, for whoever may be reading it. */
    synchronized void release() {
        if (handle != 0) {
            device.destruction().check(device.verbs().deregMr,
                "the region at " + Long.toHexString(memory.address()) + " stays registered", handle);
            handle = 0;
        }
    }

    /** Registers the region again, as the device is back, and so is the domain. */
    synchronized void restore() {
        if (!isClosed && handle == 0) {
            register();
        }
    }

    @Override
    public long address() {
        return memory.address();
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int localKey() {
        return localKey;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public UnsafeBuffer buffer() {
        return new UnsafeBuffer(memory.address(), (int) Math.min(length, Integer.MAX_VALUE));
    }

    DeviceContext device() {
        return device;
    }

    /** Whether the region lies in huge pages. */
    boolean isHuge() {
        return memory.isHuge();
    }

    @Override
    public byte[] shareToken() {
        return NOT_SHARED;
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        // When this fails the device may still write there: the pages are left to it until a close succeeds.
        release();
        isClosed = true;
        regions.remove(this);
        device.objects().onDestroyed(DeviceObjects.Kind.MEMORY_REGION);
        if (registrations.decrementAndGet() == 0) {
            memory.release();
        }
    }
}

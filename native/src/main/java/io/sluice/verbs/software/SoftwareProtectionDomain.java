package io.sluice.verbs.software;

import io.sluice.environment.FileErrors;
import io.sluice.environment.MappedMemory;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairType;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.agrona.collections.Int2ObjectHashMap;

/** A protection domain: makes regions and queue pairs, and knows its regions by key. */
final class SoftwareProtectionDomain implements ProtectionDomain {
    private static final int CHANGING_ACCESS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
    private static final int ALL_ACCESS = CHANGING_ACCESS | AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ;
    private static final String REGISTER = "ibv_reg_mr";
    private static final String CREATE = "ibv_create_qp";

    private final SoftwareDevice device;
    private final int number;
    private final Int2ObjectHashMap<SoftwareRegion> regions = new Int2ObjectHashMap<>();
    /** Read: something is being created here. Write: it is being closed. */
    private final ReadWriteLock life = new ReentrantReadWriteLock();
    /** Regions, queue pairs and shared receive queues that are not closed. */
    private final AtomicInteger living = new AtomicInteger();
    private volatile boolean isClosed;

    SoftwareProtectionDomain(final SoftwareDevice device, final int number) {
        this.device = device;
        this.number = number;
    }

    @Override
    public MemoryRegion allocateRegion(final long length, final int access) {
        if (length < 1 || length > SoftwareLimits.MAX_REGION_LENGTH) {
            throw new VerbsException(REGISTER, Errno.EINVAL,
                "length=" + length + " must be from 1 to " + SoftwareLimits.MAX_REGION_LENGTH);
        }
        checkAccess(access);
        return whileOpen(REGISTER, () -> allocate(length, access));
    }

    /**
     * Create something that keeps the domain from being closed until {@link #leave} is told.
     *
     * @param call the verb that creates it.
     * @throws VerbsException EINVAL when the domain is closed.
     */
    <T> T whileOpen(final String call, final Supplier<T> creation) {
        life.readLock().lock();
        try {
            checkOpen(call);
            final T created = creation.get();
            living.incrementAndGet();
            return created;
        } finally {
            life.readLock().unlock();
        }
    }

    /** Something that was created here is closed. */
    void leave() {
        living.decrementAndGet();
    }

    private MemoryRegion allocate(final long length, final int access) {
        final int key = device.newKey();
        device.removedFiles().ensureFolder();
        MappedMemory data = null;
        SoftwareRegion region = null;
        try {
            data = device.environment().files().create(device.folder().resolve(FabricNames.regionData(key)), length);
            region = register(new RegionDescription(key, access, data.address(), length, device.folder().name(), key,
                device.environment().randomLong()), data);
            return region;
        } catch (final IOException e) {
            throw SystemRefusal.of(REGISTER, Errno.ENOMEM, "no region of " + length + " bytes", e);
        } finally {
            if (region == null) {
                discard(data, FabricNames.regionData(key));
            }
        }
    }

    private static void checkAccess(final int access) {
        final boolean writesRemotelyOnly = (access & CHANGING_ACCESS) != 0 && (access & AccessFlags.LOCAL_WRITE) == 0;
        if ((access & ~ALL_ACCESS) != 0 || writesRemotelyOnly) {
            throw new VerbsException(REGISTER, Errno.EINVAL, "access=0x" + Integer.toHexString(access)
                + " must be AccessFlags bits, and REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE");
        }
    }

    /** Peers look for regions by their files, so this one has none. */
    @Override
    public MemoryRegion registerForSends(final MemoryRegion region) {
        if (!(region instanceof final SoftwareRegion own) || own.device() != device) {
            throw new VerbsException(REGISTER, Errno.EINVAL, "the region is none of this device");
        }
        return whileOpen(REGISTER, () -> register(own));
    }

    private MemoryRegion register(final SoftwareRegion own) {
        final SoftwareRegion another = own.registerForSends(this, device.newKey());
        synchronized (regions) {
            regions.put(another.localKey(), another);
        }
        return another;
    }

    @Override
    public MemoryRegion openShared(final byte[] shareToken, final long length, final int access) {
        checkAccess(access);
        return whileOpen(REGISTER, () -> open(ShareToken.decode(shareToken), length, access));
    }

    private MemoryRegion open(final ShareToken token, final long length, final int access) {
        device.removedFiles().ensureFolder();
        MappedMemory data = null;
        SoftwareRegion region = null;
        try {
            final RegionDescription original = readHeader(token);
            requireLength("says", token, original.length(), length);
            data = device.environment().files().open(device.fabric().resolve(original.dataFolder())
                .resolve(FabricNames.regionData(original.dataKey())), false, length);
            requireLength("has", token, data.length(), length);
            region = register(new RegionDescription(device.newKey(), access, data.address(), length,
                original.dataFolder(), original.dataKey(), original.dataIdentity()), data);
            return region;
        } catch (final IOException e) {
            throw SystemRefusal.of(REGISTER, Errno.EINVAL, FileErrors.isWant(e)
                ? "cannot open the shared region of " + token.folder()
                : "shared region of " + token.folder() + " is gone", e);
        } finally {
            if (region == null && data != null) {
                data.close();
            }
        }
    }

    private static void requireLength(
        final String verb, final ShareToken token, final long length, final long expected) {
        if (length != expected) {
            throw new VerbsException(REGISTER, Errno.EINVAL, "shared region of " + token.folder()
                + " is not as long as announced: it " + verb + " length=" + length + ", expected=" + expected);
        }
    }

    private RegionDescription readHeader(final ShareToken token) throws IOException {
        try (MappedMemory header = device.environment().files().view(
            device.fabric().resolve(token.folder()).resolve(FabricNames.regionHeader(token.key())),
            RegionLayout.LENGTH)) {
            final RegionDescription region = header.length() == RegionLayout.LENGTH
                ? RegionLayout.read(header.address(), token.key()) : null;
            if (region == null) {
                throw new VerbsException(
                    REGISTER, Errno.EINVAL, "shared region of " + token.folder() + " is closed or damaged");
            }
            return region;
        }
    }

    private SoftwareRegion register(final RegionDescription description, final MappedMemory data) throws IOException {
        final MappedMemory header = device.environment().files().create(
            device.folder().resolve(FabricNames.regionHeader(description.key())), RegionLayout.LENGTH);
        final SoftwareRegion region = new SoftwareRegion(this, description, header, data);
        synchronized (regions) {
            regions.put(description.key(), region);
        }
        RegionLayout.write(header.address(), description, number);
        return region;
    }

    /** The header of a region that somebody else has removed; null when all are there. */
    Path missingHeader() {
        for (final SoftwareRegion region : openRegions()) {
            final String header = FabricNames.regionHeader(region.localKey());
            // who closes says so first, and then removes its files
            if (!device.hasFile(header) && !region.isClosed()) {
                return device.folder().resolve(header);
            }
        }
        return null;
    }

    /** Make headers anew where they are gone: queue pairs that are connected later find the regions by them. */
    void restoreHeaders() throws IOException {
        for (final SoftwareRegion region : openRegions()) {
            if (!device.hasFile(FabricNames.regionHeader(region.localKey()))) {
                restoreHeader(region);
            }
        }
    }

    /** The file is made before the monitor is taken, which posts need, too. */
    private void restoreHeader(final SoftwareRegion region) throws IOException {
        final int key = region.localKey();
        final String file = FabricNames.regionHeader(key);
        final MappedMemory header =
            device.environment().files().create(device.folder().resolve(file), RegionLayout.LENGTH);
        synchronized (regions) {
            if (regions.get(key) == region) {
                RegionLayout.write(header.address(), region.description(), number);
                region.add(header);
                return;
            }
        }
        // closed meanwhile, or found by another key; peers look for what is written only
        header.close();
        device.deleteFile(REGISTER, file);
    }

    /** Those that peers may look for. */
    private List<SoftwareRegion> openRegions() {
        synchronized (regions) {
            return regions.values().stream().filter(region -> !region.isForSends()).toList();
        }
    }

    /** The device was away: its regions are what they were, but for their keys. */
    void renewKeys() {
        synchronized (regions) {
            openRegions().forEach(this::renewKey);
        }
    }

    private void renewKey(final SoftwareRegion region) {
        final RegionDescription old = region.description();
        final RegionDescription renewed = new RegionDescription(device.newKey(), old.access(), old.base(),
            old.length(), old.dataFolder(), old.dataKey(), old.dataIdentity());
        try {
            final MappedMemory header = device.environment().files().create(
                device.folder().resolve(FabricNames.regionHeader(renewed.key())), RegionLayout.LENGTH);
            regions.remove(old.key());
            regions.put(renewed.key(), region);
            region.renew(renewed, header);
            RegionLayout.write(header.address(), renewed, number);
            device.deleteFile(REGISTER, FabricNames.regionHeader(old.key()));
        } catch (final IOException e) {
            throw SystemRefusal.of(REGISTER, Errno.ENOMEM, "no other key for a region", e);
        }
    }

    private void discard(final MappedMemory memory, final String file) {
        if (memory != null) {
            memory.close();
            device.deleteFile(REGISTER, file);
        }
    }

    /** The region of a key, or null. */
    SoftwareRegion region(final int key) {
        synchronized (regions) {
            return regions.get(key);
        }
    }

    void release(final SoftwareRegion region) {
        synchronized (regions) {
            if (region.isClosed()) {
                return;
            }
            regions.remove(region.localKey());
            region.invalidate();
        }
        try {
            final SoftwareRegion last = region.leave();
            if (last != null) {
                device.release(last);
            }
        } finally {
            leave();
        }
    }

    @Override
    public QueuePair createQueuePair(final QueuePairAttributes asked) {
        checkOpen(CREATE);
        if (asked.type() != QueuePairType.RELIABLE_CONNECTED) {
            throw new VerbsException(CREATE, Errno.EOPNOTSUPP,
                "type=" + asked.type() + ": the software device has reliable connected queue pairs only");
        }
        checkQueue("sendQueue", asked.sendQueue());
        checkQueue("receiveQueue", asked.receiveQueue());
        asked.check(device.attributes());
        final SharedReceiveQueue shared = asked.sharedReceiveQueue();
        if (shared == null) {
            return whileOpen(CREATE, () -> device.createQueuePair(this, asked.withSizes(
                Math.max(1, asked.maxSendWork()), Math.max(1, asked.maxReceiveWork()), asked.maxInlineData())));
        }
        if (!(shared instanceof final SoftwareSharedReceiveQueue own)) {
            throw new VerbsException(CREATE, Errno.EINVAL, "sharedReceiveQueue is not one of this device");
        }
        return whileOpen(CREATE, () -> createQueuePair(
            asked.withSizes(Math.max(1, asked.maxSendWork()), 0, asked.maxInlineData()), own));
    }

    private QueuePair createQueuePair(
        final QueuePairAttributes granted, final SoftwareSharedReceiveQueue shared) {
        shared.attach(this);
        QueuePair queuePair = null;
        try {
            queuePair = device.createQueuePair(this, granted);
            return queuePair;
        } finally {
            if (queuePair == null) {
                shared.detach();
            }
        }
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWork) {
        return SoftwareSharedReceiveQueue.create(this, maxWork);
    }

    private void checkQueue(final String name, final CompletionQueue queue) {
        if (!(queue instanceof final SoftwareCompletionQueue own) || own.device() != device) {
            throw new VerbsException(CREATE, Errno.EINVAL, name + " is not a completion queue of this device");
        }
    }

    void checkOpen(final String call) {
        device.checkOpen(call);
        if (isClosed) {
            throw new VerbsException(call, Errno.EINVAL, "the protection domain is closed");
        }
    }

    SoftwareDevice device() {
        return device;
    }

    int number() {
        return number;
    }

    @Override
    public ProtectionDomain allocateParentDomain() {
        throw new VerbsException("ibv_alloc_parent_domain", Errno.EOPNOTSUPP,
            "the software device has no locks that a parent domain could spare: use this domain");
    }

    @Override
    public void close() {
        life.writeLock().lock();
        try {
            if (!isClosed) {
                final int left = living.get();
                if (left != 0) {
                    throw new VerbsException("ibv_dealloc_pd", Errno.EBUSY, "the protection domain is in use: close"
                        + " its regions and queue pairs first: open=" + left);
                }
                isClosed = true;
                device.removal().remove(this);
            }
        } finally {
            life.writeLock().unlock();
        }
    }
}

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
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A protection domain: makes regions and queue pairs, and knows its regions by key. */
final class SoftwareProtectionDomain implements ProtectionDomain, NamedFiles {
    private static final int CHANGING_ACCESS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
    private static final int ALL_ACCESS = CHANGING_ACCESS | AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ;
    private static final String REGISTER = "ibv_reg_mr";
    private static final String CREATE = "ibv_create_qp";
    private static final String CREATE_SHARED = "ibv_create_srq";

    private final DeviceContext device;
    private final QueueFactory queues;
    private final Consumer<SoftwareProtectionDomain> closing;
    private final DomainContents contents;
    /** The lock of creation: held for reading while something is being created here. Write: it is being closed. */
    private final ReadWriteLock life = new ReentrantReadWriteLock();
    private volatile boolean isClosed;

    /**
     * A domain without objects.
     *
     * @param closing told when it has closed.
     */
    SoftwareProtectionDomain(
        final DeviceContext device, final QueueFactory queues, final Consumer<SoftwareProtectionDomain> closing) {
        this.device = device;
        this.queues = queues;
        this.closing = closing;
        contents = new DomainContents(device.newNumber());
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
     * Create something that keeps the domain from being closed until {@link DomainContents#leave} is told.
     *
     * @param call the verb that creates it.
     * @throws VerbsException EINVAL when the domain is closed.
     */
    private <T> T whileOpen(final String call, final Supplier<T> creation) {
        life.readLock().lock();
        try {
            checkOpen(call);
            final T created = creation.get();
            contents.enter();
            return created;
        } finally {
            life.readLock().unlock();
        }
    }

    private MemoryRegion allocate(final long length, final int access) {
        final int key = device.newKey();
        MappedMemory data = null;
        SoftwareRegion region = null;
        try {
            data = device.newFile(FabricNames.regionData(key), length);
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

    /**
     * Registers a region of this device for sends from it. Peers look for regions by their files, so this one has none.
     */
    @Override
    public MemoryRegion registerForSends(final MemoryRegion region) {
        if (!(region instanceof final SoftwareRegion own) || own.device() != device) {
            throw new VerbsException(REGISTER, Errno.EINVAL, "the region is none of this device");
        }
        return whileOpen(REGISTER, () -> register(own));
    }

    private MemoryRegion register(final SoftwareRegion own) {
        final SoftwareRegion another = own.registerForSends(device.newKey(), this::release);
        contents.put(another.localKey(), another);
        return another;
    }

    @Override
    public MemoryRegion openShared(final byte[] shareToken, final long length, final int access) {
        checkAccess(access);
        return whileOpen(REGISTER, () -> open(ShareToken.decode(shareToken), length, access));
    }

    private MemoryRegion open(final ShareToken token, final long length, final int access) {
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
        final MappedMemory header = device.newFile(FabricNames.regionHeader(description.key()), RegionLayout.LENGTH);
        final SoftwareRegion region = new SoftwareRegion(device, description, header, data, this::release);
        contents.put(description.key(), region);
        RegionLayout.write(header.address(), description, contents.number());
        return region;
    }

    @Override
    public String missing() {
        for (final SoftwareRegion region : contents.openRegions()) {
            final String header = FabricNames.regionHeader(region.localKey());
            // who closes says so first, and then removes its files
            if (!device.hasFile(header) && !region.isClosed()) {
                return device.folder().resolve(header) + ", a memory region: no link that uses it is resumed";
            }
        }
        return null;
    }

    /**
     * Makes headers of regions anew that were removed: queue pairs that are connected later find the regions by them.
     */
    @Override
    public void restoreFiles() throws IOException {
        for (final SoftwareRegion region : contents.openRegions()) {
            if (!device.hasFile(FabricNames.regionHeader(region.localKey()))) {
                restoreHeader(region);
            }
        }
    }

    /** Makes a region's header anew. The file is made before the monitor is taken, which posts need, too. */
    private void restoreHeader(final SoftwareRegion region) throws IOException {
        final int key = region.localKey();
        final String file = FabricNames.regionHeader(key);
        final MappedMemory header =
            device.environment().files().create(device.folder().resolve(file), RegionLayout.LENGTH);
        synchronized (contents) {
            if (contents.region(key) == region) {
                RegionLayout.write(header.address(), region.description(), contents.number());
                region.add(header);
                return;
            }
        }
        // closed meanwhile, or found by another key; peers look for what is written only
        header.close();
        device.deleteFile(REGISTER, file);
    }

    /** Renews the keys of the regions, as the device was away: they are what they were, but for those. */
    void renewKeys() {
        synchronized (contents) {
            contents.openRegions().forEach(this::renewKey);
        }
    }

    private void renewKey(final SoftwareRegion region) {
        final RegionDescription old = region.description();
        final RegionDescription renewed = new RegionDescription(device.newKey(), old.access(), old.base(),
            old.length(), old.dataFolder(), old.dataKey(), old.dataIdentity());
        try {
            final MappedMemory header = device.environment().files().create(
                device.folder().resolve(FabricNames.regionHeader(renewed.key())), RegionLayout.LENGTH);
            contents.remove(old.key());
            contents.put(renewed.key(), region);
            region.renew(renewed, header);
            RegionLayout.write(header.address(), renewed, contents.number());
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

    private void release(final SoftwareRegion region) {
        synchronized (contents) {
            if (region.isClosed()) {
                return;
            }
            contents.remove(region.localKey());
            region.invalidate();
        }
        try {
            final SoftwareRegion last = region.leave();
            if (last != null) {
                queues.dispose(last);
            }
        } finally {
            contents.leave();
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
        asked.check(SoftwareDescription.ATTRIBUTES);
        final SharedReceiveQueue shared = asked.sharedReceiveQueue();
        if (shared == null) {
            return whileOpen(CREATE, () -> queues.createQueuePair(contents, asked.withSizes(
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
        shared.attach(contents);
        QueuePair queuePair = null;
        try {
            queuePair = queues.createQueuePair(contents, granted);
            return queuePair;
        } finally {
            if (queuePair == null) {
                shared.detach();
            }
        }
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWork) {
        if (maxWork < 1 || maxWork > SoftwareLimits.MAX_WORK_REQUESTS) {
            throw new VerbsException(CREATE_SHARED, Errno.EINVAL,
                "maxWork=" + maxWork + " must be from 1 to " + SoftwareLimits.MAX_WORK_REQUESTS);
        }
        return whileOpen(CREATE_SHARED, () -> queues.createSharedReceiveQueue(contents, maxWork));
    }

    private void checkQueue(final String name, final CompletionQueue queue) {
        if (!(queue instanceof final SoftwareCompletionQueue own) || own.device() != device) {
            throw new VerbsException(CREATE, Errno.EINVAL, name + " is not a completion queue of this device");
        }
    }

    private void checkOpen(final String call) {
        device.checkOpen(call);
        if (isClosed) {
            throw new VerbsException(call, Errno.EINVAL, "the protection domain is closed");
        }
    }

    DomainContents contents() {
        return contents;
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
                final int left = contents.living();
                if (left != 0) {
                    throw new VerbsException("ibv_dealloc_pd", Errno.EBUSY, "the protection domain is in use: close"
                        + " its regions and queue pairs first: open=" + left);
                }
                isClosed = true;
                closing.accept(this);
            }
        } finally {
            life.writeLock().unlock();
        }
    }
}

package io.sluice.verbs.rdma;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.AddressHandleAttributes;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairType;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * A protection domain. The library reads a domain's memory whenever something is created in it, so the domain is not
 * freed while anything is being created, which many threads may do at a time: to register memory takes long.
 */
final class VerbsDomain implements ProtectionDomain {
    private final DeviceContext device;
    private final Living living;
    private final QueuePairFactory queuePairs;
    /** The {@code ibv_pd}; 0 while the device is released. */
    private volatile long handle;
    /** The handles of a parent domain; null when this is no parent domain. */
    private final ParentDomains.Handles parentHandles;
    /** The domain that decides what works together: that below a parent domain, else this. */
    private final VerbsDomain base;
    private final AddressHandles addressHandles;
    /** The lock of creation: held for reading while something is being created here. Write: it is being closed. */
    private final ReadWriteLock life = new ReentrantReadWriteLock();
    /** True when nothing can be created in the domain. Guarded by the lock. */
    private boolean isClosed;
    /** Whether the domain is freed, and its thread domain, if it has one, too. Guarded by the lock. */
    private boolean isDestroyed;

    private VerbsDomain(
        final DeviceContext device,
        final Living living,
        final QueuePairFactory queuePairs,
        final long handle,
        final VerbsDomain base,
        final ParentDomains.Handles parentHandles) {
        this.device = device;
        this.living = living;
        this.queuePairs = queuePairs;
        this.handle = handle;
        addressHandles = new AddressHandles(device);
        this.base = base == null ? this : base;
        this.parentHandles = parentHandles;
        device.objects().onCreated(DeviceObjects.Kind.PROTECTION_DOMAIN);
        living.domains().add(this);
    }

    static VerbsDomain allocate(
        final DeviceContext device, final Living living, final QueuePairFactory queuePairs) {
        return new VerbsDomain(device, living, queuePairs,
            device.verbs().allocPd.pointer("no protection domain", device.address()), null, null);
    }

    /**
     * Protection domains of a device, and objects that are made in them. Each is among them until it is closed.
     *
     * @param domains             of the device.
     * @param regions             of all domains.
     * @param sharedReceiveQueues of all domains, by their addresses.
     */
    record Living(
        Set<VerbsDomain> domains, Set<VerbsRegion> regions, Map<Long, VerbsSharedReceiveQueue> sharedReceiveQueues) {
        Living() {
            this(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet(), new ConcurrentHashMap<>());
        }
    }

    @Override
    public ProtectionDomain allocateParentDomain() {
        if (!device.attributes().parentDomains()) {
            throw ParentDomains.unsupported(device.name());
        }
        return whileOpen("ibv_alloc_parent_domain", () -> {
            final ParentDomains.Handles handles = device.parentDomains().allocate(handle);
            return new VerbsDomain(device, living, queuePairs, handles.domain(), base, handles);
        });
    }

    /**
     * Create something that needs the domain.
     *
     * @param call the verb that creates it.
     * @throws VerbsException EINVAL when the domain is closed.
     */
    <T> T whileOpen(final String call, final Supplier<T> creation) {
        life.readLock().lock();
        try {
            if (isClosed) {
                throw new VerbsException(call, Errno.EINVAL, "the protection domain is closed");
            }
            device.presence().checkThere(call);
            return creation.get();
        } finally {
            life.readLock().unlock();
        }
    }

    boolean isParentDomain() {
        return parentHandles != null;
    }

    DeviceContext device() {
        return device;
    }

    /** The handle, for {@link #whileOpen} only. */
    long handle() {
        return handle;
    }

    /** The address handles that the queue pairs of this domain can use. */
    AddressHandles addressHandles() {
        return base.addressHandles;
    }

    @Override
    public AddressHandle createAddressHandle(final AddressHandleAttributes attributes) {
        return whileOpen(AddressHandles.CREATE_CALL, () -> addressHandles().create(this, handle, attributes));
    }

    @Override
    public MemoryRegion allocateRegion(final long length, final int access) {
        final long max = device.attributes().maxMemoryRegionLength();
        if (length < 1 || length > max) {
            throw new VerbsException("ibv_reg_mr", Errno.EINVAL, "length=" + length + " is not in 1.." + max);
        }
        if ((access & (AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC)) != 0
            && (access & AccessFlags.LOCAL_WRITE) == 0) {
            throw new VerbsException("ibv_reg_mr", Errno.EINVAL,
                "access=" + access + ": REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE");
        }
        return whileOpen(
            "ibv_reg_mr", () -> VerbsRegion.register(device, living.regions(), this::handle, length, access));
    }

    @Override
    public MemoryRegion registerForSends(final MemoryRegion region) {
        if (region instanceof VerbsRegion own && own.device() == device) {
            return whileOpen("ibv_reg_mr", () -> own.registerForSends(this::handle));
        }
        throw new VerbsException("ibv_reg_mr", Errno.EINVAL, "the region is none of device " + device.name());
    }

    @Override
    public MemoryRegion openShared(final byte[] shareToken, final long length, final int access) {
        throw new VerbsException(
            "ibv_reg_mr", Errno.EOPNOTSUPP, "device " + device.name() + " does not share memory between processes");
    }

    @Override
    public QueuePair createQueuePair(final QueuePairAttributes attributes) {
        attributes.check(device.attributes());
        if (attributes.type() == QueuePairType.RELIABLE_CONNECTED && !device.attributes().reliableConnected()) {
            throw new VerbsException("ibv_create_qp", Errno.EOPNOTSUPP,
                "type=" + attributes.type() + ": device " + device.name() + " makes no reliable connected queue pairs");
        }
        if (attributes.type() == QueuePairType.UNRELIABLE_DATAGRAM && device.attributes().maxDatagramLength() == 0) {
            throw new VerbsException("ibv_create_qp", Errno.EOPNOTSUPP,
                "type=" + attributes.type() + ": device " + device.name() + " has no datagrams");
        }
        final QueuePairQueues queues = new QueuePairQueues(queue(attributes.sendQueue()),
            queue(attributes.receiveQueue()), shared(attributes.sharedReceiveQueue()));
        queues.attach();
        try {
            return whileOpen(
                "ibv_create_qp", () -> queuePairs.create(handle, addressHandles().posts(), attributes, queues));
        } catch (final RuntimeException e) {
            queues.detach();
            throw e;
        }
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWork) {
        return whileOpen("ibv_create_srq",
            () -> VerbsSharedReceiveQueue.create(device, living.sharedReceiveQueues(), handle, maxWork));
    }

    private VerbsSharedReceiveQueue shared(final SharedReceiveQueue queue) {
        if (queue == null) {
            return null;
        }
        if (queue instanceof VerbsSharedReceiveQueue own && own.device() == device) {
            return own;
        }
        throw new VerbsException(
            "ibv_create_qp", Errno.EINVAL, "the shared receive queue is none of device " + device.name());
    }

    private VerbsCompletionQueue queue(final CompletionQueue queue) {
        if (queue instanceof VerbsCompletionQueue own && own.device() == device) {
            return own;
        }
        throw new VerbsException(
            "ibv_create_qp", Errno.EINVAL, "the completion queue is none of device " + device.name());
    }

    @Override
    public void close() {
        life.writeLock().lock();
        try {
            if (!isDestroyed) {
                closeLocked();
            }
        } finally {
            life.writeLock().unlock();
        }
    }

    /** Waits, as the device goes, for what is being created; nothing is begun meanwhile. */
    void awaitCreations() {
        life.writeLock().lock();
        life.writeLock().unlock();
    }

    /** Frees the domain, as the device goes: for good when it is a parent domain, else until it is restored. */
    void release() {
        if (parentHandles != null) {
            close();
            return;
        }
        life.writeLock().lock();
        try {
            if (!isClosed && handle != 0) {
                device.destruction().check(device.verbs().deallocPd, "the protection domain stays", handle);
                handle = 0;
            }
        } finally {
            life.writeLock().unlock();
        }
    }

    /** Makes the domain anew, as the device is back. */
    void restore() {
        life.writeLock().lock();
        try {
            if (!isClosed && handle == 0) {
                handle = device.verbs().allocPd.pointer("no protection domain", device.address());
            }
        } finally {
            life.writeLock().unlock();
        }
    }

    private void closeLocked() {
        if (!isClosed) {
            freeDomain();
            isClosed = true;
        }
        if (parentHandles != null) {
            device.destruction().attempt(() -> device.parentDomains().freeThread(parentHandles));
        }
        isDestroyed = true;
        living.domains().remove(this);
        device.objects().onDestroyed(DeviceObjects.Kind.PROTECTION_DOMAIN);
    }

    private void freeDomain() {
        addressHandles().checkNoneOf(this);
        if (parentHandles == null) {
            if (handle != 0) {
                device.destruction().check(device.verbs().deallocPd,
                    "the protection domain is in use: close its regions and queue pairs first", handle);
            }
        } else {
            device.destruction().attempt(() -> device.parentDomains().freeDomain(parentHandles));
        }
    }
}

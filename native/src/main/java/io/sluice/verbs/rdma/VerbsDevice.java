package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.AddressHandleAttributes;
import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Connection;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.DeviceFolder;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_context;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.agrona.UnsafeApi;

/** An opened device of libibverbs. */
final class VerbsDevice implements RdmaDevice {
    /** Time between two looks at the states of queue pairs that no event tells of. */
    private static final long EXAMINATION_INTERVAL_NS = 20_000_000;

    private final Environment environment;
    private final VerbsLibrary verbs;
    private final long context;
    private final String name;
    private final boolean isSoftRoce;
    private final PostingChoice posting;
    private final RegionPages regionPages;
    private final RdmaDeviceOptions options;
    private final GidTable gids;
    private final PartitionTable partitions;
    private final CompletionQueueFactory completionQueues;
    private final QueuePairFactory queuePairFactory;
    private final ParentDomains parentDomains;
    private final HardwareClock clock;
    private final DeviceAttributes attributes;
    private final ConnectionManager connections;
    private final AsyncEvents events;
    private final MemorySegment eventDescriptor;
    private final Map<Long, VerbsCompletionQueue> queues = new ConcurrentHashMap<>();
    private final Map<Long, VerbsSharedReceiveQueue> sharedQueues = new ConcurrentHashMap<>();
    private final Map<Long, VerbsQueuePair> queuePairs = new ConcurrentHashMap<>();
    private final DeviceObjects objects = new DeviceObjects();
    /** Held while duties are done, and while the device is closed: the context is not freed under them. */
    private final ReentrantLock duties = new ReentrantLock();
    /** As it was when it was asked last. */
    private volatile VerbsPort port;
    /** Guarded by the lock. */
    private long nextExaminationNs;
    /**
     * Read: something is being created from the context, and counted. Write: the device is being closed. Taken after
     * the duties' lock, whose handlers create things, too.
     */
    private final ReadWriteLock life = new ReentrantReadWriteLock();
    /** Guarded by each of the locks; written under both. */
    private boolean isClosed;

    private VerbsDevice(
        final Environment environment,
        final VerbsLibrary verbs,
        final long context,
        final String name,
        final RdmaDeviceOptions options) {
        this.environment = environment;
        this.verbs = verbs;
        this.context = context;
        this.name = name;
        this.options = options;
        ExtendedContext.check(context);
        regionPages = options.regionPages().resolve();
        isSoftRoce = DeviceLimits.isSoftRoce(verbs, context);
        posting = PostingChoice.of(
            System.getProperty(PostingChoice.SYSTEM_CALL_PROP_NAME), DeviceLimits.vendor(verbs, context));
        gids = new GidTable(verbs, context, name, DeviceFolder.of(name));
        partitions = new PartitionTable(verbs, context, name);
        port = VerbsPort.open(this, options);
        completionQueues = new CompletionQueueFactory(this, options.completionInterface());
        queuePairFactory = new QueuePairFactory(this, options.postingInterface());
        parentDomains = new ParentDomains(context, verbs.deallocPd);
        clock = new HardwareClock(context, DeviceLimits.capabilities(verbs, context));
        attributes = DeviceLimits.find(this, completionQueues);
        connections = new ConnectionManager(this);
        events = new AsyncEvents(this);
        final int descriptor = UnsafeApi.getInt(context + ibv_context.async_fd$offset());
        SystemCalls.setNonBlocking(descriptor);
        eventDescriptor = SystemCalls.pollRecords(descriptor);
        nextExaminationNs = environment.nanoTime();
    }

    /** A device over an opened context, which is closed when this fails. */
    static VerbsDevice of(
        final Environment environment,
        final VerbsLibrary verbs,
        final long context,
        final String name,
        final RdmaDeviceOptions options) {
        try {
            return new VerbsDevice(environment, verbs, context, name, options);
        } catch (final RuntimeException e) {
            verbs.closeDevice.invoke(context);
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public long clockTicks() {
        return whileOpen("ibv_query_rt_values_ex", clock::ticks);
    }

    @Override
    public AddressHandleAttributes portAddress() {
        if (attributes.maxDatagramLength() == 0) {
            throw new VerbsException("ibv_query_gid", Errno.EOPNOTSUPP, "device " + name + " has no datagrams");
        }
        final VerbsPort now = port(SourceAddress.ANY);
        return now.isEthernet()
            ? AddressHandleAttributes.toGid(now.gid()) : AddressHandleAttributes.toLid(now.lid());
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return whileOpen("ibv_alloc_pd", () -> VerbsDomain.allocate(this));
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return whileOpen("ibv_create_comp_channel", () -> VerbsChannel.create(this));
    }

    @Override
    public CompletionQueue createCompletionQueue(final CompletionQueueAttributes asked) {
        return whileOpen("ibv_create_cq_ex", () -> completionQueues.create(asked));
    }

    @Override
    public Listener listen(final String address, final int backlog) {
        return connections.listen(address, backlog);
    }

    @Override
    public Connection connect(
        final String address, final QueuePair queuePair, final byte[] privateData, final long timeoutNs) {
        return connections.connect(address, own("rdma_connect", queuePair), privateData, timeoutNs);
    }

    @Override
    public List<String> listeners(final String service) {
        return List.of();
    }

    @Override
    public int poll(final AsyncEventHandler handler) {
        duties.lock();
        try {
            return isClosed ? 0 : doDuties(handler);
        } finally {
            duties.unlock();
        }
    }

    private int doDuties(final AsyncEventHandler handler) {
        int work = connections.poll();
        if (SystemCalls.await(eventDescriptor, 0)) {
            work += events.deliver(handler);
        }
        final long nowNs = environment.nanoTime();
        if (nowNs - nextExaminationNs >= 0) {
            nextExaminationNs = nowNs + EXAMINATION_INTERVAL_NS;
            work += examine(queuePairs.values());
        }
        return work;
    }

    /** All of them, also when one cannot be asked: each may be the one that somebody waits for. */
    private static int examine(final Iterable<VerbsQueuePair> queuePairs) {
        int work = 0;
        VerbsException first = null;
        for (final VerbsQueuePair queuePair : queuePairs) {
            try {
                work += queuePair.examine();
            } catch (final VerbsException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
        return work;
    }

    @Override
    public void close() {
        if (duties.isHeldByCurrentThread()) {
            throw new VerbsException(
                "ibv_close_device", Errno.EBUSY, "device " + name + " stays open: an event handler cannot close it");
        }
        duties.lock();
        life.writeLock().lock();
        try {
            if (!isClosed) {
                objects.checkNone(name);
                connections.close();
                verbs.closeDevice.check("device " + name + " stays open", context);
                isClosed = true;
            }
        } finally {
            life.writeLock().unlock();
            duties.unlock();
        }
    }

    /**
     * Create something from the context, which is not freed meanwhile. Not for what may take long: a close waits for
     * it, and the device's duties for that.
     *
     * @param call that creates it.
     * @throws VerbsException EINVAL when the device is closed.
     */
    <T> T whileOpen(final String call, final Supplier<T> creation) {
        life.readLock().lock();
        try {
            if (isClosed) {
                throw new VerbsException(call, Errno.EINVAL, "the device is closed");
            }
            return creation.get();
        } finally {
            life.readLock().unlock();
        }
    }

    ReliableQueuePair own(final String call, final QueuePair queuePair) {
        if (queuePair instanceof ReliableQueuePair own && own.device() == this) {
            return own;
        }
        if (queuePair instanceof DatagramQueuePair) {
            throw new VerbsException(call, Errno.EINVAL, "a datagram queue pair has no connection");
        }
        throw new VerbsException(call, Errno.EINVAL, "the queue pair is none of device " + name);
    }

    Environment environment() {
        return environment;
    }

    /** What was created from it and lives. */
    DeviceObjects objects() {
        return objects;
    }

    VerbsLibrary verbs() {
        return verbs;
    }

    /** Address of the {@code ibv_context}. */
    long context() {
        return context;
    }

    /** A function of {@code ibv_context_ops}, by its offset there. */
    long operation(final long offset) {
        return UnsafeApi.getLong(context + ibv_context.ops$offset() + offset);
    }

    /** Whether it is rdma_rxe's. */
    boolean isSoftRoce() {
        return isSoftRoce;
    }

    PostingChoice posting() {
        return posting;
    }

    RegionPages regionPages() {
        return regionPages;
    }

    /** The device's own port and address, as they were when they were asked for last. */
    VerbsPort port() {
        return port;
    }

    /**
     * The port and address of a path as they are now, for a queue pair that is made ready.
     *
     * @throws VerbsException ENODEV when the port is not active, EADDRNOTAVAIL when it does not have the address or the
     *                        partition key.
     */
    VerbsPort port(final SourceAddress source) {
        if (!source.isAny()) {
            return VerbsPort.of(this, source);
        }
        final VerbsPort now = port.refreshed(this, options);
        port = now;
        return now;
    }

    GidTable gids() {
        return gids;
    }

    PartitionTable partitions() {
        return partitions;
    }

    RdmaDeviceOptions options() {
        return options;
    }

    QueuePairFactory queuePairFactory() {
        return queuePairFactory;
    }

    ParentDomains parentDomains() {
        return parentDomains;
    }

    HardwareClock clock() {
        return clock;
    }

    CompletionChoice completionChoice() {
        return completionQueues.choice();
    }

    void add(final VerbsCompletionQueue queue) {
        queues.put(queue.handle, queue);
    }

    void remove(final VerbsCompletionQueue queue) {
        queues.remove(queue.handle);
    }

    VerbsCompletionQueue completionQueue(final long handle) {
        return queues.get(handle);
    }

    void add(final VerbsSharedReceiveQueue queue) {
        sharedQueues.put(queue.handle(), queue);
    }

    void remove(final VerbsSharedReceiveQueue queue) {
        sharedQueues.remove(queue.handle());
    }

    VerbsSharedReceiveQueue sharedReceiveQueue(final long handle) {
        return sharedQueues.get(handle);
    }

    void add(final VerbsQueuePair queuePair) {
        queuePairs.put(queuePair.handle(), queuePair);
    }

    void remove(final VerbsQueuePair queuePair) {
        queuePairs.remove(queuePair.handle());
    }

    VerbsQueuePair queuePair(final long handle) {
        return queuePairs.get(handle);
    }

    /** A completion queue has overrun: it is dead, and so are its queue pairs, those in transition a little later. */
    void failQueuePairsOf(final VerbsCompletionQueue queue) {
        queue.onOverrun();
        examine(queuePairs.values().stream().filter(queuePair -> queuePair.uses(queue)).toList());
    }
}

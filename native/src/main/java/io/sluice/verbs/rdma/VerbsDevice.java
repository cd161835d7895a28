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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** An opened device of libibverbs. Any thread may call; one at a time does its duties. */
final class VerbsDevice implements RdmaDevice {
    private final DeviceContext context;
    private final CompletionQueueFactory completionQueueFactory;
    private final QueuePairFactory queuePairFactory;
    private final ConnectionManager connections;
    private final AsyncEvents events;
    private final QueuePairTable queuePairs;
    private final CompletionQueueTable completionQueues;
    private final VerbsDomain.Living living = new VerbsDomain.Living();
    private final Set<VerbsChannel> channels = ConcurrentHashMap.newKeySet();
    private final DeviceRemoval removal;
    /** Lock held while duties are done, and while the device is closed: the context is not freed under them. */
    private final ReentrantLock duties = new ReentrantLock();

    private VerbsDevice(final DeviceContext context) {
        this.context = context;
        queuePairs = new QueuePairTable(context.environment(), context.vendor().tellsOfFailures());
        completionQueues = new CompletionQueueTable(queuePairs);
        completionQueueFactory = new CompletionQueueFactory(context, completionQueues, queuePairs.examination());
        events = new AsyncEvents(context, queuePairs, completionQueues, living.sharedReceiveQueues());
        queuePairFactory =
            new QueuePairFactory(context, queuePairs, QueuePairDrain.of(context, events::giveUp));
        context.read();
        events.open();
        context.take(DeviceLimits.find(context, completionQueueFactory));
        connections = new ConnectionManager(context);
        removal = new DeviceRemoval(context, connections, queuePairs, completionQueues, living, channels);
        context.presence().onOpened();
    }

    /** A device over an opened context, which is closed when this fails. */
    static VerbsDevice of(
        final Environment environment,
        final VerbsLibrary verbs,
        final long context,
        final String name,
        final RdmaDeviceOptions options) {
        try {
            return new VerbsDevice(new DeviceContext(environment, new DeviceHandle(verbs, name, context), options));
        } catch (final RuntimeException e) {
            verbs.closeDevice.invoke(context);
            throw e;
        }
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    public DeviceAttributes attributes() {
        return context.attributes();
    }

    @Override
    public long clockTicks() {
        return context.whileOpen("ibv_query_rt_values_ex", () -> context.clock().ticks());
    }

    @Override
    public AddressHandleAttributes portAddress() {
        if (attributes().maxDatagramLength() == 0) {
            throw new VerbsException("ibv_query_gid", Errno.EOPNOTSUPP, "device " + name() + " has no datagrams");
        }
        return context.whileOpen("ibv_query_gid", () -> context.ports().now(SourceAddress.ANY).destination());
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return context.whileOpen("ibv_alloc_pd", () -> VerbsDomain.allocate(context, living, queuePairFactory));
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return context.whileOpen("ibv_create_comp_channel",
            () -> VerbsChannel.create(context, channels, completionQueues::takenEvent));
    }

    @Override
    public CompletionQueue createCompletionQueue(final CompletionQueueAttributes asked) {
        return context.whileOpen("ibv_create_cq_ex", () -> completionQueueFactory.create(asked));
    }

    @Override
    public Listener listen(final String address, final int backlog) {
        return connections.listen(address, backlog);
    }

    @Override
    public Connection connect(
        final String address, final QueuePair queuePair, final byte[] privateData, final long timeoutNs) {
        return connections.connect(
            address, ReliableQueuePair.of("rdma_connect", queuePair, context), privateData, timeoutNs);
    }

    @Override
    public List<String> listeners(final String service) {
        return List.of();
    }

    @Override
    public int poll(final AsyncEventHandler handler) {
        duties.lock();
        try {
            return context.life().isClosed() || context.address() == 0 ? 0 : doDuties(handler);
        } finally {
            duties.unlock();
        }
    }

    private int doDuties(final AsyncEventHandler handler) {
        queuePairs.examination().onDuties(context.environment().nanoTime());
        int work = connections.doDuties() + context.presence().deliver(handler);
        if (context.presence().isUnderWay()) {
            return work;
        }
        work += events.deliverGivenUp(handler) + events.deliver(handler);
        return work + queuePairs.examination().examine(context.environment().nanoTime());
    }

    @Override
    public void close() {
        checkNotInHandler();
        duties.lock();
        try {
            context.life().close(() -> {
                context.objects().checkNone(name());
                connections.close();
                if (context.address() != 0) {
                    context.verbs().closeDevice.check("device " + name() + " stays open", context.address());
                }
            });
        } finally {
            duties.unlock();
        }
    }

    private void checkNotInHandler() {
        if (duties.isHeldByCurrentThread()) {
            throw new VerbsException(
                "ibv_close_device", Errno.EBUSY, "device " + name() + " stays open: an event handler cannot close it");
        }
    }

    @Override
    public void release() {
        checkNotInHandler();
        removal.release(this::closeContext);
    }

    /** Closes the context, of which nothing is left. The duties are not at work in it, nor will they be. */
    private void closeContext() {
        duties.lock();
        try {
            if (context.address() != 0) {
                final long left = context.address();
                context.leave();
                context.trials().forget();
                context.verbs().closeDevice.invoke(left);
            }
        } finally {
            duties.unlock();
        }
    }

    @Override
    public boolean reopen() {
        checkNotInHandler();
        return removal.reopen(this::adopt, this::abandon);
    }

    /**
     * Go on with another context of the same device.
     *
     * @throws VerbsException when it cannot be used; it is the caller's to close then.
     */
    private void adopt(final long newContext) {
        duties.lock();
        try {
            if (context.life().isClosed()) {
                throw new VerbsException("ibv_open_device", Errno.EINVAL, "the device is closed");
            }
            try {
                context.open(newContext);
                events.open();
                context.presence().onOpened();
            } catch (final VerbsException e) {
                context.leave();
                throw e;
            }
        } finally {
            duties.unlock();
        }
    }

    /** Abandons the context that was adopted, and is of no use after all. */
    private void abandon() {
        duties.lock();
        try {
            context.leave();
        } finally {
            duties.unlock();
        }
    }

    DeviceContext context() {
        return context;
    }

    QueuePairTable queuePairs() {
        return queuePairs;
    }

    CompletionQueueTable completionQueues() {
        return completionQueues;
    }

    CompletionChoice completionChoice() {
        return completionQueueFactory.choice();
    }
}

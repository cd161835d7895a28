package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * Lets a device go and come back: everything is given back at the owner's word, in the order in which one needs the
 * other, and made again in the opposite one. Any thread.
 */
final class DeviceRemoval {
    private final DeviceContext device;
    private final ConnectionManager connections;
    private final QueuePairTable queuePairs;
    private final CompletionQueueTable completionQueues;
    private final VerbsDomain.Living living;
    private final Set<VerbsChannel> channels;
    /** Lock held while the device is released or taken up again. */
    private final ReentrantLock lock = new ReentrantLock();

    DeviceRemoval(
        final DeviceContext device,
        final ConnectionManager connections,
        final QueuePairTable queuePairs,
        final CompletionQueueTable completionQueues,
        final VerbsDomain.Living living,
        final Set<VerbsChannel> channels) {
        this.device = device;
        this.connections = connections;
        this.queuePairs = queuePairs;
        this.completionQueues = completionQueues;
        this.living = living;
        this.channels = channels;
    }

    /**
     * Give everything back.
     *
     * @param closeContext closes what it was all created from.
     */
    void release(final Runnable closeContext) {
        lock.lock();
        try {
            if (device.address() == 0) {
                return;
            }
            device.presence().onLetGo();
            device.destruction().clear();
            device.life().awaitCreations();
            living.domains().forEach(VerbsDomain::awaitCreations);
            releaseObjects();
            closeContext.run();
            final VerbsException refusal = device.destruction().refusal();
            if (refusal != null) {
                throw new VerbsException("ibv_close_device", refusal.errno(), "device " + device.name()
                    + " is released, but had refused: " + refusal.getMessage(), refusal);
            }
        } finally {
            lock.unlock();
        }
    }

    private void releaseObjects() {
        connections.release(device.presence().isRemoved());
        queuePairs.all().forEach(VerbsQueuePair::close);
        living.sharedReceiveQueues().values().forEach(VerbsSharedReceiveQueue::close);
        completionQueues.all().forEach(VerbsCompletionQueue::release);
        channels.forEach(VerbsChannel::release);
        living.domains().forEach(domain -> domain.addressHandles().closeAll());
        living.regions().forEach(VerbsRegion::release);
        living.domains().stream().filter(VerbsDomain::isParentDomain).forEach(VerbsDomain::release);
        living.domains().forEach(VerbsDomain::release);
    }

    /**
     * Take the device up again if it is there.
     *
     * @param adopt   has the device go on with another context; throws when that cannot be used.
     * @param abandon has it have none after all.
     * @return whether it is in use.
     */
    boolean reopen(final LongConsumer adopt, final Runnable abandon) {
        lock.lock();
        try {
            if (device.address() != 0) {
                if (device.presence().isUnderWay()) {
                    throw new VerbsException("ibv_open_device", Errno.EBUSY,
                        "device " + device.name() + " has to be released first");
                }
                return true;
            }
            final long removalsBefore = device.presence().removals();
            final long context = DeviceList.open(device.verbs(), device.name());
            if (context == 0) {
                device.presence().onMissing();
                connections.release(true);
                return false;
            }
            adopt(context, adopt, abandon);
            device.presence().onBack(removalsBefore);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void adopt(final long context, final LongConsumer adopt, final Runnable abandon) {
        boolean isAdopted = false;
        try {
            adopt.accept(context);
            living.domains().forEach(VerbsDomain::restore);
            living.regions().forEach(VerbsRegion::restore);
            channels.forEach(VerbsChannel::restore);
            connections.restore();
            isAdopted = true;
        } finally {
            if (!isAdopted) {
                undo(context, abandon);
            }
        }
    }

    /** Undo what was made again: the exception under way tells why it was not enough. */
    private void undo(final long context, final Runnable abandon) {
        channels.forEach(VerbsChannel::release);
        living.regions().forEach(VerbsRegion::release);
        living.domains().forEach(VerbsDomain::release);
        abandon.run();
        device.verbs().closeDevice.invoke(context);
    }
}

package io.sluice.perf.downcall;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.QueuePairType;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.model.NativePath;
import io.sluice.verbs.model.Trait;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A device of a card with a queue pair that sends to itself. One thread posts, one polls, and one prepares and does
 * things.
 */
final class CardRig implements AutoCloseable {
    private static final int WORK = 8;
    private static final int CAPACITY = 64;
    private static final int LENGTH = 4096;
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
    private static final int QUEUE_KEY = 17;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long INTERVAL_NS = 1_000_000;
    private static final AsyncEventHandler IGNORED = (type, completionQueue, pair) -> { };

    private final NativePath path;
    private final CardCase cardCase;
    private final RdmaDevice device;
    private final ProtectionDomain domain;
    private final MemoryRegion region;
    private final CompletionQueue queue;
    /** The address of the queue pair itself; null where there are no datagrams. */
    private final AddressHandle self;
    private volatile QueuePair queuePair;
    private volatile boolean isBadNext;
    private int resizes;

    CardRig(final NativePath path, final CardCase cardCase) {
        this.path = path;
        this.cardCase = cardCase;
        device = path.open(SystemEnvironment.instance(), cardCase.vendor(),
            RdmaDeviceOptions.DEFAULT.withPostingInterface(cardCase.posting()));
        domain = device.allocateProtectionDomain();
        region = domain.allocateRegion(LENGTH, ACCESS);
        queue = device.createCompletionQueue(
            new CompletionQueueAttributes(CAPACITY, CompletionField.QUEUE_PAIR_NUMBER, null));
        self = cardCase.card().has(Trait.LACKS_DATAGRAMS) ? null : domain.createAddressHandle(device.portAddress());
        replace(false);
    }

    /** Replaces the old queue pair, if any, by a new one. */
    private void replace(final boolean isDatagram) {
        final QueuePair old = queuePair;
        queuePair = null;
        if (old != null) {
            old.close();
        }
        isBadNext = false;
        final QueuePairAttributes attributes =
            new QueuePairAttributes(queue, queue, WORK, WORK, 0, 0, 12, 6, 14);
        final QueuePair made;
        if (isDatagram || cardCase.card().has(Trait.LACKS_CONNECTIONS)) {
            made = domain.createQueuePair(attributes.withType(QueuePairType.UNRELIABLE_DATAGRAM));
            made.initialiseDatagrams(QUEUE_KEY);
            made.readyToReceiveDatagrams();
        } else {
            made = domain.createQueuePair(attributes);
            made.initialise(ACCESS);
            made.readyToReceive(made.localAddress());
        }
        made.readyToSend();
        queuePair = made;
    }

    /** Posts a send and a receive, on the posting thread, whatever comes of them. */
    void post() {
        final QueuePair current = queuePair;
        if (current == null) {
            return;
        }
        final boolean isBad = isBadNext;
        final long id = isBad ? NativePath.BAD_ID : 1;
        final int result = current.attributes().type() == QueuePairType.UNRELIABLE_DATAGRAM
            ? current.postSendTo(id, WorkFlags.SIGNALED, region.address(), region.localKey(), Long.BYTES, self,
                current.number(), QUEUE_KEY)
            : current.postWrite(id, WorkFlags.SIGNALED, region.address(), region.localKey(), Long.BYTES,
                region.address(), region.remoteKey());
        if (isBad && result == Errno.OK) {
            isBadNext = false;
        }
        current.postReceive(1, region.address(), region.localKey(), LENGTH);
    }

    /** Polls a batch, on the polling thread. */
    void poll() {
        if (queue.startPoll() == Errno.OK) {
            int next = Errno.OK;
            while (next == Errno.OK) {
                next = queue.nextPoll();
            }
            queue.endPoll();
        }
    }

    /** Have a sound queue pair. */
    void prepare(final CardAction action) {
        replace(action == CardAction.DATAGRAMS);
    }

    /** Do a thing once; what follows it for as long as a system call is a part of it. */
    void act(final CardAction action, final long systemCallNs) {
        switch (action) {
            case RESIZE -> resize();
            case FAIL -> {
                fail();
                LockSupport.parkNanos(systemCallNs);
            }
            case ERROR -> {
                isBadNext = true;
                await(cardCase.isControl() ? path::hasFailedLast : this::hasFailed);
                LockSupport.parkNanos(systemCallNs);
            }
            case DESTROY -> destroy();
            default -> LockSupport.parkNanos(systemCallNs);
        }
    }

    private void resize() {
        if (cardCase.isControl()) {
            path.resizeLast();
        } else {
            resizes++;
            queue.resize(resizes % 2 == 0 ? CAPACITY : 2 * CAPACITY);
        }
    }

    private void fail() {
        if (cardCase.isControl()) {
            path.failLast();
        } else {
            queuePair.fail();
        }
    }

    private void destroy() {
        if (cardCase.isControl()) {
            path.destroyLast();
        } else {
            queuePair.close();
        }
    }

    /** Whether the queue pair has failed, by the provider's duties. */
    private boolean hasFailed() {
        device.poll(IGNORED);
        return queuePair.state() == QueuePairState.ERROR;
    }

    private static void await(final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > PATIENCE_NS) {
                throw new IllegalStateException("the queue pair does not fail");
            }
            LockSupport.parkNanos(INTERVAL_NS);
        }
    }

    @Override
    public void close() {
        queuePair.close();
        if (self != null) {
            self.close();
        }
        queue.close();
        region.close();
        domain.close();
        device.close();
    }
}

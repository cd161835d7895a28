package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;

/** A queue pair: its states and its life. The work is done by {@link SendQueue} and {@link ReceiveQueue}. */
final class SoftwareQueuePair extends PostingQueuePair implements QueueOwner {
    private final DeviceContext device;
    private final DomainContents domain;
    private final Disposal<SoftwareQueuePair> disposal;
    private final int number;
    private final long nonce;
    private final QueuePairAttributes attributes;
    private final MappedMemory memory;
    private final long file;
    private final SendQueue sendQueue;
    private final ReceiveQueue receiveQueue;
    /** The shared queue that its receives are taken from, or null. */
    private final SoftwareSharedReceiveQueue sharedQueue;
    /**
     * The attachment to the peer; null while this is made, when a queue of it may fail it already; guarded by the
     * monitor below until then.
     */
    private final QueuePairAttachment attachment;
    /**
     * The lock that guards the changes of state, which are rare; taken after the lock of the waiting sends, never
     * before it.
     */
    private final Object lifecycle = new Object();
    private final AsyncEvents events;
    private final QueuePairNumbers numbers;
    /** State as the file has it. */
    private volatile int state = QueuePairLayout.RESET;
    private int access;
    private PeerQueuePair peer;
    private PeerProcess peerProcess;

    SoftwareQueuePair(
        final DeviceContext device,
        final DomainContents domain,
        final int number,
        final QueuePairAttributes attributes,
        final MappedMemory memory,
        final Disposal<SoftwareQueuePair> disposal) {
        this.device = device;
        this.domain = domain;
        this.number = number;
        this.attributes = attributes;
        this.memory = memory;
        this.disposal = disposal;
        nonce = device.environment().randomLong();
        events = device.newEvents();
        numbers = new QueuePairNumbers(number);
        file = memory.address();
        sendQueue = new SendQueue(this, attributes, new Transmitter(domain, nonce, device.newWire(number)),
            device.environment());
        receiveQueue = new ReceiveQueue(this, numbers, domain, file, attributes);
        sharedQueue = (SoftwareSharedReceiveQueue) attributes.sharedReceiveQueue();
        writeFile();
        QueuePairAttachment attached = null;
        try {
            attached = new QueuePairAttachment(
                this, numbers, attributes, sendQueue.completions(), receiveQueue.completions());
        } finally {
            if (attached == null) {
                withdraw();
            }
        }
        sendQueue.signal(attached.sendSignal());
        receiveQueue.signal(attached.receiveSignal());
        synchronized (lifecycle) {
            attachment = attached;
        }
    }

    private void writeFile() {
        UnsafeApi.putInt(file + QueuePairLayout.VERSION_OFFSET, QueuePairLayout.VERSION);
        UnsafeApi.putInt(file + QueuePairLayout.NUMBER_OFFSET, number);
        UnsafeApi.putLong(file + QueuePairLayout.NONCE_OFFSET, nonce);
        UnsafeApi.putInt(
            file + QueuePairLayout.RECEIVE_ENTRIES_OFFSET,
            ReceiveQueue.receiveEntriesFor(attributes.maxReceiveWork()));
        UnsafeApi.putInt(
            file + QueuePairLayout.COMPLETION_ENTRIES_OFFSET,
            ReceiveQueue.completionEntriesFor(attributes));
        UnsafeApi.putInt(file + QueuePairLayout.MIN_RNR_TIMER_OFFSET, attributes.minRnrTimerCode());
        UnsafeApi.putInt(file + QueuePairLayout.DOMAIN_OFFSET, domain.number());
        UnsafeApi.putInt(file + QueuePairLayout.READS_ANSWERED_OFFSET, attributes.maxDestinationReadAtomic());
        UnsafeApi.putInt(
            file + QueuePairLayout.SHARED_QUEUE_OFFSET, sharedQueue == null ? 0 : sharedQueue.number());
        QueuePairLayout.state(file, QueuePairLayout.RESET);
        UnsafeApi.putLongRelease(null, file + QueuePairLayout.MAGIC_OFFSET, QueuePairLayout.MAGIC);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        return switch (state) {
            case QueuePairLayout.RESET -> QueuePairState.RESET;
            case QueuePairLayout.INIT -> QueuePairState.INIT;
            case QueuePairLayout.READY_TO_RECEIVE -> QueuePairState.READY_TO_RECEIVE;
            case QueuePairLayout.READY_TO_SEND -> QueuePairState.READY_TO_SEND;
            default -> QueuePairState.ERROR;
        };
    }

    @Override
    public QueuePairAttributes attributes() {
        return attributes;
    }

    @Override
    public byte[] localAddress() {
        final int completionQueue = receiveCompletionQueue().number();
        return new QueuePairAddress(
            device.folder().name(), number, nonce, completionQueue, attachment.receiveSlot()).encode();
    }

    @Override
    public void initialise(final int newAccess) {
        synchronized (lifecycle) {
            require(QueuePairLayout.RESET, QueuePairLayout.INIT);
            access = newAccess;
            receiveQueue.gate(ReceiveQueue.OPEN);
            become(QueuePairLayout.INIT, 0);
        }
    }

    @Override
    public void readyToReceive(final byte[] remoteAddress) {
        synchronized (lifecycle) {
            require(QueuePairLayout.INIT, QueuePairLayout.READY_TO_RECEIVE);
            final QueuePairAddress address = QueuePairAddress.decode("ibv_modify_qp", remoteAddress);
            peer = device.openPeer(address);
            peerProcess = device.peers().join(address.folder());
            sendQueue.transmitter().connect(peer, new RegionImports(
                device.environment().files(), device.fabric(), address.folder(), peer.domain()));
            numbers.connect(address.number());
            UnsafeApi.putLong(file + QueuePairLayout.CONNECTED_NONCE_OFFSET, address.nonce());
            become(QueuePairLayout.READY_TO_RECEIVE, receivingBits());
        }
    }

    private int receivingBits() {
        return QueuePairLayout.RECEIVING
            | ((access & AccessFlags.REMOTE_WRITE) == 0 ? 0 : QueuePairLayout.REMOTE_WRITE)
            | ((access & AccessFlags.REMOTE_READ) == 0 ? 0 : QueuePairLayout.REMOTE_READ)
            | ((access & AccessFlags.REMOTE_ATOMIC) == 0 ? 0 : QueuePairLayout.REMOTE_ATOMIC);
    }

    @Override
    public void readyToSend() {
        synchronized (lifecycle) {
            require(QueuePairLayout.READY_TO_RECEIVE, QueuePairLayout.READY_TO_SEND);
            become(QueuePairLayout.READY_TO_SEND, receivingBits());
            sendQueue.lowerGate(SendQueue.SHUT);
        }
    }

    private void require(final int expected, final int wanted) {
        if (state != expected) {
            throw new VerbsException("ibv_modify_qp", Errno.EINVAL, "queue pair " + number + ": state="
                + (state == QueuePairLayout.CLOSED ? "closed" : state())
                + " cannot become " + QueuePairState.values()[wanted - 1]);
        }
    }

    private void become(final int newState, final int bits) {
        state = newState;
        QueuePairLayout.state(file, newState | bits);
    }

    @Override
    public boolean isPeerReceiving() {
        return sendQueue.isPeerReceiving();
    }

    @Override
    public void fail() {
        synchronized (lifecycle) {
            if (state == QueuePairLayout.ERROR || state == QueuePairLayout.CLOSED) {
                return;
            }
            become(QueuePairLayout.ERROR, 0);
            sendQueue.raiseGate(SendQueue.FAILED);
            sendQueue.lowerGate(SendQueue.SHUT);
            receiveQueue.gate(ReceiveQueue.FAILED);
            receiveQueue.completions().fail();
            if (attachment != null) {
                UnsafeApi.fullFence();
                attachment.sendSignal().raise(true);
                attachment.receiveSignal().raise(true);
            }
            if (sharedQueue != null) {
                raise(AsyncEventType.QP_LAST_WQE_REACHED);
            }
        }
        retrySends();
    }

    DeviceContext device() {
        return device;
    }

    @Override
    SendQueue sendQueue() {
        return sendQueue;
    }

    @Override
    ReceiveQueue receiveQueue() {
        return receiveQueue;
    }

    SoftwareCompletionQueue sendCompletionQueue() {
        return (SoftwareCompletionQueue) attributes.sendQueue();
    }

    SoftwareCompletionQueue receiveCompletionQueue() {
        return (SoftwareCompletionQueue) attributes.receiveQueue();
    }

    @Override
    public void onWaiting(final boolean isWaiting) {
        sendCompletionQueue().onWaiting(isWaiting);
    }

    @Override
    public void retrySends() {
        sendQueue.waiting().retry();
    }

    @Override
    public void raise(final AsyncEventType type) {
        events.raise(type);
    }

    @Override
    public long whileMapped(final LongSupplier count) {
        synchronized (lifecycle) {
            return state == QueuePairLayout.CLOSED ? 0 : count.getAsLong();
        }
    }

    /** Device's duty: what the peer has asked to be raised, and whether the peer lives; returns what was found. */
    int examine() {
        int work = 0;
        synchronized (lifecycle) {
            if (state == QueuePairLayout.CLOSED) {
                return 0;
            }
            final int fault = UnsafeApi.getIntVolatile(null, file + QueuePairLayout.FAULT_OFFSET);
            if (fault != 0) {
                UnsafeApi.putIntVolatile(null, file + QueuePairLayout.FAULT_OFFSET, 0);
                raise(fault == AsyncEventType.QP_ACCESS_ERR.ordinal() + 1
                    ? AsyncEventType.QP_ACCESS_ERR : AsyncEventType.QP_FATAL);
                work++;
            }
            if (state == QueuePairLayout.ERROR && receiveQueue.completions().isToFlush()) {
                receiveQueue.signal();
            }
            if (work == 0 && (state == QueuePairLayout.ERROR || peerProcess == null || !peerProcess.isGone())) {
                return 0;
            }
        }
        fail();
        return work + 1;
    }

    @Override
    public void close() {
        if (state == QueuePairLayout.CLOSED) {
            return;
        }
        sendCompletionQueue().checkNotInBatch("close of queue pair " + number);
        receiveCompletionQueue().checkNotInBatch("close of queue pair " + number);
        synchronized (lifecycle) {
            if (state == QueuePairLayout.CLOSED) {
                return;
            }
            become(QueuePairLayout.CLOSED, 0);
            sendQueue.raiseGate(SendQueue.SHUT);
            receiveQueue.gate(ReceiveQueue.SHUT);
        }
        attachment.detach();
        try {
            disposal.dispose(this, Stream.of(posts(), attachment.polls()).flatMap(List::stream).toList());
        } finally {
            if (sharedQueue != null) {
                sharedQueue.detach();
            }
            domain.leave();
        }
    }

    /**
     * Leaves file and completion queues, as it cannot be made: a thread that still has it from one of them may be about
     * to fail it, or to count.
     */
    void withdraw() {
        synchronized (lifecycle) {
            become(QueuePairLayout.CLOSED, 0);
        }
        if (attachment != null) {
            attachment.detach();
        }
    }

    /** Unmap everything; only when nobody can be using it. */
    void unmap() {
        retrySends();
        synchronized (lifecycle) {
            if (peer != null) {
                sendQueue.transmitter().imports().close();
                peer.close();
            }
            receiveQueue.completions().release();
            memory.close();
        }
    }

    /** Mappings held, for the count of those abandoned. */
    int mappings() {
        return peer == null ? 1 : 1 + peer.mappings() + sendQueue.transmitter().imports().mappings();
    }

    /** Guards of the threads inside sends. */
    List<BooleanSupplier> sends() {
        return List.of(sendQueue::isBusy, sendQueue.waiting()::isBusy);
    }

    /** Guards of the threads inside posts. */
    List<BooleanSupplier> posts() {
        return List.of(sendQueue::isBusy, sendQueue.waiting()::isBusy, receiveQueue::isBusy);
    }

    AsyncEvents events() {
        return events;
    }

    PeerProcess peerProcess() {
        return peerProcess;
    }
}

package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;

/** A queue pair: its states and its life. The work is done by {@link SendQueue} and {@link ReceiveQueue}. */
final class SoftwareQueuePair extends PostingQueuePair {
    /** Numbers of the states in the file. */
    static final int RESET = 1;
    static final int INIT = 2;
    static final int READY_TO_RECEIVE = 3;
    static final int READY_TO_SEND = 4;
    static final int ERROR = 5;
    static final int CLOSED = 6;

    /** Counting is repeated when the poller takes something meanwhile. */
    private static final int MAX_COUNT_ATTEMPTS = 16;

    private final SoftwareProtectionDomain domain;
    private final SoftwareDevice device;
    private final int number;
    private final long nonce;
    private final QueuePairAttributes attributes;
    private final MappedMemory memory;
    private final long file;
    private final SendQueue sendQueue;
    private final ReceiveQueue receiveQueue;
    /** That its receives are taken from, or null. */
    private final SoftwareSharedReceiveQueue sharedQueue;
    /** Null while this is made, when a queue of it may fail it already; guarded by the monitor below until then. */
    private final QueuePairAttachment attachment;
    /** Guards the changes of state, which are rare; taken after the lock of the waiting sends, never before it. */
    private final Object lifecycle = new Object();
    private final AtomicInteger asyncEvents = new AtomicInteger();
    private volatile int state = RESET;
    private volatile long numbers;
    private int access;
    private PeerQueuePair peer;
    private PeerProcess peerProcess;

    SoftwareQueuePair(
        final SoftwareProtectionDomain domain,
        final int number,
        final long nonce,
        final QueuePairAttributes attributes,
        final MappedMemory memory) {
        this.domain = domain;
        this.number = number;
        this.nonce = nonce;
        this.attributes = attributes;
        this.memory = memory;
        device = domain.device();
        file = memory.address();
        numbers = (long) number << 32;
        sendQueue = new SendQueue(this, device.newWire(number), attributes.maxSendWork(), attributes.maxInlineData());
        receiveQueue = new ReceiveQueue(this, file, attributes);
        sharedQueue = (SoftwareSharedReceiveQueue) attributes.sharedReceiveQueue();
        writeFile();
        final QueuePairAttachment attached = new QueuePairAttachment(this);
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
        QueuePairLayout.state(file, RESET);
        UnsafeApi.putLongRelease(null, file + QueuePairLayout.MAGIC_OFFSET, QueuePairLayout.MAGIC);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        return switch (state) {
            case RESET -> QueuePairState.RESET;
            case INIT -> QueuePairState.INIT;
            case READY_TO_RECEIVE -> QueuePairState.READY_TO_RECEIVE;
            case READY_TO_SEND -> QueuePairState.READY_TO_SEND;
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
            require(RESET, INIT);
            access = newAccess;
            receiveQueue.gate(ReceiveQueue.OPEN);
            become(INIT, 0);
        }
    }

    @Override
    public void readyToReceive(final byte[] remoteAddress) {
        synchronized (lifecycle) {
            require(INIT, READY_TO_RECEIVE);
            final QueuePairAddress address = QueuePairAddress.decode("ibv_modify_qp", remoteAddress);
            peer = device.openPeer(address);
            peerProcess = device.joinPeerProcess(address.folder());
            sendQueue.transmitter().connect(peer, device.newImports(peer));
            numbers = (long) number << 32 | address.number();
            UnsafeApi.putLong(file + QueuePairLayout.CONNECTED_NONCE_OFFSET, address.nonce());
            become(READY_TO_RECEIVE, receivingBits());
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
            require(READY_TO_RECEIVE, READY_TO_SEND);
            become(READY_TO_SEND, receivingBits());
            sendQueue.lowerGate(SendQueue.SHUT);
        }
    }

    private void require(final int expected, final int wanted) {
        if (state != expected) {
            throw new VerbsException("ibv_modify_qp", Errno.EINVAL, "queue pair " + number + ": state="
                + (state == CLOSED ? "closed" : state()) + " cannot become " + QueuePairState.values()[wanted - 1]);
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
            if (state == ERROR || state == CLOSED) {
                return;
            }
            become(ERROR, 0);
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
        sendQueue.waiting().retry();
    }

    /** Whether a key of this queue pair's domain covers a range. */
    boolean covers(final int localKey, final long address, final int length) {
        final SoftwareRegion region = domain.region(localKey);
        return region != null && region.covers(address, length);
    }

    /** Numbers of this queue pair, in the upper half, and of its peer. */
    long numbers() {
        return numbers;
    }

    long nonce() {
        return nonce;
    }

    SoftwareDevice device() {
        return device;
    }

    SoftwareProtectionDomain domain() {
        return domain;
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

    ReadySignal sendSignal() {
        return attachment.sendSignal();
    }

    /** A receive was posted in the ERROR state: its flush can be polled. */
    void signalReceive() {
        UnsafeApi.fullFence();
        attachment.receiveSignal().raise(true);
    }

    void onWaiting(final boolean isWaiting) {
        sendCompletionQueue().onWaiting(isWaiting);
    }

    void raise(final AsyncEventType type) {
        device.raise(type, null, this);
    }

    /** Completions that wait at a completion queue; any thread. */
    long arrivedAt(final CompletionSource source) {
        synchronized (lifecycle) {
            if (state == CLOSED) {
                return 0;
            }
            for (int i = 0; i < MAX_COUNT_ATTEMPTS; i++) {
                final long consumed = source.consumed();
                final long arrived = source.arrived();
                if (consumed == source.consumed()) {
                    return arrived;
                }
            }
            // Somebody polls busily, so whatever waits does not wait for long.
            return 0;
        }
    }

    /** Device's duty: what the peer has asked to be raised, and whether the peer lives; returns what was found. */
    int examine() {
        int work = 0;
        synchronized (lifecycle) {
            if (state == CLOSED) {
                return 0;
            }
            final int fault = UnsafeApi.getIntVolatile(null, file + QueuePairLayout.FAULT_OFFSET);
            if (fault != 0) {
                UnsafeApi.putIntVolatile(null, file + QueuePairLayout.FAULT_OFFSET, 0);
                raise(fault == AsyncEventType.QP_ACCESS_ERR.ordinal() + 1
                    ? AsyncEventType.QP_ACCESS_ERR : AsyncEventType.QP_FATAL);
                work++;
            }
            if (state == ERROR && receiveQueue.completions().isToFlush()) {
                signalReceive();
            }
            if (work == 0 && (state == ERROR || peerProcess == null || !peerProcess.isGone())) {
                return 0;
            }
        }
        fail();
        return work + 1;
    }

    @Override
    public void close() {
        if (state == CLOSED) {
            return;
        }
        sendCompletionQueue().checkNotInBatch("close of queue pair " + number);
        receiveCompletionQueue().checkNotInBatch("close of queue pair " + number);
        synchronized (lifecycle) {
            if (state == CLOSED) {
                return;
            }
            become(CLOSED, 0);
            sendQueue.raiseGate(SendQueue.SHUT);
            receiveQueue.gate(ReceiveQueue.SHUT);
        }
        detach();
        try {
            device.release(this, Stream.of(posts(), attachment.polls()).flatMap(List::stream).toList());
        } finally {
            if (sharedQueue != null) {
                sharedQueue.detach();
            }
            domain.leave();
        }
    }

    /** Leave the completion queues. */
    void detach() {
        attachment.detach();
    }

    /** Unmap everything; only when nobody can be using it. */
    void unmap() {
        sendQueue.waiting().retry();
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

    /** Asynchronous events that have not been delivered: a bit for each type. */
    AtomicInteger events() {
        return asyncEvents;
    }

    PeerProcess peerProcess() {
        return peerProcess;
    }
}

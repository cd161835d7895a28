package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.ibv_qp;
import org.agrona.UnsafeApi;

/**
 * A reliable connected queue pair. Its state is kept here, because asking the device is a system call: own transitions
 * change it, and the device's duties notice when it has failed.
 */
final class VerbsQueuePair extends QueuePair {
    private final VerbsDevice device;
    private final long handle;
    private final int number;
    private final int packetNumber;
    private final QueuePairAttributes attributes;
    private final VerbsCompletionQueue sendQueue;
    private final VerbsCompletionQueue receiveQueue;
    /** That its receives come from, or null when it has its own. */
    private final VerbsSharedReceiveQueue sharedQueue;
    private final QueuePairTransitions transitions;
    private final SendPoster sends;
    private final ReceiveWork receives;
    private final Guard sendGuard = new Guard();
    private final Guard receiveGuard = new Guard();
    private volatile QueuePairState state = QueuePairState.RESET;
    private volatile boolean canSend;
    /** Whether receives can be posted here. */
    private volatile boolean canReceive;
    private boolean isClosed;

    VerbsQueuePair(
        final VerbsDevice device,
        final long handle,
        final QueuePairAttributes attributes,
        final VerbsCompletionQueue sendQueue,
        final VerbsCompletionQueue receiveQueue,
        final VerbsSharedReceiveQueue sharedQueue,
        final SendPoster sends) {
        this.device = device;
        this.handle = handle;
        this.attributes = attributes;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.sharedQueue = sharedQueue;
        this.sends = sends;
        number = UnsafeApi.getInt(handle + ibv_qp.qp_num$offset());
        packetNumber = (int) device.environment().randomLong() & 0xff_ffff;
        transitions = new QueuePairTransitions(device, handle, attributes);
        receives = new ReceiveWork(
            device.operation(ibv_context_ops.post_recv$offset()), handle, attributes.maxReceiveWork());
    }

    long handle() {
        return handle;
    }

    VerbsDevice device() {
        return device;
    }

    boolean uses(final VerbsCompletionQueue queue) {
        return sendQueue == queue || receiveQueue == queue;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public boolean isPeerReceiving() {
        final QueuePairState current = state;
        return current == QueuePairState.READY_TO_RECEIVE || current == QueuePairState.READY_TO_SEND;
    }

    @Override
    public QueuePairAttributes attributes() {
        return attributes;
    }

    @Override
    public byte[] localAddress() {
        final VerbsPort port = device.port();
        return new PeerAddress(number, packetNumber, port.lid(), port.mtu(), port.gid()).encode();
    }

    @Override
    public synchronized void initialise(final int access) {
        require(QueuePairState.RESET, QueuePairState.INIT);
        transitions.initialise(access);
        state = QueuePairState.INIT;
        canReceive = sharedQueue == null;
    }

    @Override
    public synchronized void readyToReceive(final byte[] remoteAddress) {
        require(QueuePairState.INIT, QueuePairState.READY_TO_RECEIVE);
        transitions.readyToReceive(PeerAddress.decode(remoteAddress));
        state = QueuePairState.READY_TO_RECEIVE;
    }

    @Override
    public synchronized void readyToSend() {
        require(QueuePairState.READY_TO_RECEIVE, QueuePairState.READY_TO_SEND);
        transitions.readyToSend(packetNumber);
        state = QueuePairState.READY_TO_SEND;
        canSend = true;
    }

    /** From INIT to READY_TO_SEND with the path that the connection manager has found. */
    synchronized void connect(final long connectionId) {
        require(QueuePairState.INIT, QueuePairState.READY_TO_SEND);
        transitions.connect(connectionId);
        state = QueuePairState.READY_TO_SEND;
        canSend = true;
    }

    synchronized void requireInit(final String call) {
        if (isClosed || state != QueuePairState.INIT) {
            throw new VerbsException(
                call, Errno.EINVAL, "the queue pair is " + (isClosed ? "closed" : state) + ", not INIT");
        }
    }

    private void require(final QueuePairState from, final QueuePairState to) {
        if (isClosed || state != from) {
            throw new VerbsException(
                "ibv_modify_qp", Errno.EINVAL, (isClosed ? "closed" : state) + " to " + to + " is no transition");
        }
    }

    @Override
    public synchronized void fail() {
        if (isClosed || state == QueuePairState.ERROR) {
            return;
        }
        if (state == QueuePairState.RESET) {
            // There is no way from there to ERROR.
            transitions.initialise(0);
        }
        transitions.fail();
        onFailed();
    }

    private void onFailed() {
        state = QueuePairState.ERROR;
        // What is posted from now on is flushed by the device.
        canReceive = sharedQueue == null;
        canSend = true;
    }

    /** Device's duty: 1 when the device has moved it to the ERROR state by itself. */
    synchronized int examine() {
        if (isClosed || state == QueuePairState.ERROR || !transitions.hasFailed()) {
            return 0;
        }
        onFailed();
        return 1;
    }

    @Override
    public int postWrite(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey) {
        return post(SendPoster.RDMA_WRITE, workRequestId, flags, localAddress, localKey, length, remoteAddress,
            remoteKey, 0);
    }

    @Override
    public int postWriteWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey,
        final int immediate) {
        return post(SendPoster.RDMA_WRITE_WITH_IMM, workRequestId, flags, localAddress, localKey, length,
            remoteAddress, remoteKey, immediate);
    }

    @Override
    public int postSend(
        final long workRequestId, final int flags, final long localAddress, final int localKey, final int length) {
        return post(SendPoster.SEND, workRequestId, flags, localAddress, localKey, length, 0, 0, 0);
    }

    @Override
    public int postSendWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final int immediate) {
        return post(SendPoster.SEND_WITH_IMM, workRequestId, flags, localAddress, localKey, length, 0, 0, immediate);
    }

    private int post(
        final int opcode,
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey,
        final int immediate) {
        sendGuard.enter();
        try {
            return canSend
                ? sends.post(opcode, workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey,
                    immediate)
                : Errno.EINVAL;
        } finally {
            sendGuard.leave();
        }
    }

    @Override
    public int postRead(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey) {
        return isFetchGood(flags)
            ? post(SendPoster.RDMA_READ, workRequestId, flags, localAddress, localKey, length, remoteAddress,
                remoteKey, 0)
            : Errno.EINVAL;
    }

    private boolean isFetchGood(final int flags) {
        return (flags & WorkFlags.INLINE) == 0 && attributes.maxReadAtomic() != 0;
    }

    @Override
    public int postCompareAndSwap(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final long remoteAddress,
        final int remoteKey,
        final long expected,
        final long replacement) {
        return postAtomic(SendPoster.ATOMIC_CMP_AND_SWP, workRequestId, flags, localAddress, localKey, remoteAddress,
            remoteKey, expected, replacement);
    }

    @Override
    public int postFetchAdd(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final long remoteAddress,
        final int remoteKey,
        final long addend) {
        return postAtomic(SendPoster.ATOMIC_FETCH_AND_ADD, workRequestId, flags, localAddress, localKey,
            remoteAddress, remoteKey, addend, 0);
    }

    private int postAtomic(
        final int opcode,
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final long remoteAddress,
        final int remoteKey,
        final long operand,
        final long replacement) {
        if (!isFetchGood(flags) || (remoteAddress & Long.BYTES - 1) != 0) {
            return Errno.EINVAL;
        }
        if (!device.attributes().atomics()) {
            return Errno.EOPNOTSUPP;
        }
        sendGuard.enter();
        try {
            return canSend
                ? sends.postAtomic(opcode, workRequestId, flags, localAddress, localKey, remoteAddress, remoteKey,
                    operand, replacement)
                : Errno.EINVAL;
        } finally {
            sendGuard.leave();
        }
    }

    @Override
    public int postReceive(final long workRequestId, final long address, final int localKey, final int length) {
        receiveGuard.enter();
        try {
            return canReceive ? receives.post(workRequestId, address, localKey, length) : Errno.EINVAL;
        } finally {
            receiveGuard.leave();
        }
    }

    @Override
    public int postReceives(final long workRequestId, final int count) {
        receiveGuard.enter();
        try {
            return canReceive ? receives.postMany(workRequestId, count) : Errno.EINVAL;
        } finally {
            receiveGuard.leave();
        }
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        canSend = false;
        canReceive = false;
        state = QueuePairState.ERROR;
        device.remove(this);
        if (!Guard.awaitClear(device.environment(), sendGuard, receiveGuard)) {
            // Left to the thread that does not come back; its completion queues stay in use, too.
            return;
        }
        try {
            device.verbs().destroyQp.check("queue pair " + number + " stays", handle);
        } finally {
            sendQueue.detach();
            receiveQueue.detach();
            if (sharedQueue != null) {
                sharedQueue.detach();
            }
        }
    }
}

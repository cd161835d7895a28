package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.SendChain;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;

/** A reliable connected queue pair. */
final class ReliableQueuePair extends VerbsQueuePair implements VerbsSendChain.Poster {
    private final SendPoster sends;
    /** Sends that were posted of the last chain that was refused; of the thread that posts sends. */
    private int posted;

    ReliableQueuePair(
        final DeviceContext device,
        final QueuePairOwner owner,
        final QueuePairDrain drain,
        final long handle,
        final QueuePairAttributes attributes,
        final QueuePairQueues queues,
        final SendPoster sends) {
        super(device, owner, drain, handle, attributes, queues);
        this.sends = sends;
    }

    /**
     * A queue pair that somebody gives, to connect it.
     *
     * @param call   that is to connect it.
     * @param device that it must be of.
     * @throws VerbsException EINVAL when it is of another device, or has no connection.
     */
    static ReliableQueuePair of(final String call, final QueuePair queuePair, final DeviceContext device) {
        if (queuePair instanceof ReliableQueuePair own && own.device() == device) {
            return own;
        }
        if (queuePair instanceof DatagramQueuePair) {
            throw new VerbsException(call, Errno.EINVAL, "a datagram queue pair has no connection");
        }
        throw new VerbsException(call, Errno.EINVAL, "the queue pair is none of device " + device.name());
    }

    @Override
    public boolean isPeerReceiving() {
        final QueuePairState current = state();
        return current == QueuePairState.READY_TO_RECEIVE || current == QueuePairState.READY_TO_SEND;
    }

    @Override
    public byte[] localAddress() {
        final VerbsPort port = port();
        return new PeerAddress(number(), packetNumber, port.lid(), port.mtu(), port.isGlobal(), port.gid())
            .encode();
    }

    @Override
    public void initialise(final int access) {
        initialise(() -> transitions.initialise(refreshPort(), access));
    }

    @Override
    public void readyToReceive(final byte[] remoteAddress) {
        readyToReceive(() -> {
            final VerbsPort told = port();
            transitions.readyToReceive(told, refreshPort(), PeerAddress.decode(remoteAddress));
        });
    }

    @Override
    public void readyToSend() {
        readyToSend(QueuePairState.READY_TO_RECEIVE, () -> transitions.readyToSend(packetNumber));
    }

    /**
     * Brings the queue pair from INIT to READY_TO_SEND with the path that the connection manager has found. When a step
     * of it fails, this is in the ERROR state: the device may have made a part of the way.
     *
     * @param answer tells the peer; after the transition, because the peer may send at once.
     * @return the GID that packets are taken from; empty on InfiniBand.
     */
    byte[] connect(final long connectionId, final Runnable answer) {
        final byte[][] peerGid = new byte[1][];
        readyToSend(QueuePairState.INIT, () -> orFail(() -> {
            final QueuePairTransitions.Path path = transitions.connect(port(), connectionId);
            takePort(path.port());
            peerGid[0] = path.peerGid();
        }));
        orFail(answer);
        return peerGid[0];
    }

    private void orFail(final Runnable step) {
        try {
            step.run();
        } catch (final VerbsException e) {
            try {
                fail();
            } catch (final VerbsException another) {
                e.addSuppressed(another);
            }
            throw e;
        }
    }

    @Override
    void postSendsPlainly(final boolean isPlain) {
        sends.postPlainly(isPlain);
    }

    @Override
    void onSendsFailed() {
        sends.onFailed();
    }

    @Override
    boolean failsWithWork() {
        return true;
    }

    @Override
    void leaveReset() {
        transitions.initialise(port(), 0);
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
            return canSend()
                ? sends.post(opcode, workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey,
                    immediate)
                : Errno.EINVAL;
        } finally {
            sendGuard.leave();
        }
    }

    @Override
    public SendChain newSendChain(final int capacity) {
        return new VerbsSendChain(this, capacity, attributes());
    }

    @Override
    public int postChain(final SendRequest[] requests, final int index, final int count) {
        sendGuard.enter();
        try {
            if (!canSend()) {
                posted = 0;
                return Errno.EINVAL;
            }
            final int result = sends.postChain(requests, index, count);
            if (result != Errno.OK) {
                posted = sends.posted(requests, index, count);
            }
            return result;
        } finally {
            sendGuard.leave();
        }
    }

    @Override
    public int posted() {
        return posted;
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
        return (flags & WorkFlags.INLINE) == 0 && attributes().maxReadAtomic() != 0;
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
        if (!device().attributes().atomics()) {
            return Errno.EOPNOTSUPP;
        }
        sendGuard.enter();
        try {
            return canSend()
                ? sends.postAtomic(opcode, workRequestId, flags, localAddress, localKey, remoteAddress, remoteKey,
                    operand, replacement)
                : Errno.EINVAL;
        } finally {
            sendGuard.leave();
        }
    }
}

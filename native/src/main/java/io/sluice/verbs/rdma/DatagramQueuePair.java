package io.sluice.verbs.rdma;

import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;

/** A queue pair of unreliable datagrams. */
final class DatagramQueuePair extends VerbsQueuePair {
    private final DatagramPoster sends;
    private final AddressPosts posts;
    private final int maxLength;

    DatagramQueuePair(
        final DeviceContext device,
        final QueuePairOwner owner,
        final QueuePairDrain drain,
        final long handle,
        final QueuePairAttributes attributes,
        final QueuePairQueues queues,
        final DatagramPoster sends,
        final AddressPosts posts) {
        super(device, owner, drain, handle, attributes, queues);
        this.sends = sends;
        this.posts = posts;
        maxLength = device.attributes().maxDatagramLength();
        posts.add(sendGuard);
    }

    @Override
    void onReleased() {
        posts.remove(sendGuard);
    }

    @Override
    public boolean isPeerReceiving() {
        return false;
    }

    @Override
    public byte[] localAddress() {
        throw notConnected("peers need the device's portAddress(), this number=" + number() + " and the queue key");
    }

    @Override
    public void initialise(final int access) {
        throw notConnected("use initialiseDatagrams(queueKey)");
    }

    @Override
    public void readyToReceive(final byte[] remoteAddress) {
        throw notConnected("use readyToReceiveDatagrams()");
    }

    private static VerbsException notConnected(final String instead) {
        return new VerbsException(
            "ibv_modify_qp", Errno.EINVAL, "nobody connects to a datagram queue pair: " + instead);
    }

    @Override
    public void initialiseDatagrams(final int queueKey) {
        initialise(() -> transitions.initialiseDatagrams(queueKey));
    }

    @Override
    public void readyToReceiveDatagrams() {
        readyToReceive(transitions::readyToReceiveDatagrams);
    }

    @Override
    public void readyToSend() {
        readyToSend(QueuePairState.READY_TO_RECEIVE, () -> transitions.readyToSendDatagrams(packetNumber));
    }

    @Override
    void postSendsPlainly(final boolean isPlain) {
        sends.postPlainly(isPlain);
    }

    @Override
    void onSendsFailed() {
        sends.onFailed();
    }

    /** Returns false: only the send queue fails with its work. */
    @Override
    boolean failsWithWork() {
        return false;
    }

    @Override
    void leaveReset() {
        transitions.initialiseDatagrams(0);
    }

    @Override
    public int postSendTo(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final AddressHandle remote,
        final int remoteNumber,
        final int remoteQueueKey) {
        return post(SendPoster.SEND, workRequestId, flags, localAddress, localKey, length, remote, remoteNumber,
            remoteQueueKey, 0);
    }

    @Override
    public int postSendToWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final AddressHandle remote,
        final int remoteNumber,
        final int remoteQueueKey,
        final int immediate) {
        return post(SendPoster.SEND_WITH_IMM, workRequestId, flags, localAddress, localKey, length, remote,
            remoteNumber, remoteQueueKey, immediate);
    }

    private int post(
        final int opcode,
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final AddressHandle remote,
        final int remoteNumber,
        final int remoteQueueKey,
        final int immediate) {
        sendGuard.enter();
        try {
            // Soft-RoCE drops a message that is too long, and says that it was sent.
            if (!canSend() || length > maxLength || !(remote instanceof final VerbsAddressHandle own)) {
                return Errno.EINVAL;
            }
            final long handle = own.handle(posts);
            return handle == 0 ? Errno.EINVAL : sends.post(opcode, workRequestId, flags, localAddress, localKey,
                length, handle, remoteNumber, remoteQueueKey, immediate);
        } finally {
            sendGuard.leave();
        }
    }

    @Override
    public int postSend(
        final long workRequestId, final int flags, final long localAddress, final int localKey, final int length) {
        return Errno.EINVAL;
    }

    @Override
    public int postSendWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final int immediate) {
        return Errno.EINVAL;
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
        return Errno.EINVAL;
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
        return Errno.EINVAL;
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
        return Errno.EINVAL;
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
        return Errno.EINVAL;
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
        return Errno.EINVAL;
    }
}

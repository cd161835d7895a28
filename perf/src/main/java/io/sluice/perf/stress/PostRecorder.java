package io.sluice.perf.stress;

import io.sluice.codec.FrameDescriptor;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;

/**
 * A queue pair that only notes what is posted. Its account is plain, as a real send queue's is: two threads that post
 * without ordering, or at a time, spoil it, and {@link #violations()} tells.
 */
final class PostRecorder extends QueuePair {
    static final int SEND_QUEUE_LENGTH = 16;

    /** The number of bytes that an immediate counts as one: a frame alignment. */
    private static final int BYTES_PER_IMMEDIATE = FrameDescriptor.FRAME_ALIGNMENT;

    private static final QueuePairAttributes ATTRIBUTES = new QueuePairAttributes(
        EmptyCompletionQueue.INSTANCE, EmptyCompletionQueue.INSTANCE, SEND_QUEUE_LENGTH, SEND_QUEUE_LENGTH,
        0, 0, 0, 0, 0);

    private final Runnable onPosted;
    private final int firstImmediate;
    private int lastImmediate;
    private int postsBegun;
    private volatile int postsEnded;
    private int violations;

    /**
     * A queue pair in order.
     *
     * @param firstImmediate the first write begins where this one ended.
     * @param onPosted       told of each write, as a peer that drains at once is.
     */
    PostRecorder(final int firstImmediate, final Runnable onPosted) {
        this.firstImmediate = firstImmediate;
        this.onPosted = onPosted;
        lastImmediate = firstImmediate;
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
        if (postsBegun != postsEnded) {
            violations++;
        }
        postsBegun++;
        if (immediate - lastImmediate != length / BYTES_PER_IMMEDIATE) {
            violations++;
        }
        lastImmediate = immediate;
        postsEnded = postsBegun;
        onPosted.run();
        return Errno.OK;
    }

    /** Any thread: the peer drains what was posted. */
    int posts() {
        return postsEnded;
    }

    int violations() {
        return violations;
    }

    int unitsPosted() {
        return lastImmediate - firstImmediate;
    }

    @Override
    public QueuePairAttributes attributes() {
        return ATTRIBUTES;
    }

    @Override
    public int number() {
        return 1;
    }

    @Override
    public boolean isPeerReceiving() {
        return true;
    }

    @Override
    public QueuePairState state() {
        return QueuePairState.READY_TO_SEND;
    }

    @Override
    public byte[] localAddress() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void initialise(final int access) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void readyToReceive(final byte[] remoteAddress) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void readyToSend() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void fail() {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
    }

    @Override
    public int postSend(
        final long workRequestId, final int flags, final long localAddress, final int localKey, final int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int postSendWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final int immediate) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int postReceive(final long workRequestId, final long address, final int localKey, final int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int postReceives(final long workRequestId, final int count) {
        return Errno.OK;
    }

    @Override
    public void close() {
        // nothing to release
    }
}

package io.sluice.transport.stub;

import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import java.util.ArrayList;
import java.util.List;

/**
 * Records what is posted to it.
 */
public class StubQueuePair extends QueuePair {
    private boolean peerReceiving = true;
    private final List<Post> posts = new ArrayList<>();
    private final QueuePairAttributes attributes;
    private int receivesPosted;
    private int result = Errno.OK;
    private Runnable whenPosted = () -> { };

    public StubQueuePair(final int maxSendWork, final int maxInlineData) {
        attributes = new QueuePairAttributes(null, null, maxSendWork, 0, maxInlineData, 0, 0, 0, 0);
    }

    /** The writes in the order in which they were posted. */
    public List<Post> posts() {
        return posts;
    }

    public int receivesPosted() {
        return receivesPosted;
    }

    /** Answer every further post with this. */
    public void result(final int newResult) {
        result = newResult;
    }

    /** Run this inside of every further post. */
    public void whenPosted(final Runnable action) {
        whenPosted = action;
    }

    @Override
    public int number() {
        return 1;
    }

    /** Let the peer's queue pair receive from now on, or not. */
    public void peerReceiving(final boolean isReceiving) {
        peerReceiving = isReceiving;
    }

    @Override
    public boolean isPeerReceiving() {
        return peerReceiving;
    }

    @Override
    public QueuePairState state() {
        return QueuePairState.READY_TO_SEND;
    }

    @Override
    public QueuePairAttributes attributes() {
        return attributes;
    }

    @Override
    public byte[] localAddress() {
        return new byte[0];
    }

    @Override
    public void initialise(final int access) {
    }

    @Override
    public void readyToReceive(final byte[] remoteAddress) {
    }

    @Override
    public void readyToSend() {
    }

    @Override
    public void fail() {
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
        return post(new Post(workRequestId, flags, localAddress, length, remoteAddress, 0));
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
        return post(new Post(workRequestId, flags, localAddress, length, remoteAddress, immediate));
    }

    private int post(final Post post) {
        if (result == Errno.OK) {
            posts.add(post);
            whenPosted.run();
        }
        return result;
    }

    @Override
    public int postSend(
        final long workRequestId, final int flags, final long localAddress, final int localKey, final int length) {
        throw new AssertionError("a link sends nothing");
    }

    @Override
    public int postSendWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final int immediate) {
        throw new AssertionError("a link sends nothing");
    }

    @Override
    public int postReceive(final long workRequestId, final long address, final int localKey, final int length) {
        throw new AssertionError("a link posts receives in chains");
    }

    @Override
    public int postReceives(final long workRequestId, final int count) {
        if (result == Errno.OK) {
            receivesPosted += count;
        }
        return result;
    }

    @Override
    public void close() {
    }

    /**
     * A write.
     */
    public record Post(
        long workRequestId, int flags, long localAddress, int length, long remoteAddress, int immediate) {
    }
}

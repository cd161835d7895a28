package io.sluice.transport.stub;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Completes what a test says, and checks that it is polled as the contract demands.
 */
public class StubCompletionQueue extends CompletionQueue {
    /** The queue of each thread whose batch it is within, for whose end another one's poll waits on some devices. */
    private static final ThreadLocal<StubCompletionQueue> WITHIN = new ThreadLocal<>();

    private final Deque<Completion> completions = new ArrayDeque<>();
    private Completion current;
    private boolean isPolling;
    private int failure = Errno.ENOENT;
    private int maxBatch = Integer.MAX_VALUE;
    private int capacity = Integer.MAX_VALUE;
    private int length;

    /** Add a completion, which comes after all that were added before. */
    public void add(final long workRequestId, final int status, final int immediate) {
        completions.add(new Completion(workRequestId, status, immediate));
    }

    /** Set what polling returns when nothing is left. */
    public void whenEmpty(final int errno) {
        failure = errno;
    }

    public int waiting() {
        return completions.size();
    }

    @Override
    public int startPoll() {
        if (isPolling) {
            throw new AssertionError("startPoll within a batch");
        }
        if (WITHIN.get() != null) {
            throw new AssertionError("startPoll within a batch of another queue");
        }
        current = completions.poll();
        length = 1;
        isPolling = current != null;
        if (isPolling) {
            WITHIN.set(this);
        }
        return isPolling ? Errno.OK : failure;
    }

    /** Let it have so many entries, and batches no longer than that. */
    public void bound(final int entries, final int completionsOfABatch) {
        capacity = entries;
        maxBatch = completionsOfABatch;
    }

    @Override
    public int maxBatch() {
        return maxBatch;
    }

    @Override
    public int nextPoll() {
        requirePolling();
        if (++length > maxBatch) {
            return Errno.ENOENT;
        }
        final Completion next = completions.poll();
        if (next == null) {
            return failure;
        }
        current = next;
        return Errno.OK;
    }

    @Override
    public void endPoll() {
        requirePolling();
        isPolling = false;
        current = null;
        WITHIN.remove();
    }

    private void requirePolling() {
        if (!isPolling) {
            throw new AssertionError("not within a batch");
        }
    }

    @Override
    public long workRequestId() {
        requirePolling();
        return current.workRequestId;
    }

    @Override
    public int status() {
        requirePolling();
        return current.status;
    }

    @Override
    public int immediateData() {
        requirePolling();
        if (current.status != WorkStatus.SUCCESS) {
            throw new AssertionError("immediate data of a failed completion is not valid");
        }
        return current.immediate;
    }

    @Override
    public int opcode() {
        return WorkOpcode.RECV_RDMA_WITH_IMM;
    }

    @Override
    public int vendorError() {
        return 0;
    }

    @Override
    public int flags() {
        return WorkFlags.WITH_IMMEDIATE;
    }

    @Override
    public int byteLength() {
        throw new IllegalStateException("not asked for");
    }

    @Override
    public int queuePairNumber() {
        throw new IllegalStateException("not asked for");
    }

    @Override
    public int sourceQueuePair() {
        throw new IllegalStateException("not asked for");
    }

    @Override
    public int fields() {
        return 0;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public void resize(final int capacity) {
        throw new AssertionError("nobody resizes this");
    }

    @Override
    public int requestNotify(final boolean solicitedOnly) {
        throw new AssertionError("nobody waits for this");
    }

    @Override
    public void acknowledgeEvents(final int count) {
        throw new AssertionError("nobody waits for this");
    }

    @Override
    public void close() {
    }

    private record Completion(long workRequestId, int status, int immediate) {
    }
}

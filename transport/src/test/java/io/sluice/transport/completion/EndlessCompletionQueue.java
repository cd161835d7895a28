package io.sluice.transport.completion;

import io.sluice.transport.stub.StubCompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;

/** A queue that is never empty, gives batches of 16, and allocates nothing. */
final class EndlessCompletionQueue extends StubCompletionQueue {
    private static final int BATCH = 16;

    private long next;
    private int left;

    @Override
    public int startPoll() {
        next++;
        left = BATCH - 1;
        return Errno.OK;
    }

    @Override
    public int nextPoll() {
        if (left == 0) {
            return Errno.ENOENT;
        }
        left--;
        next++;
        return Errno.OK;
    }

    @Override
    public void endPoll() {
        // the next batch begins behind this one
    }

    @Override
    public long workRequestId() {
        return next;
    }

    @Override
    public int status() {
        return WorkStatus.SUCCESS;
    }

    @Override
    public int immediateData() {
        return (int) next;
    }
}

package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.CompletionBatch;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * A completion queue polled by {@code ibv_poll_cq}: one call takes a batch into records of this process, and every
 * field is a load from there. Completions that a caller leaves behind come first at the next start.
 */
final class LegacyCompletionQueue extends VerbsCompletionQueue {
    /** An error of {@code ibv_poll_cq}, which has no errno. */
    private static final int EIO = 5;

    private final long pollCq;
    /** Whether a poll may be a system call. */
    private final boolean isPlain;
    private final FailedWork failedWork;
    /** Whether queue pairs leave completions behind of which the device knows no more whose they are. */
    private boolean hasForgotten;
    /**
     * Ledgers, and queue pairs, that there were when the batch was taken, by number: the queue pair of a completion
     * that a caller leaves in it may be gone, and another one have its number.
     */
    private Int2ObjectHashMap<SendLedger> takenLedgers;
    private FailedWork.Known takenQueuePairs;
    private final CompletionBatch batch;
    /**
     * The completions that were set aside; null when there are none. Used by the poller within its guard, and by who
     * keeps it out.
     */
    private SetAside aside;
    /** Markers of drains, set before the first completions are set aside. */
    private DrainMarkers markers;

    LegacyCompletionQueue(
        final DeviceContext device,
        final CompletionQueueOwner owner,
        final long handle,
        final CompletionQueueAttributes attributes,
        final long requestNotify,
        final long pollCq,
        final boolean isPlain,
        final FailedWork failedWork) {
        super(device, owner, handle, attributes, requestNotify, 0);
        this.pollCq = pollCq;
        this.isPlain = isPlain;
        this.failedWork = failedWork;
        batch = new CompletionBatch(fields);
    }

    /**
     * Takes all that the library has, and keeps it for the poller, which is kept out.
     *
     * @return see {@link SetAside#take}; of a queue that has overrun nobody takes anything.
     */
    int takeAside(final int queuePair, final DrainMarkers known, final long marker) {
        if (isShut()) {
            return 0;
        }
        if (aside == null) {
            aside = new SetAside(pollCq, handle, capacity());
            markers = known;
        }
        return aside.take(queuePair, known, marker);
    }

    /** Forgets a queue pair, while the poller is kept out: nothing that is set aside is of it from now on. */
    void forgetAside(final int queuePair) {
        if (aside != null) {
            aside.forget(queuePair);
            leaveAside();
        }
    }

    /** Notes, while the poller is kept out, that it may meet markers, and is not given them. */
    void awaitMarkers() {
        if (aside != null) {
            aside.awaitMarkers();
        }
    }

    private void leaveAside() {
        if (aside.isOver()) {
            aside = null;
        }
    }

    @Override
    public int startPoll() {
        batch.checkEnded();
        final int result = isShut() ? Errno.EINVAL : batch.isDrained() ? take() : Errno.OK;
        if (result == Errno.OK) {
            batch.start();
            settle();
            poller = Thread.currentThread().threadId();
        }
        return result;
    }

    @Override
    public int nextPoll() {
        if (batch.next()) {
            settle();
            return Errno.OK;
        }
        // A short batch was all that there was. When the device fails, endPoll passes over the last one as ever.
        final int result = batch.isShort() || isShut() ? Errno.ENOENT : take();
        if (result == Errno.OK) {
            settle();
        }
        return result == Errno.EBUSY ? Errno.ENOENT : result;
    }

    private void settle() {
        final int status = batch.status();
        if (status != WorkStatus.SUCCESS && status != WorkStatus.WR_FLUSH_ERR) {
            takenQueuePairs.onFailedWork(this, batch.ledgerQueuePairNumber());
        }
        if (takenLedgers != null) {
            settle(takenLedgers, batch.ledgerQueuePairNumber(), status,
                status == WorkStatus.SUCCESS ? batch.opcode() : 0);
        }
    }

    /** Fill the records anew; the current one, if any, is gone. */
    private int take() {
        guard.enter();
        try {
            final int admission = admission();
            if (admission != Errno.OK) {
                return admission;
            }
            final int taken = ask();
            if (taken > 0) {
                batch.fill(taken);
                takenLedgers = ledgers();
                takenQueuePairs = failedWork.known();
                return Errno.OK;
            }
            return taken == 0 ? Errno.ENOENT : EIO;
        } finally {
            guard.leave();
        }
    }

    /**
     * Passes over forgotten ones from the beginning on: the device answers EINVAL for a completion of a queue pair that
     * is gone.
     */
    void passForgotten() {
        hasForgotten = true;
    }

    /** Take completions, first those set aside. A forgotten one has an answer that elsewhere tells of a dead queue. */
    private int ask() {
        if (aside != null) {
            final int handed = aside.hand(markers, batch.address(), CompletionBatch.CAPACITY, isPlain);
            leaveAside();
            return handed;
        }
        int left = hasForgotten ? capacity() : 0;
        int taken;
        do {
            taken = isPlain
                ? HotCalls.pollCqBlocking(pollCq, handle, CompletionBatch.CAPACITY, batch.address())
                : HotCalls.pollCq(pollCq, handle, CompletionBatch.CAPACITY, batch.address());
        } while (taken == -Errno.EINVAL && left-- > 0);
        return taken;
    }

    @Override
    public void endPoll() {
        batch.end();
        poller = 0;
    }

    @Override
    public long workRequestId() {
        return batch.workRequestId();
    }

    @Override
    public int status() {
        return batch.status();
    }

    @Override
    public int opcode() {
        return batch.opcode();
    }

    @Override
    public int vendorError() {
        return batch.vendorError();
    }

    @Override
    public int flags() {
        return batch.flags();
    }

    @Override
    public int byteLength() {
        return batch.byteLength();
    }

    @Override
    public int immediateData() {
        return batch.immediateData();
    }

    @Override
    public int invalidatedKey() {
        return batch.invalidatedKey();
    }

    @Override
    public int partitionKeyIndex() {
        return batch.partitionKeyIndex();
    }

    @Override
    public int queuePairNumber() {
        return batch.queuePairNumber();
    }

    @Override
    public int sourceQueuePair() {
        return batch.sourceQueuePair();
    }

    @Override
    public int sourceLid() {
        return batch.sourceLid();
    }

    @Override
    public int serviceLevel() {
        return batch.serviceLevel();
    }

    @Override
    public int destinationPathBits() {
        return batch.destinationPathBits();
    }
}

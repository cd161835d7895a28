package io.sluice.verbs.software;

import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import org.agrona.UnsafeApi;

/**
 * Data path: reads the completion entries of a queue pair that draws on a shared receive queue. With each entry comes
 * the token of the receive that the peer took; one that is not out ends the link. When the queue pair fails, what has
 * arrived is still told, and nothing is flushed: the receives are the others', too.
 */
final class SharedReceiveCompletions extends ReceiveCompletions {
    private final SoftwareSharedReceiveQueue shared;
    private final long tokens;
    private final int mask;

    SharedReceiveCompletions(
        final QueueOwner owner,
        final QueuePairNumbers numbers,
        final Posted receives,
        final long file,
        final QueuePairAttributes attributes) {
        super(owner, numbers, receives, file, attributes);
        shared = (SoftwareSharedReceiveQueue) attributes.sharedReceiveQueue();
        final int capacity = ReceiveQueue.completionEntriesFor(attributes);
        tokens = file + ReceiveQueue.completionsOffset(attributes) + (long) capacity * QueuePairLayout.ENTRY_LENGTH;
        mask = capacity - 1;
    }

    private int token(final long index) {
        return UnsafeApi.getInt(tokens + (index & mask) * Integer.BYTES);
    }

    @Override
    boolean poll(final PolledCompletionQueue queue) {
        if (isFlushing() || !hasEntry()) {
            return false;
        }
        final int verdict = (int) seal();
        final long body = body();
        final int token = token(consumed());
        final boolean isOut = shared.isOut(token);
        final long workRequestId = isOut ? shared.workRequestId(token) : 0;
        if (isOut && hasArrived(verdict, body) && shared.giveBack(token)) {
            consume(queue, workRequestId, verdict, body);
            return true;
        }
        final int status = endLink(verdict);
        if (status == WorkStatus.SUCCESS || !isOut || !shared.giveBack(token)) {
            return false;
        }
        consume(queue, workRequestId, QueuePairLayout.verdict(WorkFlags.NONE, WorkOpcode.RECV, status), 0);
        return true;
    }

    @Override
    boolean hasWork() {
        return !isFlushing() && hasEntry();
    }

    /** A bound of the receives that are outstanding: those posted to the shared queue that have not come back. */
    @Override
    long outstanding() {
        return shared.outstanding();
    }

    @Override
    boolean isToFlush() {
        return false;
    }

    @Override
    long arrived() {
        final long from = consumed();
        long index = from;
        while (index - from <= mask && hasSequence(index)) {
            index++;
        }
        return index - from;
    }

    /** Give back the receives of what arrived and was not polled; their completions vanish with the queue pair. */
    @Override
    void release() {
        final long end = consumed() + arrived();
        for (long index = consumed(); index < end; index++) {
            final int token = token(index);
            if (shared.isOut(token)) {
                shared.giveBack(token);
            }
        }
    }
}

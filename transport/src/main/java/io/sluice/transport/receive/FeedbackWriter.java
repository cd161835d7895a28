package io.sluice.transport.receive;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.transport.buffer.WorkRequestId;
import io.sluice.transport.buffer.SendQueueLedger;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.WorkFlags;
import java.lang.invoke.VarHandle;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells the publication in one epoch what is consumed and how many receives are posted, when that is due: writes the
 * feedback cell into its memory, inline where the queue pair allows it. Polling thread only; never blocks, allocates
 * nothing after construction.
 */
final class FeedbackWriter {
    private final ImagePositions positions;
    private final ReceiveCredits credits;
    private final QueuePair queuePair;
    private final SendQueueLedger ledger;
    private final UnsafeBuffer cells;
    private final long cellsAddress;
    private final int cellsKey;
    private final int cellCount;
    private final int inlineFlag;
    private final long workRequestId;
    private final long feedbackAddress;
    private final int feedbackKey;
    private int nextCell;
    private boolean isPeerReceiving;

    FeedbackWriter(
        final InboundEpoch epoch,
        final int signalInterval,
        final ImagePositions positions,
        final ReceiveCredits credits) {
        this.positions = positions;
        this.credits = credits;
        isPeerReceiving = !positions.isJoined();
        queuePair = epoch.queuePair();
        final int slots = Math.min(queuePair.attributes().maxSendWork(), InboundEpoch.SEND_QUEUE_LENGTH);
        ledger = new SendQueueLedger(slots, signalInterval);
        if (epoch.staging() == null) {
            cells = new UnsafeBuffer(BufferUtil.allocateDirectAligned(64, 64), 0, FeedbackDescriptor.CELL_LENGTH);
            cellsAddress = cells.addressOffset();
            cellsKey = 0;
            cellCount = 1;
            inlineFlag = WorkFlags.INLINE;
        } else {
            cells = epoch.staging().buffer();
            cellsAddress = epoch.staging().address();
            cellsKey = epoch.staging().localKey();
            cellCount = slots;
            inlineFlag = WorkFlags.NONE;
        }
        workRequestId = WorkRequestId.pack(
            WorkRequestId.KIND_FEEDBACK,
            WorkRequestId.index(epoch.receives().workRequestId()),
            WorkRequestId.generation(epoch.receives().workRequestId()));
        feedbackAddress = epoch.feedback().address();
        feedbackKey = epoch.feedback().key();
    }

    boolean hasRoom() {
        return ledger.hasRoom();
    }

    /**
     * Notes that the publication's queue pair receives in this epoch: a report before would fail, and the epoch with
     * it.
     */
    void establish() {
        isPeerReceiving = true;
    }

    /** {@return whether feedback is due, of which all is due to an idle polling thread} */
    boolean isDue(final boolean idle) {
        return isPeerReceiving && (positions.isReportDue() || credits.isReportDue()
            || idle && (positions.unreported() | credits.unreported()) != 0);
    }

    /**
     * Post one cell. The caller has checked {@link #hasRoom()}.
     *
     * @return false when the queue pair refuses, which means that the link is broken.
     */
    boolean write() {
        final long consumedPosition = positions.consumed();
        final long receivesPosted = credits.posted();
        final int offset = nextCell * FeedbackDescriptor.CELL_LENGTH;
        // the publication writes over what it is told is consumed: handlers must have read it before any store of the
        // post. The release store of consumed keeps their reads before itself, but lets these stores pass
        VarHandle.releaseFence();
        cells.putLong(offset + FeedbackDescriptor.CONSUMED_POSITION_OFFSET, consumedPosition);
        cells.putLong(offset + FeedbackDescriptor.RECEIVES_POSTED_OFFSET, receivesPosted);
        final boolean signalled = ledger.nextIsSignalled();
        final int result = queuePair.postWrite(
            workRequestId,
            signalled ? WorkFlags.SIGNALED | inlineFlag : inlineFlag,
            cellsAddress + offset,
            cellsKey,
            FeedbackDescriptor.CELL_LENGTH,
            feedbackAddress,
            feedbackKey);
        if (result != Errno.OK) {
            return false;
        }
        // a cell is reused only after its send-queue slot was, so the device is done with it
        nextCell = nextCell + 1 == cellCount ? 0 : nextCell + 1;
        ledger.onPosted(signalled);
        positions.onReported();
        credits.onReported();
        return true;
    }

    boolean onCompletion() {
        return ledger.onCompletion();
    }
}

package io.sluice.transport.receive;

import io.sluice.verbs.Errno;

/**
 * The receives that a link gives its publication, which uses up one for each write: drained are those whose completions
 * were and that are to be posted again, posted are all of an epoch so far, and reported those that the publication was
 * told of. Polling thread only.
 */
final class ReceiveCredits {
    private InboundEpoch epoch;
    private int chain;
    private int drained;
    private long posted;
    private long reported;

    /** Begins a new epoch, with receives posted that the publication knows of. */
    void begin(final InboundEpoch newEpoch) {
        epoch = newEpoch;
        chain = newEpoch.receives().reportInterval();
        drained = 0;
        posted = newEpoch.receives().depth();
        reported = posted;
    }

    /** Notes that the completion of a receive was drained. */
    void onDrained() {
        drained++;
    }

    /** {@return false when the queue pair refuses drained receives, given back in chains or all} */
    boolean repost(final boolean all) {
        if (drained >= chain || all && drained > 0) {
            if (epoch.queuePair().postReceives(epoch.receives().workRequestId(), drained) != Errno.OK) {
                return false;
            }
            posted += drained;
            drained = 0;
        }
        return true;
    }

    /** {@return whether a chain of receives is to be given back, or the publication must be told of one} */
    boolean isMaintenanceDue() {
        return drained >= chain || isReportDue();
    }

    /** {@return whether receives are to be given back} */
    boolean hasDrained() {
        return drained > 0;
    }

    /** {@return receives posted in this epoch} */
    long posted() {
        return posted;
    }

    /** {@return receives that are posted and not reported} */
    long unreported() {
        return posted - reported;
    }

    /** {@return whether those are as many as the publication must be told of} */
    boolean isReportDue() {
        return posted - reported >= chain;
    }

    /** Notes that the publication was told of all that are posted. */
    void onReported() {
        reported = posted;
    }
}

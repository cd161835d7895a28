package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.NextStep;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The place that a {@link DirectPoll} hands messages to where latencies are kept: measures them on their way to the
 * image's view. One for all images, since one is polled at a time. The polling thread.
 */
final class MeasuredView {
    private static final String CONSUMER = "poll";

    private final MessageTimes times;
    private final LatencyMeter meter;
    private MessageView view;
    private boolean hasArrived;
    private long arrivedNs;

    private MeasuredView(final MessageTimes times) {
        this.times = times;
        meter = times.meter(CONSUMER);
    }

    /** {@return a place that measures, or null where no latencies are kept} */
    static MeasuredView of(final MessageTimes times) {
        return times.hasLatency() ? new MeasuredView(times) : null;
    }

    /** Begins a poll, of one image or several. */
    void begin() {
        hasArrived = false;
    }

    /** {@return this place, on the way to the view that messages go to from now on} */
    MeasuredView to(final MessageView newView) {
        view = newView;
        return this;
    }

    /** Counts what was handled in the poll that ends. */
    void end() {
        meter.endBatch();
    }

    /** Hands a message on, and measures it: see {@link MessageView#onMessage}. */
    NextStep onMessage(
        final UnsafeBuffer ring, final int frameOffset, final long lengthWord, final long endPosition) {
        if (!hasArrived) {
            // what a poll finds has arrived when it begins: one reading of the clock does for all
            hasArrived = true;
            arrivedNs = times.nowNs();
        }
        final long offeredNs = EventSlot.offeredNs(
            view, lengthWord, ring.getLong(frameOffset + FrameDescriptor.RESERVED_VALUE_OFFSET));
        if (offeredNs == EventSlot.NOT_STAMPED) {
            return view.onMessage(ring, frameOffset, lengthWord, endPosition);
        }
        NextStep step = NextStep.CONTINUE;
        try {
            step = view.onMessage(ring, frameOffset, lengthWord, endPosition);
        } finally {
            if (step != NextStep.ABORT) {
                // one that is aborted comes again; one whose handler throws does not
                times.onArrived(offeredNs, arrivedNs);
                meter.onHandled(offeredNs);
            }
        }
        return step;
    }
}

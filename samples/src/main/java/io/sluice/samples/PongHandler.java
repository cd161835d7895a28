package io.sluice.samples;

import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Header;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * Takes the answers: checks that each one belongs to the ping that was sent, in order, none missing and none twice, and
 * records the round trip. One thread, the one that sends the pings too.
 * <p>
 * A message is a sequence number, a timestamp and padding up to its length.
 */
final class PongHandler implements FragmentHandler {
    /** Length of the shortest message, in bytes: sequence number and timestamp. */
    static final int MIN_MESSAGE_LENGTH = 2 * Long.BYTES;

    private static final int SEQUENCE_OFFSET = 0;
    private static final int TIMESTAMP_OFFSET = Long.BYTES;

    private final Histogram histogram;
    private final NanoClock clock;
    private final int messageLength;
    private final long firstSequence;
    private long sent;
    private long answered;
    private long foreign;
    private String mismatch;

    /**
     * Creates a handler that has seen nothing.
     *
     * @param histogram     gets the round trips in nanoseconds; longer ones than it can hold count as its longest.
     * @param clock         that also stamps the pings.
     * @param messageLength of every ping in bytes.
     * @param firstSequence where to begin; random, so that answers to another process's pings are told from ours.
     */
    PongHandler(
        final Histogram histogram, final NanoClock clock, final int messageLength, final long firstSequence) {
        this.histogram = histogram;
        this.clock = clock;
        this.messageLength = messageLength;
        this.firstSequence = firstSequence;
    }

    /** Write the next ping, which counts as sent from now on. It may be offered again, but is never stamped again. */
    void nextPing(final MutableDirectBuffer message, final long timestampNs) {
        message.putLong(SEQUENCE_OFFSET, firstSequence + sent);
        message.putLong(TIMESTAMP_OFFSET, timestampNs);
        sent++;
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final long nowNs = clock.nanoTime();
        final long index = length < MIN_MESSAGE_LENGTH ? -1 : buffer.getLong(offset + SEQUENCE_OFFSET) - firstSequence;
        if (index < 0 || index >= sent) {
            foreign++;
        } else if (index != answered || length != messageLength) {
            onMismatch(index, length);
        } else {
            answered++;
            final long roundTripNs = nowNs - buffer.getLong(offset + TIMESTAMP_OFFSET);
            histogram.recordValue(Math.min(roundTripNs, histogram.getHighestTrackableValue()));
        }
    }

    private void onMismatch(final long index, final int length) {
        if (mismatch != null) {
            return;
        }
        if (index > answered) {
            mismatch = "lost: pong " + answered + " is missing, after it came pong " + index;
        } else if (index < answered) {
            mismatch = "duplicated: pong " + index + " came again when pong " + answered
                + " was expected; is there more than one pong on this channel and stream?";
        } else {
            mismatch = "changed: pong " + index + " has " + length + " bytes instead of " + messageLength;
        }
    }

    /** Pings that were sent, or are being offered, and not answered yet. */
    long outstanding() {
        return sent - answered;
    }

    long answered() {
        return answered;
    }

    /** Answers to pings of somebody else, or of an earlier run. */
    long foreign() {
        return foreign;
    }

    /** The mistake in the first answer that did not fit, or null. */
    String mismatch() {
        return mismatch;
    }
}

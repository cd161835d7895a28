package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.perf.peer.MessageListener;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stall is charged to every message that it delayed, and who cannot keep up does not count. All bounds are lower
 * ones: a busy machine only makes them larger.
 */
class FixedRateSideTest {
    private static final int LENGTH = 200;
    private static final int RATE = 10_000;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int NEVER = -1;

    private final SideResult result = new SideResult();
    private final Queue<byte[]> echoes = new ArrayDeque<>();
    private long sent;
    private long stalledMessage = NEVER;
    private long refusedMessage = NEVER;
    private long wrongMessage = NEVER;
    private long tornMessage = NEVER;
    private int tornAt;
    private long stallNs = STALL_NS;

    @Test
    void shouldChargeAStallToAllMessagesThatWereDueMeanwhile() {
        run(RATE, 2 * STALL_NS, () -> stalledMessage = sent + 50);

        final Histogram roundTrips = result.roundTrips();
        assertNull(result.failure());
        assertEquals(400, roundTrips.getTotalCount());
        final long delayedByHalf = roundTrips.getCountBetweenValues(STALL_NS / 2, Long.MAX_VALUE);
        assertTrue(delayedByHalf >= 99, "only " + delayedByHalf + " messages seem to have been late");
    }

    @Test
    void shouldChargeTheTimeInWhichAnOfferIsRefused() {
        run(RATE, 2 * STALL_NS, () -> refusedMessage = sent + 50);

        final long delayedByHalf = result.roundTrips().getCountBetweenValues(STALL_NS / 2, Long.MAX_VALUE);
        assertTrue(delayedByHalf >= 99, "only " + delayedByHalf + " messages seem to have been late");
    }

    @Test
    void shouldTellThatTheRateWasMissed() {
        stallNs = TimeUnit.MICROSECONDS.toNanos(200);
        run(RATE, STALL_NS, () -> stalledMessage = Long.MAX_VALUE);

        assertNotNull(result.missedRate());
        assertNull(result.failure(), "it is whole nevertheless");
    }

    @Test
    void shouldNotMissTheRateOfAMessageThatIsDueAtOnce() {
        run(1, 0, () -> { });

        assertNull(result.missedRate());
        assertEquals(1, result.number(SideResult.MESSAGES));
    }

    @Test
    void shouldFailWhenAnEchoIsAnotherMessage() {
        run(RATE, STALL_NS, () -> wrongMessage = sent + 50);

        assertNotNull(result.failure());
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 128, LENGTH - Long.BYTES})
    void shouldFailWhenAnEchoIsTorn(int place) {
        tornAt = place;
        run(RATE, STALL_NS, () -> tornMessage = sent + 50);

        assertNotNull(result.failure());
    }

    /** Run the side; what happens to messages is set when the first one that is measured is about to be sent. */
    private void run(int rate, long durationNs, Runnable beforeMeasured) {
        final Side side = new FixedRateSide(new SideSettings(
            Role.FIXED_RATE, PeerKind.CACHE_LINE, "", Path.of(""), 0, LENGTH, rate, 1, 0, 0, 0, durationNs, false), 0);
        side.open(new StallingPeer(beforeMeasured));
        side.run(result);
    }

    /** Echoes on the same thread. */
    private final class StallingPeer extends StubPeer {
        /** At the rate, for no time. */
        private static final int WARM_UP_MESSAGES = 1;
        private final Runnable beforeMeasured;
        private long refusedSinceNs;

        StallingPeer(Runnable beforeMeasured) {
            this.beforeMeasured = beforeMeasured;
        }

        @Override
        public Sender addSender(int streamId) {
            return sender((buffer, offset, length) -> {
                if (sent == WARM_UP_MESSAGES) {
                    beforeMeasured.run();
                }
                if (sent == refusedMessage && isRefusing()) {
                    return false;
                }
                if (sent == stalledMessage || sent >= WARM_UP_MESSAGES && stalledMessage == Long.MAX_VALUE) {
                    stall();
                }
                final byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                if (sent == wrongMessage) {
                    bytes[RoundTripMessage.SEQUENCE_OFFSET]++;
                }
                if (sent == tornMessage) {
                    // as it was in the message before
                    bytes[tornAt]--;
                }
                echoes.add(bytes);
                sent++;
                return true;
            });
        }

        private boolean isRefusing() {
            refusedSinceNs = refusedSinceNs == 0 ? System.nanoTime() : refusedSinceNs;
            return System.nanoTime() - refusedSinceNs < stallNs;
        }

        private void stall() {
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < stallNs) {
                Thread.onSpinWait();
            }
        }

        @Override
        public Receiver addReceiver(int streamId, MessageListener listener, int messageLimit) {
            return receiver(() -> {
                final byte[] echo = echoes.poll();
                if (echo == null) {
                    return 0;
                }
                listener.onMessage(new UnsafeBuffer(echo), 0, LENGTH);
                return 1;
            });
        }
    }
}

package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * The delay that a full stream causes is charged to every message that was due meanwhile, and what waits behind a full
 * ring goes on without a further message. All bounds are lower ones.
 */
class PacedHandOffSideTest {
    private static final int LENGTH = 32;
    private static final int RATE = 10_000;
    private static final int MESSAGES = 400;
    private static final long REFUSAL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int FLUSHES_OF_ECHO = 3;

    private final SideResult result = new SideResult();
    private final Queue<byte[]> echoes = new ArrayDeque<>();
    private long sent;
    private long refusedMessage;
    private long refusedSinceNs;
    private int flushes;
    private int overtaken;

    @Test
    void shouldChargeARefusalToAllMessagesThatWereDueMeanwhile() {
        refusedMessage = 50;
        run();

        assertNull(result.failure());
        assertEquals(MESSAGES, result.offers().getTotalCount());
        final long delayedByHalf = result.offers().getCountBetweenValues(REFUSAL_NS / 2, Long.MAX_VALUE);
        assertTrue(delayedByHalf >= 99, "only " + delayedByHalf + " messages seem to have been late");
    }

    @Test
    void shouldMeasureOffersAndRoundTripsApart() {
        run();

        assertEquals(MESSAGES, result.roundTrips().getTotalCount());
        assertTrue(result.offers().getMinValue() <= result.roundTrips().getMinValue(), "an echo comes later");
    }

    /** However busy the machine is: the thread cannot be late with each of them. */
    @Test
    void shouldLetWhatWaitsGoOnWithoutAFurtherMessage() {
        run();

        assertTrue(overtaken < MESSAGES - 1, "every message came before the echo of the one before");
    }

    private void run() {
        final Side side = new PacedHandOffSide(new SideSettings(Role.PACED_HAND_OFF, PeerKind.DISRUPTOR, "",
            Path.of(""), 0, LENGTH, RATE, 1, 0, 0, 0, MESSAGES * TimeUnit.SECONDS.toNanos(1) / RATE, false), 0);
        side.open(new SlowlyFlushedPeer());
        side.run(result);
    }

    /** Echoes on the same thread, when it was flushed often enough. */
    private final class SlowlyFlushedPeer extends StubPeer {
        @Override
        public Sender addSender(int streamId) {
            return sender((buffer, offset, length) -> {
                if (refusedMessage > 0 && sent == refusedMessage && isRefusing()) {
                    return false;
                }
                overtaken += echoes.isEmpty() ? 0 : 1;
                final byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                echoes.add(bytes);
                flushes = 0;
                sent++;
                return true;
            }, () -> flushes++);
        }

        private boolean isRefusing() {
            refusedSinceNs = refusedSinceNs == 0 ? System.nanoTime() : refusedSinceNs;
            return System.nanoTime() - refusedSinceNs < REFUSAL_NS;
        }

        @Override
        public Receiver addReceiver(int streamId, MessageListener listener, int messageLimit) {
            return receiver(() -> {
                if (flushes < FLUSHES_OF_ECHO || echoes.isEmpty()) {
                    return 0;
                }
                listener.onMessage(new UnsafeBuffer(echoes.remove()), 0, LENGTH);
                return 1;
            });
        }
    }
}

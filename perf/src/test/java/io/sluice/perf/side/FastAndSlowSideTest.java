package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.perf.peer.MessageListener;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The slow consumer is left alone while it pauses, the fast one is not, and what either misses is noticed. Times have
 * lower bounds only.
 */
class FastAndSlowSideTest {
    private static final int LENGTH = 200;
    private static final int TORN_AT = 128;
    private static final int FAST = 0;
    private static final int SLOW = 1;
    private static final int NOBODY = 2;
    private static final int MESSAGES = SideSettings.MAX_PAUSE_INTERVAL + 100;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long FOR_EVER_NS = TimeUnit.HOURS.toNanos(1);
    private static final long NEVER = -1;

    private final SideResult result = new SideResult();
    private final long[] had = new long[2];
    private int lossyConsumer = NOBODY;
    private int swappingConsumer = NOBODY;
    private int tearingConsumer = NOBODY;
    private long echoes;
    private long slowStoodStillNs;
    private long refusedEcho = NEVER;
    private int ratePerSecond;

    @Test
    void shouldAnswerForTheFastOneOnly() {
        run(0);

        assertNull(result.failure());
        assertEquals(MESSAGES, echoes);
        assertEquals(MESSAGES, result.number(SideResult.TOTAL_MESSAGES));
    }

    @Test
    void shouldNotPollTheSlowOneWhileItPauses() {
        run(PAUSE_NS);

        assertNull(result.failure());
        assertTrue(slowStoodStillNs >= PAUSE_NS, "it paused for " + slowStoodStillNs + " ns");
    }

    @Test
    void shouldPollTheFastOneWhileTheSlowOnePauses() {
        refusedEcho = MESSAGES - 1;

        assertThrows(IllegalStateException.class, () -> run(FOR_EVER_NS));
        assertEquals(SideSettings.MAX_PAUSE_INTERVAL, had[SLOW]);
        assertEquals(MESSAGES, had[FAST]);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "10000, 2000", "100000, 20000", "1000000, 20000"})
    void shouldPauseSoonerWhereFewerMessagesAreSent(final int messagesPerSecond, final int interval) {
        ratePerSecond = messagesPerSecond;
        refusedEcho = MESSAGES - 1;

        assertThrows(IllegalStateException.class, () -> run(FOR_EVER_NS));
        assertEquals(interval, had[SLOW]);
    }

    @Test
    void shouldFailWhenTheSlowOneMissesAMessage() {
        lossyConsumer = SLOW;
        run(0);

        assertNotNull(result.failure());
    }

    @Test
    void shouldFailWhenTheFastOneMissesAMessage() {
        lossyConsumer = FAST;
        run(0);

        assertNotNull(result.failure());
    }

    @Test
    void shouldFailWhenTheSlowOneHasMessagesOutOfOrder() {
        swappingConsumer = SLOW;
        run(0);

        assertNotNull(result.failure());
    }

    @ParameterizedTest
    @ValueSource(ints = {FAST, SLOW})
    void shouldFailWhenEitherHasAMessageThatIsTornInTheMiddle(int consumer) {
        tearingConsumer = consumer;
        run(0);

        assertNotNull(result.failure());
    }

    @Test
    void shouldTellWhatTheStreamOfEchoesThrows() {
        refusedEcho = 0;

        assertThrows(IllegalStateException.class, () -> run(0));
    }

    private void run(long pauseNs) {
        final Side side = Sides.of(new SideSettings(
            Role.FAST_AND_SLOW, PeerKind.DISRUPTOR, "", Path.of(""), 0, LENGTH, ratePerSecond, 1, pauseNs, 0, 0, 0,
            false));
        side.open(new FullPeer());
        side.run(result);
    }

    /** A peer whose receivers have all messages from the beginning, and hand out one in each poll. */
    private final class FullPeer extends StubPeer {
        private int receivers;
        private long slowAtNs;

        @Override
        public Sender addSender(int streamId) {
            return sender((buffer, offset, length) -> {
                if (echoes == refusedEcho) {
                    throw new IllegalStateException("the stream is gone");
                }
                echoes++;
                return true;
            });
        }

        @Override
        public Receiver addReceiver(int streamId, MessageListener listener, int messageLimit) {
            final int consumer = receivers++;
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            return receiver(() -> {
                if (had[consumer] > MESSAGES) {
                    return 0;
                }
                final long number = had[consumer];
                RoundTripMessage.encode(message, LENGTH, next(consumer));
                if (consumer == tearingConsumer && number == 1) {
                    // as it was in the message before
                    message.putLong(TORN_AT, number);
                }
                listener.onMessage(message, 0, LENGTH);
                return 1;
            });
        }

        private long next(int consumer) {
            final long number = had[consumer]++;
            if (consumer == SLOW && number == SideSettings.MAX_PAUSE_INTERVAL - 1) {
                slowAtNs = System.nanoTime();
            } else if (consumer == SLOW && number == SideSettings.MAX_PAUSE_INTERVAL) {
                slowStoodStillNs = System.nanoTime() - slowAtNs;
            }
            if (number == MESSAGES) {
                return RoundTripMessage.END_SEQUENCE;
            }
            final long sequence = consumer == swappingConsumer ? number ^ 1 : number;
            return sequence + (consumer == lossyConsumer && number > 0 ? 2 : 1);
        }
    }
}

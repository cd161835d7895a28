package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.sluice.perf.peer.MessageListener;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Further receivers answer nothing, but what they miss is noticed, and what is torn on its way there.
 */
class PongSideTest {
    private static final int LENGTH = 200;
    private static final int TORN_AT = 128;
    private static final int RECEIVERS = 3;
    private static final int MESSAGES = 5;

    private final SideResult result = new SideResult();
    private int echoes;
    private int lossyReceiver = -1;
    private int tearingReceiver = -1;

    @Test
    void shouldAnswerOnceHoweverManyReceive() {
        run();

        assertNull(result.failure());
        assertEquals(MESSAGES, echoes);
        assertEquals(MESSAGES, result.number(SideResult.TOTAL_MESSAGES));
    }

    @Test
    void shouldFailWhenAFurtherReceiverMissesAMessage() {
        lossyReceiver = RECEIVERS - 1;
        run();

        assertNotNull(result.failure());
    }

    @Test
    void shouldFailWhenAMessageIsTornInTheMiddle() {
        tearingReceiver = 0;
        run();

        assertNotNull(result.failure());
    }

    @Test
    void shouldFailWhenAFurtherReceiversMessageIsTornInTheMiddle() {
        tearingReceiver = RECEIVERS - 1;
        run();

        assertNotNull(result.failure());
    }

    private void run() {
        final Side side = Sides.of(
            new SideSettings(
                Role.PONG, PeerKind.DISRUPTOR, "", Path.of(""), 0, LENGTH, 0, RECEIVERS, 0, 0, 0, 0, false));
        side.open(new FullPeer());
        side.run(result);
    }

    /** A peer whose receivers have all messages from the beginning. */
    private final class FullPeer extends StubPeer {
        private int receivers;

        @Override
        public Sender addSender(int streamId) {
            return sender((buffer, offset, length) -> {
                echoes++;
                return true;
            });
        }

        @Override
        public Receiver addReceiver(int streamId, MessageListener listener, int messageLimit) {
            final Queue<Long> sequences = new ArrayDeque<>();
            final int number = receivers++;
            for (long sequence = number == lossyReceiver ? 2 : 1; sequence <= MESSAGES; sequence++) {
                sequences.add(sequence);
            }
            sequences.add(RoundTripMessage.END_SEQUENCE);
            return receiver(() -> {
                final Long sequence = sequences.poll();
                if (sequence == null) {
                    return 0;
                }
                final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
                RoundTripMessage.encode(message, LENGTH, sequence);
                if (number == tearingReceiver && sequence == MESSAGES) {
                    message.putLong(TORN_AT, sequence - 1);
                }
                listener.onMessage(message, 0, LENGTH);
                return 1;
            });
        }
    }
}

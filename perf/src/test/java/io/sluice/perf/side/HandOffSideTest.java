package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.perf.peer.MessageListener;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measurements between threads are checked, too: for an echo that is not the message, and for receivers that differ.
 */
class HandOffSideTest {
    private static final int LENGTH = 200;
    private static final int ROUND_TRIPS = 1000;
    private static final int NEVER = -1;

    private final SideResult result = new SideResult();
    private int tornAt;

    @Test
    void shouldMeasureAWholeNumberOfBatches() {
        run(NEVER);

        assertNull(result.failure());
        assertEquals(ROUND_TRIPS, result.number(SideResult.MESSAGES));
        assertTrue(result.number(SideResult.TOTAL_MESSAGES) > ROUND_TRIPS, "a warm-up comes first");
        assertTrue(result.number(SideResult.ONE_WAY_NS) > 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {Long.BYTES, 64, 128, LENGTH - Long.BYTES})
    void shouldFailWhenAnEchoIsTorn(int place) {
        tornAt = place;
        run(7);

        assertNotNull(result.failure());
    }

    @Test
    void shouldTakeTheSlowestReceiver() {
        final SideResult slow = received(100, 3);
        assertSame(slow, SideResult.slowest(List.of(received(100, 9), slow, received(100, 4))));
        assertNull(slow.failure());
    }

    @Test
    void shouldFailWhenReceiversHadDifferentMessages() {
        assertNotNull(SideResult.slowest(List.of(received(100, 9), received(99, 9))).failure());
    }

    @Test
    void shouldFailWhenOneReceiverFailed() {
        final SideResult failed = new SideResult();
        failed.fail("lost a message");

        assertSame(failed, SideResult.slowest(List.of(received(100, 9), failed)));
    }

    private static SideResult received(int messages, int messagesPerSecond) {
        final SideResult received = new SideResult();
        received.put(SideResult.TOTAL_MESSAGES, messages);
        received.put(SideResult.MESSAGES_PER_SECOND, messagesPerSecond);
        return received;
    }

    private void run(int tornEcho) {
        final Side side = Sides.of(
            new SideSettings(
                Role.HAND_OFF, PeerKind.DISRUPTOR, "", Path.of(""), 0, LENGTH, 0, 1, 0, 0, ROUND_TRIPS, 0, false));
        side.open(new EchoPeer(tornEcho));
        side.run(result);
    }

    /** Echoes what it is flushed, on the same thread. */
    private final class EchoPeer extends StubPeer {
        private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        private final int tornEcho;
        private boolean taken;
        private boolean flushed;
        private int echoes;

        EchoPeer(int tornEcho) {
            this.tornEcho = tornEcho;
        }

        @Override
        public Sender addSender(int streamId) {
            return sender((buffer, offset, length) -> {
                message.putBytes(0, buffer, offset, length);
                taken = true;
                return true;
            }, () -> flushed = taken);
        }

        @Override
        public Receiver addReceiver(int streamId, MessageListener listener, int messageLimit) {
            return receiver(() -> {
                if (!flushed) {
                    throw new IllegalStateException("polled for an echo of what was not handed on");
                }
                flushed = false;
                taken = false;
                if (echoes++ == tornEcho) {
                    // as in another message
                    message.putLong(tornAt, message.getLong(tornAt) - 1);
                }
                listener.onMessage(message, 0, LENGTH);
                return 1;
            });
        }
    }
}

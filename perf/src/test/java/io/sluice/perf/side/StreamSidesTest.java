package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.perf.peer.MessageListener;
import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The loss check finds what is missing, whatever the peer: a rig that cannot fail proves nothing.
 */
class StreamSidesTest {
    /** Four lines, the last one not whole. */
    private static final int LENGTH = 200;
    private static final int NEVER = -1;

    @TempDir
    private Path folder;
    private final Queue<byte[]> messages = new ArrayDeque<>();
    private final SideResult published = new SideResult();
    private final SideResult received = new SideResult();
    private int tornAt;

    @Test
    void shouldCountWhatWasSentAndReceived() {
        run(NEVER, NEVER, NEVER);

        assertNull(received.failure());
        assertEquals(published.text(SideResult.TOTAL_MESSAGES), received.text(SideResult.TOTAL_MESSAGES));
        assertEquals(published.number(SideResult.MESSAGES), received.number(SideResult.MESSAGES));
        assertTrue(received.number(SideResult.MESSAGES_PER_SECOND) > 0);
    }

    @Test
    void shouldFailWhenAMessageIsLost() {
        run(7, NEVER, NEVER);

        assertNotNull(received.failure());
    }

    @Test
    void shouldFailWhenAMessageComesTwice() {
        run(NEVER, 7, NEVER);

        assertNotNull(received.failure());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64, 128, LENGTH - Long.BYTES})
    void shouldFailWhenAMessageIsTorn(int place) {
        tornAt = place;
        run(NEVER, NEVER, 7);

        assertNotNull(received.failure());
    }

    @Test
    void shouldReadBackWhatAProcessLeaves() {
        final Path file = folder.resolve("result.properties");
        received.settings(Map.of("log", "1 = 2: three"));
        received.put(SideResult.MESSAGES, 12);

        received.write(file);
        final SideResult read = SideResult.read(file);

        assertEquals(12, read.number(SideResult.MESSAGES));
        assertTrue(read.has(SideResult.MESSAGES));
        assertFalse(read.has(SideResult.CORES_BEFORE_NS));
        assertEquals(Map.of("log", "1 = 2: three"), read.settings());
        assertNull(read.failure());
    }

    @Test
    void shouldKeepTheFirstReasonOfAFailure() {
        received.fail("a message was lost");
        received.fail("the other side has given up");

        assertEquals("a message was lost", received.failure());
    }

    private void run(int lostMessage, int repeatedMessage, int tornMessage) {
        final Peer peer = new QueuePeer(lostMessage, repeatedMessage, tornMessage);
        final Side publish = Sides.of(settings(Role.PUBLISH));
        final Side subscribe = Sides.of(settings(Role.SUBSCRIBE));
        publish.open(peer);
        subscribe.open(peer);
        publish.run(published);
        subscribe.run(received);
    }

    private SideSettings settings(Role role) {
        return new SideSettings(role, PeerKind.CACHE_LINE, "", folder, 0, LENGTH, 0, 1, 0, 0, 0, 0, false);
    }

    /** A queue that does to the n-th message what it is told. */
    private final class QueuePeer extends StubPeer {
        private final int lostMessage;
        private final int repeatedMessage;
        private final int tornMessage;
        private byte[] lastSent;
        private int sent;

        QueuePeer(int lostMessage, int repeatedMessage, int tornMessage) {
            this.lostMessage = lostMessage;
            this.repeatedMessage = repeatedMessage;
            this.tornMessage = tornMessage;
        }

        @Override
        public Sender addSender(int streamId) {
            return sender((buffer, offset, length) -> {
                final byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                if (sent == tornMessage) {
                    // eight bytes are still those of the one before
                    System.arraycopy(lastSent, tornAt, bytes, tornAt, Long.BYTES);
                }
                lastSent = bytes;
                for (int copies = sent == lostMessage ? 0 : sent == repeatedMessage ? 2 : 1; copies > 0; copies--) {
                    messages.add(bytes);
                }
                sent++;
                return true;
            });
        }

        @Override
        public Receiver addReceiver(int streamId, MessageListener listener, int messageLimit) {
            return receiver(() -> {
                listener.onMessage(new UnsafeBuffer(messages.remove()), 0, LENGTH);
                return 1;
            });
        }
    }
}

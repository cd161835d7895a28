package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.sluice.perf.peer.MessageListener;
import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A round trip ends with its echo, not with the first poll that does something, and an echo is the message itself.
 */
class PingSideTest {
    private static final int LENGTH = 32;
    /** Nine fragments of Aeron's. */
    private static final int LONG_LENGTH = 64 * 1024;
    private static final int ROUND_TRIPS = 2000;
    private static final int NEVER = -1;

    @TempDir
    private Path folder;
    private final SideResult result = new SideResult();

    @Test
    void shouldWaitForTheEchoWhenAPollHandlesAPartOfIt() {
        run(3, NEVER);

        assertNull(result.failure());
        assertEquals(ROUND_TRIPS, result.number(SideResult.MESSAGES));
        assertEquals(ROUND_TRIPS, result.number(SideResult.TOTAL_MESSAGES));
    }

    @Test
    void shouldFailWhenAnEchoIsTorn() {
        run(1, 7);

        assertNotNull(result.failure());
    }

    @ParameterizedTest
    @EnumSource(value = PeerKind.class, names = {"AERON_IPC", "AERON_UDP"})
    void shouldMeasureMessagesOfManyFragments(PeerKind kind) throws Exception {
        try (Peer host = launched(kind, true);
            Peer guest = launched(kind, false);
            ExecutorService thread = Executors.newSingleThreadExecutor()) {
            final Side pong = Role.PONG.create(settings(Role.PONG, LONG_LENGTH));
            pong.open(host);
            final SideResult echoed = new SideResult();
            final Future<?> echoing = thread.submit(() -> {
                connect(pong);
                pong.run(echoed);
            });
            final Side ping = new PingSide(settings(Role.PING, LONG_LENGTH), 0);
            ping.open(guest);
            connect(ping);
            ping.run(result);
            while (!echoing.isDone()) {
                ping.attend();
            }
            echoing.get();

            assertNull(result.failure());
            assertEquals(ROUND_TRIPS, result.number(SideResult.MESSAGES));
            assertEquals(ROUND_TRIPS, echoed.number(SideResult.TOTAL_MESSAGES));
        }
    }

    private Peer launched(PeerKind kind, boolean host) {
        final Peer peer = kind.create("127.0.0.1");
        peer.launch(folder, host, LONG_LENGTH);
        return peer;
    }

    private static void connect(Side side) {
        final Patience patience = new Patience("the connection", true);
        while (!side.isConnected()) {
            patience.spin();
        }
    }

    private SideSettings settings(Role role, int length) {
        return new SideSettings(
            role, PeerKind.CACHE_LINE, "", folder, 0, length, 0, 1, 0, 0, ROUND_TRIPS, 0, true);
    }

    private void run(int pollsPerEcho, int tornEcho) {
        final Side side = new PingSide(settings(Role.PING, LENGTH), 0);
        side.open(new FragmentPeer(pollsPerEcho, tornEcho));
        side.run(result);
    }

    /** Echoes on the same thread, each by several polls that do something. */
    private static final class FragmentPeer extends StubPeer {
        private final byte[] echo = new byte[LENGTH];
        private final int pollsPerEcho;
        private final int tornEcho;
        private int polls;
        private int sent;

        FragmentPeer(int pollsPerEcho, int tornEcho) {
            this.pollsPerEcho = pollsPerEcho;
            this.tornEcho = tornEcho;
        }

        @Override
        public Sender addSender(int streamId) {
            return sender((buffer, offset, length) -> {
                // of a torn one the end is the one before's
                buffer.getBytes(offset, echo, 0, sent++ == tornEcho ? length - Long.BYTES : length);
                return true;
            });
        }

        @Override
        public Receiver addReceiver(int streamId, MessageListener listener, int messageLimit) {
            return receiver(() -> {
                if (++polls % pollsPerEcho == 0) {
                    listener.onMessage(new UnsafeBuffer(echo), 0, LENGTH);
                }
                return 1;
            });
        }
    }
}

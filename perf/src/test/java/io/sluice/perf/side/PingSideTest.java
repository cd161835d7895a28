package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.perf.peer.MessageListener;
import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A round trip ends with its echo, not with the first poll that does something, and an echo is the message itself.
 */
class PingSideTest {
    private static final int LENGTH = 32;
    /** Four lines, the last one not whole. */
    private static final int TORN_LENGTH = 200;
    /** Nine fragments of Aeron's. */
    private static final int LONG_LENGTH = 64 * 1024;
    /** Round trips between two looks at the clock: on a busy machine time is over at the second one. */
    private static final int ROUND_TRIPS = 1000;
    private static final int NEVER = -1;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    @TempDir
    private Path folder;
    private final SideResult result = new SideResult();

    @Test
    void shouldWaitForTheEchoWhenAPollHandlesAPartOfIt() {
        run(3, NEVER);

        assertNull(result.failure());
        assertEquals(ROUND_TRIPS, result.roundTrips().getTotalCount());
        assertEquals(result.number(SideResult.MESSAGES), result.number(SideResult.TOTAL_MESSAGES));
    }

    /** A lower bound: a busy machine only makes it larger. */
    @Test
    void shouldTimeBatchesAfterTheRoundTripsThatAreTimedOneByOne() {
        run(new FragmentPeer(LENGTH, 1, NEVER, 0) {
            @Override
            void beforeEcho(final int number) {
                if (number >= ROUND_TRIPS && number % ClosedLoopSide.ROUND_TRIPS_PER_BATCH == 0) {
                    final long startNs = System.nanoTime();
                    while (System.nanoTime() - startNs < STALL_NS) {
                        Thread.onSpinWait();
                    }
                }
            }
        });

        assertNull(result.failure());
        assertEquals(ROUND_TRIPS, result.roundTrips().getTotalCount());
        assertTrue(result.number(SideResult.MESSAGES) > ROUND_TRIPS, "batches come after them");
        final double batchNs = result.number(SideResult.BATCH_ROUND_TRIP_NS);
        assertTrue(batchNs >= (double) STALL_NS / ClosedLoopSide.ROUND_TRIPS_PER_BATCH,
            "one stall in each batch, but a mean of " + batchNs + " ns");
    }

    @Test
    void shouldFailWhenAnEchoIsTorn() {
        run(1, 7);

        assertNotNull(result.failure());
    }

    @ParameterizedTest
    @ValueSource(ints = {Long.BYTES, 64, 128, TORN_LENGTH - Long.BYTES})
    void shouldFailWhenAnEchoIsTornAnywhere(int place) {
        run(new FragmentPeer(TORN_LENGTH, 1, 7, place));

        assertNotNull(result.failure());
    }

    @Test
    void shouldFailWhenAnEchoOfABatchIsTorn() {
        run(1, ROUND_TRIPS + 7);

        assertNotNull(result.failure());
    }

    @ParameterizedTest
    @EnumSource(value = PeerKind.class, names = {"AERON_IPC", "AERON_UDP"})
    void shouldMeasureMessagesOfManyFragments(PeerKind kind) throws Exception {
        try (Peer host = launched(kind, true);
            Peer guest = launched(kind, false);
            ExecutorService thread = Executors.newSingleThreadExecutor()) {
            final Side pong = Sides.of(settings(Role.PONG, LONG_LENGTH));
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
            assertEquals(ROUND_TRIPS, result.roundTrips().getTotalCount());
            assertEquals(result.number(SideResult.MESSAGES), echoed.number(SideResult.TOTAL_MESSAGES));
            final String polling = host.settings().get("subscription");
            assertTrue(polling.contains("a FragmentAssembler for messages of more than 8160 B"), polling);
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
        run(new FragmentPeer(LENGTH, pollsPerEcho, tornEcho, LENGTH - Long.BYTES));
    }

    private void run(FragmentPeer peer) {
        final Side side = new PingSide(settings(Role.PING, peer.echo.length), 0);
        side.open(peer);
        side.run(result);
    }

    /** Echoes on the same thread, each by several polls that do something. */
    private static class FragmentPeer extends StubPeer {
        private final byte[] echo;
        private final int pollsPerEcho;
        private final int tornEcho;
        private final int tornAt;
        private int polls;
        private int sent;

        FragmentPeer(int length, int pollsPerEcho, int tornEcho, int tornAt) {
            echo = new byte[length];
            this.pollsPerEcho = pollsPerEcho;
            this.tornEcho = tornEcho;
            this.tornAt = tornAt;
        }

        /** Learns of each echo before it is handed out, from 0. */
        void beforeEcho(int number) {
            // for most there is nothing to do
        }

        @Override
        public Sender addSender(int streamId) {
            return sender((buffer, offset, length) -> {
                final byte[] before = echo.clone();
                buffer.getBytes(offset, echo, 0, length);
                if (sent++ == tornEcho) {
                    // eight bytes are still those of the one before
                    System.arraycopy(before, tornAt, echo, tornAt, Long.BYTES);
                }
                return true;
            });
        }

        @Override
        public Receiver addReceiver(int streamId, MessageListener listener, int messageLimit) {
            return receiver(() -> {
                if (++polls % pollsPerEcho == 0) {
                    beforeEcho(sent - 1);
                    listener.onMessage(new UnsafeBuffer(echo), 0, echo.length);
                }
                return 1;
            });
        }
    }
}

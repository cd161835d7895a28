package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.Backoff;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A connection of which each part is used by a thread of its own, as its documentation allows; and connections that
 * each have a thread, after librpma's tests/multithreaded/conn rpma_read, rpma_write and rpma_write_read.
 */
class ConnectionThreadsTest extends RpmaDeviceTests {
    private static final int MESSAGES = 200;
    /** Receives that are always there, and messages that are sent before one is known to have arrived. */
    private static final int WINDOW = 8;
    private static final int CONNECTIONS = 4;
    private static final int ROUNDS = 8;
    private static final int LENGTH = 1024;

    /** A direction, from one side to the other. */
    private static final class Way {
        private final RpmaSide from;
        private final RpmaSide to;
        /** Messages that have arrived and whose receive is posted again. */
        private final AtomicInteger arrived = new AtomicInteger();
        /** Messages whose completions are taken: a completion queue must not run over. */
        private final AtomicInteger sent = new AtomicInteger();

        private Way(final RpmaSide from, final RpmaSide to) {
            this.from = from;
            this.to = to;
        }

        private int done() {
            return Math.min(arrived.get(), sent.get());
        }
    }

    /** Posts, and nothing else: the bytes of each message are at a place of their own while it is under way. */
    private void send(final Way way) {
        final Backoff backoff = new Backoff();
        final RpmaSide side = way.from;
        for (int i = 0; i < MESSAGES; i++) {
            while (i - way.done() >= WINDOW) {
                rig.workers.idle(backoff);
            }
            final int offset = RpmaSide.LOCAL + i % WINDOW * Long.BYTES;
            side.buffer.putLong(offset, i);
            assertEquals(RpmaError.OK,
                side.connection.send(side.region, offset, Long.BYTES, RpmaCompletionFlags.ALWAYS, i));
        }
    }

    private static void takeSent(final Way way) {
        for (int i = 0; i < MESSAGES; i++) {
            final TakenCompletion completion = way.from.main.nextSuccess();
            assertEquals(WorkOpcode.SEND, completion.opcode());
            assertEquals(i, completion.workRequestId());
            way.sent.incrementAndGet();
        }
    }

    private static void takeReceived(final Way way) {
        final RpmaSide side = way.to;
        for (int i = 0; i < MESSAGES; i++) {
            final TakenCompletion completion = side.receives.nextSuccess();
            assertEquals(WorkOpcode.RECV, completion.opcode());
            assertEquals(i, side.buffer.getLong(RpmaSide.slotOf(completion)));
            assertEquals(RpmaError.OK, side.postReceive(completion.workRequestId()));
            way.arrived.incrementAndGet();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendReceiveAndWaitInThreadsOfTheirOwn(final boolean waits) throws InterruptedException {
        final SideOptions options = new SideOptions().receives(WINDOW)
            .way(waits ? PollingWay.WAIT_SEVERAL : PollingWay.SPIN_BATCH)
            .configuration(RpmaRig.CONFIGURATION.withReceiveCompletionQueueSize(RpmaRig.RECEIVE_QUEUE_SIZE));
        final RpmaRig.Link link = rig.link(options, options);
        final RpmaSide client = link.client();
        final RpmaSide server = link.server();
        final Thread clientEvents = rig.workers.start(() -> client.awaitEvent(RpmaConnectionEvent.CLOSED));
        final Thread serverEvents = rig.workers.start(() -> {
            server.awaitEvent(RpmaConnectionEvent.CLOSED);
            server.connection.disconnect();
        });
        final List<Thread> threads = new ArrayList<>();
        for (final Way way : List.of(new Way(client, server), new Way(server, client))) {
            threads.add(rig.workers.start(() -> send(way)));
            threads.add(rig.workers.start(() -> takeSent(way)));
            threads.add(rig.workers.start(() -> takeReceived(way)));
        }
        rig.workers.join(threads.toArray(Thread[]::new));

        client.connection.disconnect();

        rig.workers.join(clientEvents, serverEvents);
        for (int i = 0; i < WINDOW; i++) {
            assertEquals(WorkStatus.WR_FLUSH_ERR, client.receives.next().status());
            assertEquals(WorkStatus.WR_FLUSH_ERR, server.receives.next().status());
        }
        client.main.requireEmpty();
        server.main.requireEmpty();
    }

    @Test
    void shouldWriteAndReadBackOverConnectionsOfTheirOwn() throws InterruptedException {
        final List<RpmaSide> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(rig.link().client());
        }
        final List<Thread> threads = new ArrayList<>();
        for (final RpmaSide client : clients) {
            threads.add(rig.workers.start(() -> writeAndReadBack(client, clients.indexOf(client))));
        }
        rig.workers.join(threads.toArray(Thread[]::new));
    }

    /** The bytes of each connection and each round are its own. */
    private static void writeAndReadBack(final RpmaSide side, final int number) {
        for (int round = 0; round < ROUNDS; round++) {
            final int seed = number * ROUNDS + round;
            side.fill(RpmaSide.LOCAL, LENGTH, seed);
            assertEquals(RpmaError.OK, side.connection.write(
                side.remote, 0, side.region, RpmaSide.LOCAL, LENGTH, RpmaCompletionFlags.ALWAYS, seed));
            assertEquals(WorkOpcode.RDMA_WRITE, side.awaitSent().opcode());
            side.buffer.setMemory(RpmaSide.LOCAL, LENGTH, (byte) 0);
            assertEquals(RpmaError.OK, side.connection.read(
                side.region, RpmaSide.LOCAL, side.remote, 0, LENGTH, RpmaCompletionFlags.ALWAYS, seed));
            final TakenCompletion read = side.awaitSent();
            assertEquals(WorkOpcode.RDMA_READ, read.opcode());
            assertEquals(seed, read.workRequestId());
            side.assertHolds(RpmaSide.LOCAL, LENGTH, seed);
        }
    }
}

package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages back and forth, each checked, whose completions come from one queue at each end: by every interface to
 * completion queues and to posting that a provider has, over connected queue pairs and datagrams, with own and shared
 * receives, polled and announced by events.
 * <p>
 * Stands for these cases of rdma-core's tests: {@code test_cqex.py} {@code test_rc_traffic_cq_ex} and
 * {@code test_ud_traffic_cq_ex}; {@code test_cq_events.py} {@code test_cq_events_rc} and {@code test_cq_events_ud}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.sluice.verbs.DeviceFixtures#variants")
class CompletionTrafficTest {
    /** The number of iterations of rdma-core's tests. */
    private static final int ITERATIONS = 100;
    private static final int QUEUE_LENGTH = 2000;
    /** {@code IBV_WC_STANDARD_FLAGS}. */
    private static final int STANDARD_FIELDS = (CompletionField.DESTINATION_PATH_BITS << 1) - 1;
    private static final int LENGTH = 1024;
    private static final int TARGET = 4096;
    private static final long EVENT_TIMEOUT_NS = 30_000_000_000L;

    @Parameter
    DeviceFixture fixture;
    private Rig rig;

    @BeforeEach
    void openDevices() {
        rig = new Rig(fixture);
    }

    @AfterEach
    void closeDevices() {
        rig.close();
    }

    /** One end: everything completes to one queue. */
    private final class Player {
        private final CompletionChannel channel;
        private final CompletionQueue queue;
        private final SharedReceiveQueue shared;
        private final Endpoint endpoint;
        private final boolean isDatagram;
        private AddressHandle handle;

        Player(
            final RdmaDevice device, final ProtectionDomain domain, final QueuePairType type,
            final boolean hasSharedQueue, final boolean hasEvents) {
            isDatagram = type == QueuePairType.UNRELIABLE_DATAGRAM;
            channel = hasEvents ? rig.keep(device.createCompletionChannel()) : null;
            queue = rig.keep(device.createCompletionQueue(new CompletionQueueAttributes(
                QUEUE_LENGTH, STANDARD_FIELDS & device.attributes().completionFields(), channel)));
            shared = hasSharedQueue ? rig.keep(domain.createSharedReceiveQueue(4)) : null;
            final EndpointOptions options = new EndpointOptions().queues(queue, queue).sharedQueue(shared);
            endpoint = rig.keep(new Endpoint(device, domain, isDatagram ? options.datagrams() : options));
            if (hasEvents) {
                assertEquals(Errno.OK, queue.requestNotify(false));
            }
        }

        private int header() {
            return isDatagram ? QueuePair.GLOBAL_ROUTE_HEADER_LENGTH : 0;
        }

        void postReceive(final int id) {
            final long address = endpoint.address(TARGET);
            final int key = endpoint.region.localKey();
            assertEquals(Errno.OK, shared == null
                ? endpoint.queuePair.postReceive(id, address, key, header() + LENGTH)
                : shared.postReceive(id, address, key, header() + LENGTH));
        }

        void send(final Player to, final int seed) {
            endpoint.fill(0, LENGTH, seed);
            final int key = endpoint.region.localKey();
            final long address = endpoint.address(0);
            final int number = to.endpoint.queuePair.number();
            final int flags = WorkFlags.SIGNALED;
            final boolean isTold = seed % 2 == 0;
            final QueuePair pair = endpoint.queuePair;
            assertEquals(Errno.OK, isDatagram
                ? isTold
                    ? pair.postSendToWithImmediate(
                        seed, flags, address, key, LENGTH, handle, number, Endpoint.QUEUE_KEY, ~seed)
                    : pair.postSendTo(seed, flags, address, key, LENGTH, handle, number, Endpoint.QUEUE_KEY)
                : isTold
                    ? pair.postSendWithImmediate(seed, flags, address, key, LENGTH, ~seed)
                    : pair.postSend(seed, flags, address, key, LENGTH));
        }

        /** The next completion, found by polling, or announced: each one comes when the queue is armed and empty. */
        private Completion next() {
            if (channel == null) {
                return rig.awaitSuccess(queue);
            }
            Completion completion;
            do {
                assertSame(queue, channel.getEvent(EVENT_TIMEOUT_NS), "an event");
                queue.acknowledgeEvents(1);
                assertEquals(Errno.OK, queue.requestNotify(false));
                completion = poll();
            } while (completion == null);
            return completion;
        }

        private Completion poll() {
            if (queue.startPoll() != Errno.OK) {
                return null;
            }
            final Completion completion = Completion.of(queue);
            queue.endPoll();
            assertTrue(completion.isSuccess(), completion.toString());
            return completion;
        }

        void sent(final int seed) {
            final Completion completion = next();
            assertEquals(WorkOpcode.SEND, completion.opcode(), completion.toString());
            assertEquals(seed, completion.workRequestId());
        }

        void received(final Player from, final int seed) {
            final Completion completion = next();
            assertEquals(WorkOpcode.RECV, completion.opcode(), completion.toString());
            assertEquals(header() + LENGTH, completion.byteLength());
            assertEquals(endpoint.queuePair.number(), completion.queuePair());
            assertEquals(seed % 2 == 0, completion.hasImmediate());
            assertEquals(seed % 2 == 0 ? ~seed : 0, completion.immediate());
            if (isDatagram) {
                assertEquals(from.endpoint.queuePair.number(), completion.source());
            }
            assertTrue(endpoint.holds(TARGET + header(), LENGTH, seed));
            endpoint.buffer.setMemory(TARGET, header() + LENGTH, (byte) 0);
        }
    }

    private void carries(final QueuePairType type, final boolean hasSharedQueues, final boolean hasEvents) {
        final boolean isDatagram = type == QueuePairType.UNRELIABLE_DATAGRAM;
        assumeTrue(!isDatagram || rig.first.attributes().maxDatagramLength() > 0, "the device has no datagrams");
        assumeTrue(!hasSharedQueues || rig.first.attributes().maxSharedReceiveWorkRequests() > 0,
            "the device has no shared receive queues");
        assertTrue(!isDatagram || rig.first.attributes().maxDatagramLength() >= LENGTH);
        final Player client = new Player(rig.first, rig.firstDomain, type, hasSharedQueues, hasEvents);
        final Player server = new Player(rig.second, rig.secondDomain, type, hasSharedQueues, hasEvents);
        if (isDatagram) {
            client.endpoint.openForDatagrams();
            server.endpoint.openForDatagrams();
            client.handle = rig.keep(rig.firstDomain.createAddressHandle(rig.second.portAddress()));
            server.handle = rig.keep(rig.secondDomain.createAddressHandle(rig.first.portAddress()));
        } else {
            Endpoint.connect(client.endpoint, server.endpoint);
        }
        for (int i = 0; i < ITERATIONS; i++) {
            turn(client, server, 2 * i + i / 2);
            turn(server, client, 2 * i + i / 2 + 1);
        }
    }

    private static void turn(final Player from, final Player to, final int seed) {
        to.postReceive(seed);
        from.send(to, seed);
        from.sent(seed);
        to.received(from, seed);
    }

    @Test
    void shouldCarryConnectedTraffic() {
        carries(QueuePairType.RELIABLE_CONNECTED, false, false);
    }

    @Test
    void shouldCarryDatagrams() {
        carries(QueuePairType.UNRELIABLE_DATAGRAM, false, false);
    }

    @Test
    void shouldCarryConnectedTrafficToSharedReceives() {
        carries(QueuePairType.RELIABLE_CONNECTED, true, false);
    }

    @Test
    void shouldCarryDatagramsToSharedReceives() {
        carries(QueuePairType.UNRELIABLE_DATAGRAM, true, false);
    }

    @Test
    void shouldAnnounceConnectedTraffic() {
        carries(QueuePairType.RELIABLE_CONNECTED, false, true);
    }

    @Test
    void shouldAnnounceDatagrams() {
        carries(QueuePairType.UNRELIABLE_DATAGRAM, false, true);
    }

    @Test
    void shouldAnnounceConnectedTrafficToSharedReceives() {
        carries(QueuePairType.RELIABLE_CONNECTED, true, true);
    }

    @Test
    void shouldAnnounceDatagramsToSharedReceives() {
        carries(QueuePairType.UNRELIABLE_DATAGRAM, true, true);
    }

    @Test
    void shouldHaveTheFieldsThatAreStandard() {
        final CompletionQueue queue = new Player(
            rig.first, rig.firstDomain, QueuePairType.RELIABLE_CONNECTED, false, false).queue;

        assertEquals(STANDARD_FIELDS & rig.first.attributes().completionFields(), queue.fields());
        assertTrue(queue.capacity() >= QUEUE_LENGTH);
    }
}

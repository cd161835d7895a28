package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/**
 * Calls that set up and take down, by several threads at once; after librpma's tests/multithreaded, the ones of conn,
 * conn_cfg, ep, log, mr, peer, srq and utils.
 */
class SetupThreadsTest extends RpmaDeviceTests {
    private static final int THREADS = 4;
    private static final int ROUNDS = 4;
    private static final int TIMEOUT_SECONDS = 30;

    /** Each thread does it, all of them at the same time. */
    private void inThreads(final IntConsumer body) throws InterruptedException {
        final CyclicBarrier start = new CyclicBarrier(THREADS);
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            final int number = i;
            threads.add(rig.workers.start(() -> {
                try {
                    start.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                } catch (final InterruptedException | BrokenBarrierException | TimeoutException e) {
                    throw new IllegalStateException(e);
                }
                for (int round = 0; round < ROUNDS && rig.workers.mayGoOn(); round++) {
                    body.accept(number);
                }
            }));
        }
        rig.workers.join(threads.toArray(Thread[]::new));
    }

    private RpmaSide connected(final RpmaPeer peer, final RpmaConnectionRequest request, final SideOptions options) {
        final RpmaSide side = new RpmaSide(rig, peer, options);
        side.connect(request);
        return side;
    }

    /** Over a connection of a server and a client in one thread. */
    private void exchange(final RpmaSide server, final RpmaSide client, final long number) {
        client.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        server.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        RpmaRig.Link.move(client, server, number);
        RpmaRig.Link.disconnect(client, server);
        client.connection.close();
        server.connection.close();
        client.region.close();
        server.region.close();
    }

    @Test
    void shouldMakeAndClosePeersAndWhatIsOfThem() throws InterruptedException {
        inThreads(number -> {
            try (RpmaPeer peer = number % 2 == 0 ? RpmaPeer.ofLocalAddress(rig.environment, rig.address)
                : RpmaPeer.ofRemoteAddress(rig.environment, rig.address)) {
                peer.isOnDemandPagingCapable();
                try (RpmaMemoryRegion region = peer.register(4096 * (number + 1), RpmaSide.ALL_USAGES);
                    RpmaRemoteRegion remote = peer.remoteRegion(region.descriptor());
                    RpmaSharedReceiveQueue shared = peer.newSharedReceiveQueue(
                        new RpmaSharedReceiveQueueConfiguration(8, number % 2 == 0 ? 8 : 0))) {
                    assertEquals(region.length(), remote.length());
                    assertEquals(RpmaUsage.FLUSH_VISIBILITY, remote.flushUsages());
                    assertEquals(number % 2 == 0, shared.receiveCompletionQueue() != null);
                    assertEquals(RpmaError.OK, shared.receive(region, 0, 64, 1));
                }
                assertTrue(RpmaPeerConfiguration.ofDescriptor(
                    new RpmaPeerConfiguration(true).descriptor()).directWriteToPersistentMemory());
            }
        });
    }

    @Test
    void shouldListenAndConnectWithPeersOfTheirOwn() throws InterruptedException {
        inThreads(number -> {
            final String port = RpmaRig.newPort();
            try (RpmaPeer server = RpmaPeer.ofLocalAddress(rig.environment, rig.address);
                RpmaPeer client = RpmaPeer.ofRemoteAddress(rig.environment, rig.address);
                RpmaEndpoint endpoint = server.listen(rig.address, port)) {
                final RpmaSide clientSide = connected(
                    client, client.requestConnection(rig.address, port, RpmaRig.CONFIGURATION), new SideOptions());
                final RpmaConnectionRequest request =
                    endpoint.nextConnectionRequest(RpmaRig.CONFIGURATION, RpmaRig.TIMEOUT_NS);
                assertNotNull(request);
                exchange(connected(server, request, new SideOptions().receives(1)), clientSide, number);
            }
        });
    }

    @Test
    void shouldConnectToOneEndpointWithOnePeer() throws InterruptedException {
        rig.endpoint();
        final Thread server = rig.workers.start(() -> {
            for (int i = 0; i < THREADS * ROUNDS; i++) {
                final RpmaSide side = connected(
                    rig.serverPeer, rig.awaitRequest(RpmaRig.CONFIGURATION), new SideOptions().receives(1));
                side.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
                side.sendNumber(side.awaitNumber() + 1);
            }
        });

        inThreads(number -> {
            final RpmaSide client = connected(rig.clientPeer, rig.clientPeer.requestConnection(
                rig.address, rig.port(), RpmaRig.CONFIGURATION), new SideOptions().receives(1));
            client.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
            client.sendNumber(number);
            assertEquals(number + 1, client.awaitNumber());
        });
        rig.workers.join(server);
    }

    @Test
    void shouldDropRequestsThatAreNeverConnected() throws InterruptedException {
        rig.endpoint();

        inThreads(number -> {
            try (RpmaMemoryRegion region = rig.clientPeer.register(4096, RpmaUsage.RECEIVE);
                RpmaConnectionRequest request =
                    rig.clientPeer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION)) {
                assertEquals(RpmaError.OK, request.receive(region, 0, 64, number));
                assertEquals(0, request.privateData().length);
            }
        });
    }

    @Test
    void shouldReadPropertiesOfOneConnection() throws InterruptedException {
        final byte[] data = {1, 2, 3};
        final RpmaSide client = rig.link(new SideOptions().privateData(data), new SideOptions()).client();
        final RpmaConnection connection = client.connection;
        final int queuePairNumber = connection.queuePairNumber();
        final int descriptor = connection.completionQueue().descriptor();
        final byte[] privateData = connection.privateData();
        final byte[] regionDescriptor = client.region.descriptor();
        assertArrayEquals(data, Arrays.copyOf(privateData, data.length));

        inThreads(number -> {
            for (int i = 0; i < 20; i++) {
                assertEquals(queuePairNumber, connection.queuePairNumber());
                assertEquals(descriptor, connection.completionQueue().descriptor());
                assertArrayEquals(privateData, connection.privateData());
                assertArrayEquals(regionDescriptor, client.region.descriptor());
                connection.applyRemotePeerConfiguration(new RpmaPeerConfiguration(number % 2 == 0));
            }
        });
    }

    @Test
    void shouldTellEachThreadItsOwnErrors() throws InterruptedException {
        final ConcurrentLinkedQueue<String> logged = new ConcurrentLinkedQueue<>();
        final RpmaLogLevel before = RpmaLog.threshold();
        RpmaLog.function((level, file, line, function, message) -> logged.add(message));
        try {
            inThreads(number -> {
                final String service = "no-such-service-" + number;
                RpmaLog.threshold(number % 2 == 0 ? RpmaLogLevel.ERROR : RpmaLogLevel.WARNING);
                assertTrue(RpmaLog.threshold().ordinal() >= RpmaLogLevel.ERROR.ordinal());
                final RpmaException failure =
                    assertThrows(RpmaException.class, () -> rig.serverPeer.listen(rig.address, service));
                assertTrue(failure.getMessage().contains("service=" + service + ","), failure.getMessage());
            });
        } finally {
            RpmaLog.function(null);
            RpmaLog.threshold(before);
        }
        for (int number = 0; number < THREADS; number++) {
            final String service = "service=no-such-service-" + number + ",";
            assertEquals(ROUNDS, logged.stream().filter(message -> message.contains(service)).count(),
                logged::toString);
        }
        assertEquals(before, RpmaLog.threshold());
    }
}

package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that one thread closes while another one is inside of them: that one comes back, and nothing crashes. */
class CloseWhileUsedTest extends RpmaDeviceTests {
    private static final int ROUNDS = 5;
    /** So often the other thread has used the object when it is closed. */
    private static final int USES = 20;

    /** Makes what a thread does with a connection again and again until it is refused. */
    private record Use(String name, Function<RpmaSide, IntSupplier> of) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Use> uses() {
        final int flags = RpmaCompletionFlags.ON_ERROR;
        return Stream.of(
            new Use("sends", side -> () -> side.connection.send(side.region, 0, 64, flags, 1)),
            new Use("writes", side -> () -> side.connection.write(side.remote, 0, side.region, 0, 64, flags, 1)),
            new Use("reads", side -> () -> side.connection.read(side.region, 0, side.remote, 0, 64, flags, 1)),
            new Use("receives", side -> () -> side.postReceive(0)),
            new Use("polls", CloseWhileUsedTest::poll),
            new Use("polls batches", CloseWhileUsedTest::pollBatches),
            new Use("waits a moment", side -> () -> side.connection.completionQueue().await(1)));
    }

    private static IntSupplier poll(final RpmaSide side) {
        final WorkCompletions completions = new WorkCompletions(4);
        return () -> Math.min(0, side.connection.completionQueue().getCompletions(4, completions));
    }

    private static IntSupplier pollBatches(final RpmaSide side) {
        final RpmaCompletionQueue queue = side.connection.completionQueue();
        return () -> {
            final int result = queue.startPoll();
            if (result == Errno.OK) {
                queue.endPoll();
            }
            return result == Errno.EINVAL ? RpmaError.E_INVAL : RpmaError.OK;
        };
    }

    /** A worker that does something until that is refused with E_INVAL. */
    private Thread useUntilRefused(final IntSupplier use, final CountDownLatch isUsed) {
        return rig.workers.start(() -> {
            int result = RpmaError.OK;
            while (result != RpmaError.E_INVAL && rig.workers.mayGoOn()) {
                result = use.getAsInt();
                final int seen = result;
                assertTrue(seen == RpmaError.OK || seen == RpmaError.E_INVAL || seen == RpmaError.E_PROVIDER
                    || seen == RpmaError.E_NO_COMPLETION, () -> "result=" + seen);
                isUsed.countDown();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("uses")
    void shouldCloseAConnectionWhileAThread(final Use use) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final RpmaSide side = rig.link(new SideOptions().receives(4), new SideOptions()).client();
            final CountDownLatch isUsed = new CountDownLatch(USES);
            final Thread thread = useUntilRefused(use.of.apply(side), isUsed);
            rig.workers.await(isUsed);

            side.connection.close();

            rig.workers.join(thread);
        }
    }

    @Test
    void shouldCloseARegionWhileAThreadWritesFromIt() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final RpmaSide side = rig.link().client();
            final CountDownLatch isUsed = new CountDownLatch(USES);
            final Thread thread = useUntilRefused(() -> side.connection.write(
                side.remote, 0, side.region, 0, 64, RpmaCompletionFlags.ON_ERROR, 1), isUsed);
            rig.workers.await(isUsed);

            side.region.close();

            rig.workers.join(thread);
        }
    }

    @Test
    void shouldCloseARemoteRegionWhileAThreadWritesToIt() throws InterruptedException {
        final RpmaRig.Link link = rig.link();
        final RpmaSide side = link.client();
        for (int round = 0; round < ROUNDS; round++) {
            final RpmaRemoteRegion remote = rig.clientPeer.remoteRegion(link.server().region.descriptor());
            final CountDownLatch isUsed = new CountDownLatch(USES);
            final Thread thread = useUntilRefused(() -> side.connection.flush(
                remote, 0, 64, RpmaFlushType.VISIBILITY, RpmaCompletionFlags.ON_ERROR, 1), isUsed);
            rig.workers.await(isUsed);

            remote.close();

            rig.workers.join(thread);
        }
    }

    @Test
    void shouldCloseASharedReceiveQueueWhileThreadsPostAndPoll() throws InterruptedException {
        final RpmaMemoryRegion region = rig.keep(rig.serverPeer.register(64, RpmaUsage.RECEIVE));
        for (int round = 0; round < ROUNDS; round++) {
            final RpmaSharedReceiveQueue shared = rig.keep(
                rig.serverPeer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT));
            final RpmaCompletionQueue queue = shared.receiveCompletionQueue();
            final WorkCompletions completions = new WorkCompletions(1);
            final CountDownLatch isUsed = new CountDownLatch(3 * USES);
            final Thread poster = useUntilRefused(() -> shared.receive(region, 0, 64, 1), isUsed);
            final Thread poller = useUntilRefused(() -> queue.getCompletion(completions), isUsed);
            final Thread waiter = useUntilRefused(() -> queue.await(1), isUsed);
            rig.workers.await(isUsed);

            shared.close();

            rig.workers.join(poster, poller, waiter);
        }
    }

    @Test
    void shouldEndLongWaitsWhenAConnectionIsClosed() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final boolean sharesChannel = round % 2 == 0;
            final RpmaConnection connection = rig.link(new SideOptions().configuration(
                RpmaRig.CONFIGURATION.withSharedCompletionChannel(sharesChannel)), new SideOptions())
                .server().connection;
            final CountDownLatch areThere = new CountDownLatch(2);
            final Thread events = rig.workers.start(() -> {
                areThere.countDown();
                assertEquals(RpmaError.E_INVAL, assertThrows(RpmaException.class,
                    () -> connection.nextEvent(RpmaRig.TIMEOUT_NS)).code());
            });
            final Thread completions = rig.workers.start(() -> {
                areThere.countDown();
                assertEquals(RpmaError.E_INVAL, sharesChannel ? connection.awaitCompletion(RpmaRig.TIMEOUT_NS)
                    : connection.completionQueue().await(RpmaRig.TIMEOUT_NS));
            });
            rig.workers.await(areThere);

            connection.close();

            rig.workers.join(events, completions);
        }
    }

    @Test
    void shouldEndTheWaitForARequestWhenTheEndpointIsClosed() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final RpmaEndpoint endpoint = rig.keep(rig.serverPeer.listen(rig.address, RpmaRig.newPort()));
            final CountDownLatch isThere = new CountDownLatch(1);
            final Thread waiter = rig.workers.start(() -> {
                isThere.countDown();
                assertEquals(RpmaError.E_INVAL, assertThrows(RpmaException.class,
                    () -> endpoint.nextConnectionRequest(RpmaRig.CONFIGURATION, RpmaRig.TIMEOUT_NS)).code());
            });
            rig.workers.await(isThere);

            endpoint.close();

            rig.workers.join(waiter);
        }
    }
}

package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.sluice.verbs.WorkOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages to and fro; librpma's examples 08-messages-ping-pong, 08srq-simple-messages-ping-pong-with-srq,
 * 12-receive-completion-queue, 12scch-receive-completion-queue and 13-messages-ping-pong-with-srq.
 */
class MessageFlowTest extends RpmaDeviceTests {
    private static final int ROUNDS = 12;
    /** The number that the client sends last; the server does not answer it. */
    private static final long I_AM_DONE = -1;

    /** The queues that receives come from, and those in which they complete. */
    private enum Arrangement {
        MAIN_QUEUE, RECEIVE_QUEUE, SHARED_CHANNEL, SHARED_CHANNEL_OF_ONE_QUEUE, SHARED_RECEIVES_WITH_QUEUE,
        SHARED_RECEIVES_IN_MAIN_QUEUE, SHARED_RECEIVES_IN_RECEIVE_QUEUE, SHARED_RECEIVES_AND_CHANNEL;

        private RpmaConnectionConfiguration configuration(final RpmaRig rig, final RpmaPeer peer) {
            final RpmaConnectionConfiguration one = RpmaRig.CONFIGURATION;
            final RpmaConnectionConfiguration two = one.withReceiveCompletionQueueSize(RpmaRig.RECEIVE_QUEUE_SIZE);
            return switch (this) {
                case MAIN_QUEUE -> one;
                case RECEIVE_QUEUE -> two;
                case SHARED_CHANNEL -> two.withSharedCompletionChannel(true);
                case SHARED_CHANNEL_OF_ONE_QUEUE -> one.withSharedCompletionChannel(true);
                case SHARED_RECEIVES_WITH_QUEUE ->
                    one.withSharedReceiveQueue(sharedQueue(rig, peer, RpmaRig.RECEIVE_QUEUE_SIZE));
                case SHARED_RECEIVES_IN_MAIN_QUEUE -> one.withSharedReceiveQueue(sharedQueue(rig, peer, 0));
                case SHARED_RECEIVES_IN_RECEIVE_QUEUE -> two.withSharedReceiveQueue(sharedQueue(rig, peer, 0));
                case SHARED_RECEIVES_AND_CHANNEL ->
                    two.withSharedReceiveQueue(sharedQueue(rig, peer, 0)).withSharedCompletionChannel(true);
            };
        }
    }

    private static RpmaSharedReceiveQueue sharedQueue(final RpmaRig rig, final RpmaPeer peer, final int completions) {
        return rig.keep(peer.newSharedReceiveQueue(
            new RpmaSharedReceiveQueueConfiguration(RpmaRig.RECEIVE_QUEUE_SIZE, completions)));
    }

    /** Each arrangement by a way that waits and one that does not, and one of them by all. */
    private static Stream<Arguments> arrangementsAndWays() {
        return Stream.of(Arrangement.values()).flatMap(arrangement -> (arrangement == Arrangement.RECEIVE_QUEUE
            ? Stream.of(PollingWay.values()) : Stream.of(PollingWay.SPIN_BATCH, PollingWay.WAIT_SEVERAL))
            .map(way -> Arguments.of(arrangement, way)));
    }

    private SideOptions options(final Arrangement arrangement, final RpmaPeer peer, final PollingWay way) {
        return new SideOptions().configuration(arrangement.configuration(rig, peer)).receives(2).way(way);
    }

    @ParameterizedTest
    @MethodSource("arrangementsAndWays")
    void shouldAnswerEachMessage(final Arrangement arrangement, final PollingWay way) {
        final RpmaRig.Link link = rig.link(
            options(arrangement, rig.serverPeer, way), options(arrangement, rig.clientPeer, way));
        final RpmaSide server = link.server();
        final RpmaSide client = link.client();

        long number = 40;
        for (int round = 0; round < ROUNDS; round++) {
            client.sendNumber(number);
            final long received = server.awaitNumber();
            assertEquals(number, received);
            server.sendNumber(received + 1);
            number = client.awaitNumber();
            assertEquals(received + 1, number);
        }
        client.sendNumber(I_AM_DONE);
        assertEquals(I_AM_DONE, server.awaitNumber());

        RpmaRig.Link.disconnect(server, client);
    }

    @Test
    void shouldHaveTheQueuesThatWereAskedFor() {
        for (final Arrangement arrangement : Arrangement.values()) {
            final RpmaConnectionConfiguration configuration = arrangement.configuration(rig, rig.serverPeer);
            final RpmaSide side = rig.link(new SideOptions().configuration(configuration), new SideOptions()).server();
            assertNotNull(side.connection.completionQueue(), arrangement::name);
            if (configuration.receiveCompletionQueueSize() == 0) {
                assertNull(side.connection.receiveCompletionQueue(), arrangement::name);
            } else {
                assertNotSame(side.connection.completionQueue(), side.connection.receiveCompletionQueue());
                assertEquals(configuration.receiveCompletionQueueSize(),
                    side.connection.receiveCompletionQueue().capacity());
            }
            assertEquals(configuration.completionQueueSize(), side.connection.completionQueue().capacity());
        }
        assertNull(sharedQueue(rig, rig.serverPeer, 0).receiveCompletionQueue());
        final RpmaSharedReceiveQueue shared = sharedQueue(rig, rig.serverPeer, 5);
        assertSame(shared.receiveCompletionQueue(), shared.receiveCompletionQueue());
        assertEquals(5, shared.receiveCompletionQueue().capacity());
    }

    @Test
    void shouldHaveNoReceiveQueueOfItsOwnWhereTheSharedOneHasOne() {
        final RpmaSharedReceiveQueue shared = sharedQueue(rig, rig.serverPeer, RpmaRig.RECEIVE_QUEUE_SIZE);
        final RpmaConnectionConfiguration configuration = RpmaRig.CONFIGURATION.withSharedReceiveQueue(shared)
            .withReceiveCompletionQueueSize(RpmaRig.RECEIVE_QUEUE_SIZE);

        final RpmaSide server = rig.link(
            new SideOptions().configuration(configuration).receives(1), new SideOptions()).server();

        assertNull(server.connection.receiveCompletionQueue());
    }

    @ParameterizedTest
    @MethodSource("waysOfTwo")
    void shouldServeSeveralClientsFromOneReceiveQueue(final PollingWay way) {
        final RpmaSharedReceiveQueue shared = sharedQueue(rig, rig.serverPeer, RpmaRig.RECEIVE_QUEUE_SIZE);
        final CompletionTaker receives = new CompletionTaker(shared.receiveCompletionQueue(), way);
        final List<RpmaRig.Link> links = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            // all to the memory of the first one
            links.add(rig.link(new SideOptions().configuration(RpmaRig.CONFIGURATION.withSharedReceiveQueue(shared))
                .receives(i == 0 ? 4 : 0).way(way), new SideOptions().receives(1).way(way)));
        }

        for (int round = 0; round < ROUNDS; round++) {
            for (int i = links.size() - 1; i >= 0; i--) {
                links.get(i).client().sendNumber(100 * i + round);
                answer(receives.nextSuccess(), links);
            }
            for (int i = 0; i < links.size(); i++) {
                assertEquals(100 * i + round + 1, links.get(i).client().awaitNumber());
            }
        }
        receives.requireEmpty();
    }

    private static Stream<PollingWay> waysOfTwo() {
        return Stream.of(PollingWay.SPIN_SEVERAL, PollingWay.WAIT_ONE);
    }

    /** Answer a message by the connection that it came from, which only its number tells. */
    private static void answer(final TakenCompletion received, final List<RpmaRig.Link> links) {
        assertEquals(WorkOpcode.RECV, received.opcode());
        final RpmaSide holder = links.getFirst().server();
        final RpmaSide from = links.stream().map(RpmaRig.Link::server)
            .filter(side -> side.connection.queuePairNumber() == received.queuePairNumber()).findFirst().orElseThrow();
        final long number = holder.numberIn(received);
        assertEquals(RpmaError.OK, holder.postReceive(received.workRequestId()));
        from.sendNumber(number + 1);
    }
}

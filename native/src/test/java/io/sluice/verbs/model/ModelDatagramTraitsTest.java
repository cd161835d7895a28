package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Traits that show in datagrams, each by a use that it forbids, and by the same use on a card without the trait. */
class ModelDatagramTraitsTest {
    private DirectDevice device;
    private long queue;
    private long queuePair;
    private long address;

    @AfterEach
    void close() {
        device.close();
    }

    private void open(final ModelCard card, final int flags) {
        device = new DirectDevice(card);
        queue = device.queue(flags);
        queuePair = device.datagrams(queue);
        address = device.address(true);
        assertNotEquals(0, address);
    }

    private int send(final int flags) {
        return device.sendDatagram(queuePair, address, flags);
    }

    /** Cards with the trait that is in question, and without it. */
    enum Card {
        EFA(ModelCard.EFA),
        RXE(ModelCard.RXE);

        private final ModelCard card;

        Card(final ModelCard card) {
            this.card = card;
        }

        private int errorIf(final Trait trait) {
            return card.has(trait) ? Errno.EINVAL : Errno.OK;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCallASendInvalidThatIsNotSignalledOrAsksForAnEvent(final Card card) {
        open(card.card, CompletionQueueFlags.NONE);
        final int error = card.errorIf(Trait.TAKES_SIGNALLED_SENDS_ONLY);

        assertEquals(error, send(WorkFlags.NONE));
        assertEquals(error, send(WorkFlags.SIGNALED | WorkFlags.SOLICITED));
        assertEquals(Errno.OK, send(WorkFlags.SIGNALED));
        assertEquals(Errno.OK, send(WorkFlags.SIGNALED | WorkFlags.INLINE));
    }

    @ParameterizedTest
    @EnumSource
    void shouldCallPostsInvalidToADatagramQueuePairThatACallHasFailed(final Card card) {
        open(card.card, CompletionQueueFlags.NONE);
        assertEquals(Errno.OK, device.receive(queuePair, 1));
        device.fail(queuePair);
        final int error = card.errorIf(Trait.CALLS_POSTS_IN_ERROR_INVALID);

        assertEquals(error, send(WorkFlags.SIGNALED));
        assertEquals(error, device.receive(queuePair, 2));
        assertEquals(WorkStatus.WR_FLUSH_ERR, device.status(queue), "what was posted before");
    }

    /** One that the card does not know any more is taken, and given to nobody. */
    @ParameterizedTest
    @CsvSource({"EFA, 22", "RXE, 0"})
    void shouldTellACompletionOfADestroyedQueuePairInvalidOnce(final Card card, final int result) {
        open(card.card, CompletionQueueFlags.NONE);
        final long other = device.datagrams(queue);
        send(WorkFlags.SIGNALED);
        device.sendDatagram(other, address, WorkFlags.SIGNALED);
        device.sendDatagram(other, address, WorkFlags.SIGNALED);
        send(WorkFlags.SIGNALED);
        device.violations();

        device.queues.destroyQp(queuePair);

        assertEquals(result, device.polls.startPoll(queue, 0));
        if (result == Errno.OK) {
            assertEquals(Errno.OK, device.polls.nextPoll(queue));
        } else {
            assertEquals(Errno.OK, device.polls.startPoll(queue, 0));
        }
        device.polls.endPoll(queue);
        assertEquals(WorkStatus.SUCCESS, device.status(queue));
        assertEquals(result == Errno.OK ? Errno.OK : Errno.EINVAL, device.polls.startPoll(queue, 0));
        assertEquals("", device.violations());
    }

    /** The poller's poll reads of the queue pair, too. */
    @Test
    void shouldNotDestroyADatagramQueuePairUnderASingleThreadedPoller() {
        open(ModelCard.EFA, CompletionQueueFlags.SINGLE_THREADED);
        send(WorkFlags.SIGNALED);
        assertEquals(Errno.OK, device.polls.startPoll(queue, 0));

        device.queues.destroyQp(queuePair);

        assertEquals("ibv_destroy_qp takes a queue pair from completion queue 2, which a single thread polls in this"
            + " moment", device.violations());
    }

    @Test
    void shouldRefuseAnAddressWithoutTheRouteThatIsRequired() {
        open(ModelCard.MLX5_VF, CompletionQueueFlags.NONE);
        assertEquals(0, device.address(false));
        device.close();

        open(ModelCard.MLX4, CompletionQueueFlags.NONE);
        assertNotEquals(0, device.address(false));
        device.close();

        open(ModelCard.MLX5, CompletionQueueFlags.NONE);
        assertEquals(0, device.address(false), "on Ethernet there is none without it");
    }
}

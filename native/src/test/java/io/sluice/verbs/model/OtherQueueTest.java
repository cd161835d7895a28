package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.Errno;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that take the lock of a completion queue, or of the one for receives, though that is not what is polled. */
class OtherQueueTest {
    private static Stream<ModelCard> cards() {
        return ModelCard.all().stream().filter(card -> !card.has(Trait.LACKS_CONNECTIONS));
    }

    private static Stream<ModelCard> lockingCards() {
        return cards().filter(card -> card.has(Trait.LOCKS_BATCHES));
    }

    private static Stream<ModelCard> resizingCards() {
        return cards().filter(card -> card.has(Trait.RESIZES));
    }

    @Test
    void shouldTakeTheLockOfTheOtherQueueWhenAnErrorIsPolled() {
        try (DirectDevice device = new DirectDevice(ModelCard.BNXT)) {
            final long queue = device.queue(CompletionQueueFlags.NONE);
            device.receiveQueue = device.queue(CompletionQueueFlags.NONE);
            final long queuePair = device.link(queue);
            device.post(queuePair, Work.READ, 0, DirectDevice.LENGTH, 1);
            device.queues.onResize(() -> device.status(queue));

            device.queues.resizeCq(device.receiveQueue, 2 * DirectDevice.PLACES);

            assertEquals("ibv_poll_cq of an error takes the lock of completion queue 3, which this thread holds since"
                + " ibv_resize_cq", device.violations());
        }
    }

    @ParameterizedTest
    @MethodSource("resizingCards")
    void shouldHoldTheLockWhileAQueueIsResized(final ModelCard card) {
        try (DirectDevice device = new DirectDevice(card)) {
            final long queue = device.queue(CompletionQueueFlags.NONE);
            device.queues.onResize(() -> device.status(queue));

            device.queues.resizeCq(queue, 2 * DirectDevice.PLACES);

            assertEquals("ibv_poll_cq takes the lock of completion queue 2, which this thread holds since"
                + " ibv_resize_cq", device.violations());
        }
    }

    @ParameterizedTest
    @MethodSource("lockingCards")
    void shouldTakeTheLockOfReceivesToDestroyAQueuePair(final ModelCard card) {
        try (DirectDevice device = new DirectDevice(card)) {
            final long queuePair = batchOfReceives(device);

            device.queues.destroyQp(queuePair);

            assertEquals(card.has(Trait.CLEANS_QUEUES) ? "ibv_destroy_qp takes the lock of completion queue 3, which"
                + " this thread holds since ibv_start_poll" : "", device.violations());
        }
    }

    @ParameterizedTest
    @MethodSource("lockingCards")
    void shouldTakeTheLockOfReceivesForOneTooMany(final ModelCard card) {
        try (DirectDevice device = new DirectDevice(card)) {
            final long queuePair = batchOfReceives(device);
            int result = Errno.OK;
            for (int i = 0; i <= DirectDevice.PLACES && result == Errno.OK; i++) {
                result = device.receive(queuePair, i);
            }

            assertEquals(Errno.ENOMEM, result);
            assertEquals(card.has(Trait.LOCKS_QUEUE_WHEN_FULL) ? "ibv_post_recv takes the lock of completion queue 3,"
                + " which this thread holds since ibv_start_poll" : "", device.violations());
        }
    }

    /** Within a batch of the queue of a queue pair's receives from now on; its sends have another one. */
    private static long batchOfReceives(final DirectDevice device) {
        final long queue = device.queue(CompletionQueueFlags.NONE);
        device.receiveQueue = device.queue(CompletionQueueFlags.NONE);
        final long sender = device.link(queue);
        final long queuePair = device.fabric.handles.all(ModelQueuePair.class)
            .mapToLong(ModelQueuePair::address).filter(address -> address != sender).findFirst().orElseThrow();
        assertEquals(Errno.OK, device.receive(queuePair, 1));
        assertEquals(Errno.OK, device.post(sender, Work.SEND, 0, 0, 0));
        assertEquals(Errno.OK, device.polls.startPoll(device.receiveQueue, 0));
        device.violations();
        return queuePair;
    }
}

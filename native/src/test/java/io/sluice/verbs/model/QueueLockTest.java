package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.WorkFlags;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Posts to a queue pair while another one of its completion queue is destroyed, which holds the queue's lock. */
class QueueLockTest {
    private static List<ModelCard> cards() {
        return List.of(ModelCard.IONIC, ModelCard.MLX5);
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldTakeTheQueuesLockForAnyPostWhereTheProviderDoes(final ModelCard card) {
        try (DirectDevice device = new DirectDevice(card)) {
            final long queue = device.queue(CompletionQueueFlags.NONE);
            final long queuePair = device.link(queue);
            final List<String> found = new ArrayList<>();
            device.queues.onClean(() -> {
                device.write(queuePair, WorkFlags.NONE);
                found.addAll(device.fabric.violations.take());
                device.receive(queuePair, 1);
                found.addAll(device.fabric.violations.take());
            });

            device.queues.destroyQp(device.connectedPair(queue));

            assertEquals(card.has(Trait.POSTS_UNDER_QUEUE_LOCK) ? List.of("ibv_post_send", "ibv_post_recv") : List.of(),
                found.stream().map(text -> text.substring(0, text.indexOf(' '))).toList());
        }
    }
}

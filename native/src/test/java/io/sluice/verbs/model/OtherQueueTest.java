package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.CompletionQueueFlags;
import org.junit.jupiter.api.Test;

/** Two completion queues of one queue pair, of which a poll takes both locks. */
class OtherQueueTest {
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
}

package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.stub.StubEventDevice;
import io.sluice.verbs.VerbsException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompletionEventChannelTest {
    private final CompletionEventChannel channel = new CompletionEventChannel(new StubEventDevice());
    private final StubEventDevice.EventQueue queue = (StubEventDevice.EventQueue) channel.createQueue(1, 0);

    private void takeEvents(final int count) {
        for (int i = 0; i < count; i++) {
            queue.announce();
        }
        channel.take();
    }

    /** A queue that was closed too early is closed again, and until then goes on announcing. */
    @Test
    void shouldGoOnAcknowledgingEventsOfAQueueThatIsNotDestroyed() {
        takeEvents(1);
        queue.inUse(true);

        assertThrows(VerbsException.class, () -> channel.close(queue));
        assertEquals(List.of(1), queue.acknowledgements());
        takeEvents(2);
        assertThrows(VerbsException.class, () -> channel.close(queue));
        assertEquals(List.of(1, 2), queue.acknowledgements());
        takeEvents(CompletionEventChannel.ACKNOWLEDGE_BATCH + 3);
        queue.inUse(false);
        channel.close(queue);

        assertEquals(List.of(1, 2, CompletionEventChannel.ACKNOWLEDGE_BATCH, 3), queue.acknowledgements());
        assertTrue(queue.isClosed());
    }
}

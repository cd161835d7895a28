package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A message for which an eighth of the window is left, and not the padding in front of it, too. */
class PaddingPressureTest {
    private static final int STREAM_ID = 13;
    private static final int WINDOW = 32 * 1024;
    private static final int LONGEST = WINDOW / 8;
    private static final int SHORTEST = FrameDescriptor.FRAME_ALIGNMENT;
    private static final String SOON = "slow=evict|evict-after=100ms|evict-timeout=100ms";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LONGEST]);

    private long offer(final Publication publication, final int frameLength) {
        return publication.offer(buffer, 0, frameLength - FrameDescriptor.HEADER_LENGTH);
    }

    private void offerAll(final Publication publication, final int... frameLengths) {
        for (final int frameLength : frameLengths) {
            assertTrue(offer(publication, frameLength) > 0);
        }
    }

    @Test
    void shouldEvictWhoHoldsUpAMessageThatNeedsPadding() {
        final Transport subscriber = transports.launch();
        final Subscription polled = subscriber.addSubscription(transports.channel("mode=dedicated|" + SOON), STREAM_ID);
        final ExclusivePublication publication = transports.launch().addExclusivePublication(
            transports.channel("linger=0ns|window=" + WINDOW), STREAM_ID);
        Transports.awaitConnected(publication, polled);
        offerAll(publication, SHORTEST, SHORTEST);
        Await.until("one message", () -> polled.poll((message, offset, length, header) -> { }, 1) == 1);
        Await.until("room", () -> publication.availableWindow() == WINDOW - SHORTEST);
        for (int i = 0; i < 6; i++) {
            offerAll(publication, LONGEST);
        }
        offerAll(publication, LONGEST - SHORTEST);
        // the longest message does not fit in front of the end of the log, and not behind it either
        assertEquals(LONGEST, publication.availableWindow());
        Await.until("who holds it up to be evicted", () -> {
            final long result = offer(publication, LONGEST);
            return result != Publication.BACK_PRESSURED
                && subscriber.counters().get(TransportCounter.CONSUMERS_EVICTED) == 1;
        });
        transports.awaitError("CONSUMER_EVICTED", "consumer evicted", "name=poll", "its subscription is closed");
    }
}

package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.PressureState;
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

    /**
     * Have the longest message refused: an eighth of the window is left, and it does not fit in front of the end of the
     * log.
     */
    private ExclusivePublication fill(final Subscription polled) {
        final ExclusivePublication publication = transports.launch().addExclusivePublication(
            transports.channel("linger=0ns|window=" + WINDOW), STREAM_ID);
        Transports.awaitConnected(publication, polled);
        offerAll(publication, SHORTEST, SHORTEST);
        Await.until("one message", () -> polled.poll((message, offset, length, header) -> { }, 1) == 1);
        Await.until("room", () -> {
            polled.controlledPoll((message, offset, length, header) -> Action.ABORT, 1);
            return publication.availableWindow() == WINDOW - SHORTEST;
        });
        for (int i = 0; i < 6; i++) {
            offerAll(publication, LONGEST);
        }
        offerAll(publication, LONGEST - SHORTEST);
        assertEquals(LONGEST, publication.availableWindow());
        assertEquals(Publication.BACK_PRESSURED, offer(publication, LONGEST));
        return publication;
    }

    @Test
    void shouldEvictWhoHoldsUpAMessageThatNeedsPadding() {
        final Transport subscriber = transports.launch();
        final Subscription polled = subscriber.addSubscription(transports.channel("mode=dedicated|" + SOON), STREAM_ID);
        final ExclusivePublication publication = fill(polled);
        Await.until("who holds it up to be evicted", () -> offer(publication, LONGEST) != Publication.BACK_PRESSURED
            && subscriber.counters().get(TransportCounter.CONSUMERS_EVICTED) == 1);
        transports.awaitError("CONSUMER_EVICTED", "consumer evicted", "name=poll", "its subscription is closed");
    }

    @Test
    void shouldSayOfAProgramThatDoesNotPollThatItHoldsUpAMessageThatNeedsPadding() {
        final Subscription polled = transports.launch().addSubscription(transports.channel(""), STREAM_ID);
        fill(polled);
        Await.until("BLOCKED", () -> polled.pressureState() == PressureState.BLOCKED);
    }
}

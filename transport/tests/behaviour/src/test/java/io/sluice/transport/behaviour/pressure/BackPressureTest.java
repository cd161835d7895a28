package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BackPressureTest {
    private static final int WINDOW = 4096;
    private static final int FRAME = 32;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private Transport transport;
    private ExclusivePublication publication;
    private Subscription subscription;

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    private void connect(final String parameters) {
        transport = transports.launch();
        subscription = transport.addSubscription(transports.channel(parameters), 1);
        publication = transport.addExclusivePublication(transports.channel("window=4k|" + parameters), 1);
        Transports.awaitImages(subscription, 1);
    }

    private int fill(final int length) {
        int count = 0;
        while (publication.offer(buffer, 0, length) > 0) {
            count++;
        }
        return count;
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldTakeExactlyOneWindow(final String parameters) {
        connect(parameters);
        assertEquals(WINDOW / FRAME, fill(8));
        assertEquals(Publication.BACK_PRESSURED, publication.offer(buffer, 0, 0));
        assertEquals(Publication.BACK_PRESSURED, publication.tryClaim(0, new BufferClaim()));
        assertEquals(WINDOW, publication.position());
        assertEquals(WINDOW, publication.positionLimit());
        assertEquals(0, publication.availableWindow());
        assertTrue(publication.isConnected());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldRefuseAClaimThatWouldEndBeyondTheLimit(final String parameters) {
        connect(parameters);
        for (int i = 0; i < WINDOW / FRAME - 1; i++) {
            assertTrue(publication.offer(buffer, 0, 8) > 0);
        }
        assertEquals(Publication.BACK_PRESSURED, publication.offer(buffer, 0, 9), "64 bytes where 32 are free");
        assertEquals(WINDOW, publication.offer(buffer, 0, 8));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldGoOnWhenTheConsumerHasMadeRoom(final String parameters) {
        connect(parameters);
        int sent = fill(8);
        int received = 0;
        for (int round = 0; round < 50; round++) {
            received += Transports.receive(subscription, WINDOW / FRAME).size();
            Await.until("room for a whole window", () -> {
                subscription.poll((message, offset, length, header) -> { }, 1);
                return publication.positionLimit() == publication.position() + WINDOW;
            });
            assertEquals(WINDOW, publication.availableWindow());
            assertEquals(WINDOW / FRAME, fill(8));
            sent += WINDOW / FRAME;
        }
        assertEquals(sent, received + WINDOW / FRAME);
    }

    /** Every message is at another place relative to the window's end: padding never crosses the limit. */
    @ParameterizedTest
    @MethodSource("parameters")
    void shouldNeverStarveTheLongestMessage(final String parameters) {
        connect(parameters);
        final int longest = publication.maxMessageLength();
        for (int round = 0; round < 200; round++) {
            final byte[] message = new byte[longest];
            message[0] = (byte) round;
            message[longest - 1] = (byte) round;
            final int length = round % 3 == 0 ? 8 : longest;
            // over rdma it is known a little later what was consumed: there may be no room yet for even one
            Transports.offer(publication, new byte[length]);
            fill(length);
            final long backlog = publication.position();
            final List<byte[]> messages = drainTo(backlog);
            assertTrue(!messages.isEmpty());
            Transports.offer(publication, message);
            assertEquals((byte) round, Transports.receive(subscription, 1).getFirst()[longest - 1]);
            Transports.offer(publication, new byte[round]);
            assertEquals(round, Transports.receive(subscription, 1).getFirst().length);
        }
    }

    private String describe(final long seen, final long position) {
        return "the backlog: seen=" + seen + " position=" + position + " images=" + subscription.imageCount() + " "
            + transport.counters() + transports.errors();
    }

    private List<byte[]> drainTo(final long position) {
        final List<byte[]> messages = new ArrayList<>();
        final long[] seen = {0};
        Await.until(() -> describe(seen[0], position), () -> {
            subscription.poll((message, offset, length, header) -> {
                messages.add(new byte[length]);
                seen[0] = header.position();
            }, 100);
            return seen[0] == position;
        }, Await.DEADLINE_SECONDS);
        return messages;
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldWaitForTheSlowestSubscription(final String parameters) {
        connect(parameters);
        final Subscription slow = transport.addSubscription(transports.channel(parameters), 1);
        Transports.awaitConnected(publication, slow);
        assertEquals(WINDOW / FRAME, fill(8));
        Transports.receive(subscription, WINDOW / FRAME);
        assertEquals(0, fill(8), "the other one has read nothing");
        Transports.receive(slow, WINDOW / FRAME);
        Await.until("room", () -> {
            slow.poll((message, offset, length, header) -> { }, 1);
            subscription.poll((message, offset, length, header) -> { }, 1);
            return publication.offer(buffer, 0, 8) > 0;
        });
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldNotWaitForASubscriptionThatWasClosed(final String parameters) {
        connect(parameters);
        final Subscription slow = transport.addSubscription(transports.channel(parameters), 1);
        Transports.awaitConnected(publication, slow);
        assertEquals(WINDOW / FRAME, fill(8));
        Transports.receive(subscription, WINDOW / FRAME);
        slow.close();
        Await.until("room", () -> {
            subscription.poll((message, offset, length, header) -> { }, 1);
            return publication.offer(buffer, 0, 8) > 0;
        });
        assertTrue(Transports.receive(subscription, 1).size() == 1);
    }

    @Test
    void shouldNotHoldOtherStreamsBack() {
        connect("mode=invoker");
        final Subscription other = transport.addSubscription(transports.channel("mode=invoker"), 2);
        final ExclusivePublication free = transport.addExclusivePublication(transports.channel("window=4k"), 2);
        Transports.awaitConnected(free, other);
        fill(8);
        for (int i = 0; i < 1_000; i++) {
            Transports.offer(free, new byte[100]);
            Transports.receive(other, 1);
        }
        assertEquals(Publication.BACK_PRESSURED, publication.offer(buffer, 0, 8));
    }
}

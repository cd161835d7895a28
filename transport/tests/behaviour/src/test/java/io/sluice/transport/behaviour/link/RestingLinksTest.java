package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Header;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Some of many links rest for thousands of polls, and go on: every message comes once, and in order. */
class RestingLinksTest {
    private static final int STREAM_ID = 3;
    private static final int LINKS = 24;
    private static final int ROUNDS = 60;
    private static final int MOST_MESSAGES = 40;
    /** More than it takes for a link that nothing happens to not to be looked at in each poll. */
    private static final int RESTING_POLLS = 10_000;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final Random random = new Random(1);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[200]);
    private final List<ExclusivePublication> publications = new ArrayList<>();
    private final Map<Integer, Integer> sent = new HashMap<>();
    private final Map<Integer, Integer> received = new HashMap<>();
    private final FragmentHandler handler = this::onFragment;
    private Subscription subscription;

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    private void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final int number = buffer.getInt(offset);
        assertEquals(received.merge(header.sessionId(), 1, Integer::sum) - 1, number);
        assertEquals(length(number), length);
    }

    /** The length of a message, some of which are followed by padding in a window of 4 KiB. */
    private static int length(final int number) {
        return Integer.BYTES + number * 37 % 190;
    }

    private void offer(final ExclusivePublication publication) {
        final int number = sent.merge(publication.sessionId(), 1, Integer::sum) - 1;
        message.putInt(0, number);
        Await.until("room", () -> {
            if (publication.offer(message, 0, length(number)) > 0) {
                return true;
            }
            subscription.poll(handler, 3);
            return false;
        });
    }

    private void awaitAll() {
        Await.until(() -> "all of " + sent + " instead of " + received, () -> {
            subscription.poll(handler, 3);
            return received.equals(sent);
        }, Await.DEADLINE_SECONDS);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldDeliverAllMessagesOfLinksThatHaveRested(final String parameters) {
        final Transport transport = transports.launch(context -> context.pollers(
            new PollerOptions().idleStrategy("yielding")));
        subscription = transport.addSubscription(transports.channel(parameters), STREAM_ID);
        for (int i = 0; i < LINKS; i++) {
            publications.add(transport.addExclusivePublication(
                transports.channel(parameters.replace("mode=invoker|", "").replace("mode=dedicated|", "")
                    + "|window=4k"), STREAM_ID));
        }
        Transports.awaitImages(subscription, LINKS);
        Await.until("all connected", () -> publications.stream().allMatch(ExclusivePublication::isConnected));
        for (int round = 0; round < ROUNDS; round++) {
            final ExclusivePublication busy = publications.get(random.nextInt(LINKS));
            for (int links = random.nextInt(4); links > 0; links--) {
                final ExclusivePublication other = publications.get(random.nextInt(LINKS));
                for (int messages = 1 + random.nextInt(MOST_MESSAGES); messages > 0; messages--) {
                    offer(random.nextBoolean() ? busy : other);
                }
            }
            if (round % 3 == 0) {
                awaitAll();
            }
            for (int i = 0; i < RESTING_POLLS && round % 2 == 0; i++) {
                subscription.poll(handler, 3);
                if (i % 16 == 0 && round % 4 == 0) {
                    offer(busy);
                }
            }
        }
        awaitAll();
    }
}

package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Header;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.FailNextWrite;
import io.sluice.transport.harness.SkippingClock;
import io.sluice.transport.harness.SlowSetup;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many links at once, each of which takes its time to be set up: they are made, and they resume. */
class ManyLinksBreakTest {
    private static final int STREAM_ID = 4;
    private static final int LINKS = 50;
    /** All links together take several times as long as a queue pair tries to reach one that is not there. */
    private static final long SETUP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Less than what all links together take. */
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(LINKS * 10L);
    /** A machine has to stand still for many seconds before the short time is over by that alone. */
    private static final int SLOWNESS = 20;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private final List<ExclusivePublication> publications = new ArrayList<>();
    private final Map<Integer, Integer> sent = new HashMap<>();
    private final Map<Integer, Integer> received = new HashMap<>();
    private final FragmentHandler handler = this::onFragment;
    private Transport publishing;
    private Transport subscribing;
    private Subscription subscription;

    static List<String> parameters() {
        return Transports.parameters().toList();
    }

    private void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        assertEquals(received.merge(header.sessionId(), 1, Integer::sum) - 1, buffer.getInt(offset));
    }

    /** Sends one more from each that has room, and receives everything that is there. */
    private void goOn() {
        for (final ExclusivePublication publication : publications) {
            message.putInt(0, sent.getOrDefault(publication.sessionId(), 0));
            if (publication.offer(message) > 0) {
                sent.merge(publication.sessionId(), 1, Integer::sum);
            }
        }
        subscription.poll(handler, LINKS);
    }

    private void connect(final String parameters) {
        subscription = subscribing.addSubscription(transports.channel(parameters), STREAM_ID);
        final String log = parameters.substring(parameters.indexOf("log="));
        for (int i = 0; i < LINKS; i++) {
            publications.add(publishing.addExclusivePublication(
                transports.channel("window=4k|" + log), STREAM_ID));
        }
        Await.until("all links", () -> {
            goOn();
            return publications.stream().allMatch(ExclusivePublication::isConnected)
                && subscription.imageCount() == LINKS;
        });
    }

    private String describe() {
        return "all links to have resumed: " + publishing.counters() + " " + subscribing.counters()
            + transports.errors();
    }

    private static long count(final Transport transport, final TransportCounter counter) {
        return transport.counters().get(counter);
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void shouldLoseNothingWhenTheControlConnectionOfManyLinksBreaks(final String parameters) {
        final FailNextWrite control = new FailNextWrite(FailNextWrite.Target.CONTROL);
        publishing = transports.launch(context -> context, new SlowSetup(SETUP_NS)::slow);
        subscribing = transports.launch(context -> context, control);
        connect(parameters);
        control.arm();
        Await.until(this::describe, () -> {
            goOn();
            return count(subscribing, TransportCounter.LINKS_RESUMED) >= LINKS
                && count(publishing, TransportCounter.LINKS_RESUMED) >= LINKS;
        }, Await.DEADLINE_SECONDS);
        Await.until(() -> "all of " + sent + " instead of " + received, () -> {
            subscription.poll(handler, LINKS);
            return received.equals(sent);
        }, Await.DEADLINE_SECONDS);
        assertEquals(0, count(publishing, TransportCounter.LINKS_GONE));
        assertEquals(0, count(subscribing, TransportCounter.LINKS_GONE));
        assertEquals(LINKS, count(subscribing, TransportCounter.LINKS_RESUMED));
    }

    @Test
    void shouldMakeManyLinksWhenAllOfThemTakeLongerThanOneMay() {
        final SkippingClock clock = new SkippingClock(SLOWNESS);
        final SlowSetup setup = new SlowSetup(() -> clock.skip(SETUP_NS));
        publishing = transports.launch(
            context -> context.environment(clock).timeouts(new Timeouts().handshakeTimeoutNs(SHORT_NS)), setup::slow);
        subscribing = transports.launch(
            context -> context.environment(clock).timeouts(new Timeouts().handshakeTimeoutNs(SHORT_NS)), setup::slow);
        connect("mode=invoker|log=copied");
        assertEquals(LINKS, count(publishing, TransportCounter.LINKS_ESTABLISHED));
    }
}

package io.sluice.transport.behaviour.close;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.States;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.BlockedWay;
import io.sluice.transport.harness.SkippingClock;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.software.FaultHook;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The linger of a channel against that of the context, when the whole transport closes. */
class LingerTest {
    private static final int STREAM_ID = 5;
    private static final int MESSAGES = 100;
    /** The closing thread has then had the time to act on a deadline that is over. */
    private static final int LOOKS = 100;
    /** Longer than what follows any linger. */
    private static final long SKIP_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long RESUME_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(200);

    @RegisterExtension
    private final Transports transports = new Transports();

    private final SkippingClock clock = new SkippingClock();

    private static void offer(final ExclusivePublication publication) {
        for (int i = 0; i < MESSAGES; i++) {
            assertTrue(publication.offer(new UnsafeBuffer(new byte[8])) > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldWaitForAChannelThatLingersLongerThanItsTransport(final String log) {
        final Transport transport =
            transports.launch(
                context -> context.environment(clock).timeouts(new Timeouts().lingerTimeoutNs(1_000_000L)));
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel("mode=invoker|log=" + log), STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication(
                transports.channel("linger=1800s|writes-in-flight=2|log=" + log), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        offer(publication);
        final Thread closing = new Thread(transport::close);
        clock.watch(closing);
        closing.start();
        Await.until("the close", publication::isClosed);
        clock.awaitLooks(2);
        clock.skip(SKIP_NS);
        clock.awaitLooks(LOOKS);
        assertTrue(closing.isAlive());
        Transports.receive(subscription, MESSAGES);
        Await.until("the drain", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return publication.isDrained();
        });
        Await.end(closing);
        assertEquals(0, transport.counters().get(TransportCounter.LINGER_EXPIRED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldNotWaitLongerThanItsChannelsLinger(final String log) {
        final Transport transport =
            transports.launch(
                context -> context.timeouts(new Timeouts().lingerTimeoutNs(TimeUnit.MINUTES.toNanos(30))));
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel("mode=invoker|log=" + log), STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication(
                transports.channel("linger=1ms|writes-in-flight=2|log=" + log), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        offer(publication);
        final Thread closing = new Thread(transport::close);
        closing.start();
        Await.end(closing);
        assertEquals(1, transport.counters().get(TransportCounter.LINGER_EXPIRED));
        assertFalse(publication.isDrained());
    }

    /** The peer is gone, as one that dies: nobody is left to wait for, and that is no delivery. */
    @Test
    void shouldNotTakeTheLossOfASubscriptionForADelivery() {
        final BlockedWay way = new BlockedWay(FaultHook.Operation.WRITE_WITH_IMMEDIATE);
        final Transport transport =
            transports.launch(context -> context.timeouts(new Timeouts().resumeTimeoutNs(RESUME_TIMEOUT_NS)), way);
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel("mode=invoker|log=copied"), STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication(transports.channel("linger=1800s|log=copied"), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        way.block();
        offer(publication);
        publication.close();
        Await.until("the end", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return States.isReleased(publication);
        });
        assertEquals(1, transport.counters().get(TransportCounter.LINKS_GONE));
        assertEquals(1, transport.counters().get(TransportCounter.LINGER_EXPIRED));
        assertFalse(publication.isDrained());
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldNotMissWhoDoesNotWantTheRest(final String log) {
        final Transport transport = transports.launch();
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel("mode=invoker|log=" + log), STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication(
                transports.channel("linger=1800s|writes-in-flight=2|log=" + log), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        offer(publication);
        publication.close();
        assertFalse(publication.isDrained());
        subscription.close();
        Await.until("the end", () -> States.isReleased(publication));
        assertTrue(publication.isDrained());
        assertEquals(0, transport.counters().get(TransportCounter.LINGER_EXPIRED));
    }
}

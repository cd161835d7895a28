package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Line;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.Timeouts;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A completion queue really overruns, since it is smaller than it says, with more than a mebibyte in flight: another
 * one takes its place, and nothing is lost and nothing comes twice.
 */
class OverrunEndToEndTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final int MESSAGE = 40_000;
    /** Three windows: the publisher has to wait while its link is broken. */
    private static final int MESSAGES = 300;
    /** So many messages are more than a mebibyte, and a device that rounds twice as many up has less than a window. */
    private static final int CAPACITY = 32;
    private static final String WINDOW = "window=4m|log=copied|writes-in-flight=128";

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    /** A child in which nothing times out: links resume, however long a busy machine takes for it. */
    private ChildJvm start(final String name, final String... properties) {
        return fabric.start(name, Stream.concat(Stream.of(properties),
            Stream.of(Timeouts.LONG_LIVENESS, Timeouts.LONG_RESUME, "test.pressure=true")).toArray(String[]::new));
    }

    private ChildJvm startUndersized(final String name, final String queues, final String... properties) {
        return start(name, Stream.concat(Stream.of(properties),
            Stream.of("test.undersized=" + queues, "test.undersized.capacity=" + CAPACITY)).toArray(String[]::new));
    }

    private void publish(final ChildJvm publisher, final ChildJvm subscriber, final String channel) {
        subscriber.ask("subscribe name=s" + channel, "OK");
        publisher.ask("publish hold=true name=p id=1 length=" + MESSAGE + " count=" + MESSAGES + channel, "OK");
        subscriber.await("AVAILABLE name=s join=0");
    }

    private static void assertTold(final ChildJvm publisher) {
        final Line told = publisher.await("PRESSURE state=BLOCKED cause=CQ_OVERRUN");
        assertTrue(told.number("behind") >= MEBIBYTE, told::toString);
    }

    /** A device may tell several times. */
    private static void assertOverrun(final ChildJvm child) {
        assertTrue(child.counter("device-events") >= 1, "IBV_EVENT_CQ_ERR");
        assertEquals(1, child.counter("cq-overruns"));
    }

    private void assertDelivered(final ChildJvm publisher, final ChildJvm subscriber) {
        final Line published = publisher.await("PUBLISHED result=NONE count=" + MESSAGES);
        assertTrue(published.number("back-pressured") > 0, published::toString);
        publisher.await("PRESSURE state=CLEAR");
        publisher.ask("close name=p", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE end=true index=0 messages=" + MESSAGES);
        assertEquals(1, publisher.counter("links-established"));
        assertTrue(publisher.counter("links-resumed") >= 1);
        publisher.exit();
        subscriber.exit();
        assertEquals(MESSAGES, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"invoker", "dedicated"})
    void shouldGoOnWhenTheQueueOfTheReceivesHasOverrun(final String mode) {
        final String channel = " channel=" + fabric.channel(WINDOW + "|mode=" + mode) + " stream=1";
        final ChildJvm subscriber = startUndersized("subscriber", "RECEIVES-LATE");
        final ChildJvm publisher = start("publisher");
        publish(publisher, subscriber, channel);
        publisher.ask("go name=p", "OK");
        assertTold(publisher);
        subscriber.await("PRESSURE state=BLOCKED cause=CQ_OVERRUN");
        assertOverrun(subscriber);
        assertDelivered(publisher, subscriber);
    }

    @Test
    void shouldGoOnWhenTheQueueOfTheSendsHasOverrun() {
        final String channel = " channel=" + fabric.channel(WINDOW) + " stream=1";
        final ChildJvm subscriber = start("subscriber");
        final ChildJvm publisher = startUndersized("publisher", "WRITES-LYING", "sluice.signal.interval=1");
        publish(publisher, subscriber, channel);
        subscriber.ask("pause name=s", "PAUSED messages=0");
        publisher.ask("go name=p", "OK");
        assertTold(publisher);
        assertOverrun(publisher);
        subscriber.ask("resume name=s", "RESUMED");
        assertDelivered(publisher, subscriber);
    }
}

package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Configuration;
import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Line;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.Scale;
import io.sluice.transport.harness.UnderLoad;
import io.sluice.transport.kit.Await;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A handler that does not come back for many times every timeout, with more than a mebibyte in flight. Its publisher is
 * refused room and nothing else: the link lives on heartbeats, the other handler of the graph and the other
 * subscription of the same poller get what is theirs, and when the handler returns, nothing is missing.
 */
@Tag("long")
class BlockedHandlerEndToEndTest {
    private static final int TIMES = 8;
    private static final long SHORT_LIVENESS_SECONDS = 1;
    private static final long DEFAULT_LIVENESS_SECONDS =
        TimeUnit.NANOSECONDS.toSeconds(Configuration.LIVENESS_TIMEOUT_DEFAULT_NS);
    private static final long MINUTE_SECONDS = 60;
    private static final String[] SHORT_TIMEOUTS = {
        "sluice.heartbeat.interval=100ms", "sluice.liveness.timeout=" + SHORT_LIVENESS_SECONDS + "s",
        "sluice.resume.timeout=500ms", "sluice.handshake.timeout=1s", "sluice.linger.timeout=1s"
    };
    private static final int MESSAGES = Scale.messages(10_000);
    private static final int REFUSALS = 1_000;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    private ChildJvm subscriber;
    private ChildJvm publisher;
    private UnderLoad load;

    /** Eight times the liveness and the handshake timeout, sixteen times the resume timeout. */
    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldGateOnAHandlerThatIsBlockedForManyTimesEveryTimeout(final String log) {
        connect(log, SHORT_TIMEOUTS);
        blockFor(TIMES, SHORT_LIVENESS_SECONDS);
        releaseAndJudge();
    }

    /** The timeouts are the default ones; runs only when it is asked for, because it takes what its name says. */
    @Test
    @EnabledIfSystemProperty(named = "sluice.test.minute", matches = "true")
    void shouldGateOnAHandlerThatIsBlockedForAMinute() {
        connect("shared");
        blockFor((int) (MINUTE_SECONDS / DEFAULT_LIVENESS_SECONDS), DEFAULT_LIVENESS_SECONDS);
        releaseAndJudge();
    }

    private void connect(final String log, final String... settings) {
        subscriber = fabric.start("subscriber", settings);
        publisher = fabric.start("publisher", settings);
        final String dedicated = " channel=" + fabric.channel("mode=dedicated|poller=0|ring=64|log=" + log);
        subscriber.ask("consume names=free,blocked stream=1" + dedicated, "OK");
        subscriber.ask("subscribe name=neighbour stream=2" + dedicated, "OK");
        for (int stream = 1; stream <= 2; stream++) {
            publisher.ask("publish hold=true lengths=mix name=p" + stream + " id=" + stream + " stream=" + stream
                + " channel=" + fabric.channel("window=" + (stream == 1 ? "4m" : "64k") + "|log=" + log), "OK");
        }
        for (final String name : new String[] {"free", "blocked", "neighbour"}) {
            final Line image = subscriber.await("AVAILABLE join=0 index=0 name=" + name);
            if (name.equals("blocked")) {
                load = new UnderLoad(fabric, "p1", subscriber, name, image.intNumber("session"));
            }
        }
        publisher.ask("go name=p1", "OK");
        publisher.ask("go name=p2", "OK");
        for (final String name : new String[] {"free", "blocked", "neighbour"}) {
            subscriber.awaitMessages(name, MESSAGES);
        }
    }

    private void blockFor(final int times, final long seconds) {
        subscriber.ask("block name=blocked", "BLOCKED name=blocked");
        final long begin = System.nanoTime();
        awaitRefusals();
        load.assertEnough();
        final Line held = state(publisher, "p1");
        final long blocked = messages("blocked");
        for (int i = 1; i <= times; i++) {
            final long endNs = begin + TimeUnit.SECONDS.toNanos(i * seconds);
            final long neighbour = messages("neighbour");
            Await.until("the end of the timeout", () -> System.nanoTime() - endNs >= 0);
            awaitRefusals();
            subscriber.awaitMessages("neighbour", neighbour + MESSAGES);
        }
        final Line stillHeld = state(publisher, "p1");
        assertEquals(held.number("position"), stillHeld.number("position"), "no room meanwhile");
        assertTrue(stillHeld.flag("connected"));
        assertEquals(blocked, messages("blocked"));
        load.assertEnough();
        for (final ChildJvm process : new ChildJvm[] {subscriber, publisher}) {
            assertEquals(0, process.counter("links-broken"), process::describe);
            assertEquals(0, process.counter("links-gone"), process::describe);
            assertEquals(0, process.counter("connections-lost"), process::describe);
        }
        assertNull(subscriber.poll("UNAVAILABLE"));
        System.out.println("blocked for " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms: "
            + "refused=" + (stillHeld.number("back-pressured") - held.number("back-pressured")) + " held at position="
            + stillHeld.number("position") + ", messages of the neighbour=" + messages("neighbour"));
    }

    /** The publisher is told BACK_PRESSURED again and again. */
    private void awaitRefusals() {
        final long enough = state(publisher, "p1").number("back-pressured") + REFUSALS;
        Await.until("back-pressure", () -> state(publisher, "p1").number("back-pressured") >= enough);
    }

    private void releaseAndJudge() {
        final long before = messages("blocked");
        subscriber.ask("unblock name=blocked", "OK");
        subscriber.awaitMessages("blocked", before + MESSAGES);
        for (int stream = 1; stream <= 2; stream++) {
            publisher.ask("halt name=p" + stream, "PUBLISHED result=NONE");
            publisher.ask("close name=p" + stream, "CLOSED drained=true");
        }
        for (final String name : new String[] {"free", "blocked", "neighbour"}) {
            subscriber.await("UNAVAILABLE index=0 end=true name=" + name);
        }
        publisher.exit();
        subscriber.exit();
        assertNull(subscriber.poll("FAILED"));
        assertEquals(
            Reports.assertReceivedAll(fabric, "p1", "free"), Reports.assertReceivedAll(fabric, "p1", "blocked"));
        assertTrue(Reports.assertReceivedAll(fabric, "p2", "neighbour") > MESSAGES * TIMES);
    }

    private long messages(final String name) {
        return state(subscriber, name).number("messages");
    }

    private static Line state(final ChildJvm process, final String name) {
        return process.ask("state name=" + name, "STATE name=" + name);
    }
}

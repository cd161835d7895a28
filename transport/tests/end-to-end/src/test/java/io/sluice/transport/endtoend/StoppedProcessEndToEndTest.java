package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.InFlight;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Timeouts;
import io.sluice.transport.harness.UnderLoad;
import io.sluice.transport.kit.Await;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that are stopped (SIGSTOP) for longer than every timeout and go on (SIGCONT) when others have replaced
 * them, also in the middle of a write into a peer's memory.
 */
@Tag("long")
class StoppedProcessEndToEndTest {
    private static final int MESSAGES = 2_000;
    private static final int STOP_SECONDS = 5;
    /** Some of it is consumed until the process stands still. */
    private static final long LOAD = 2 * InFlight.MEBIBYTE;
    /** So slow that what is in flight stays there for seconds. */
    private static final String SLOW = "slow name=s pause-ns=5000000";
    private static final String QUICK = "slow name=s pause-ns=0";

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    private ChildJvm start(final String name) {
        return fabric.start(name, "test.hook=true", Timeouts.HEARTBEAT, Timeouts.LIVENESS, Timeouts.RESUME);
    }

    private String channel(final String log) {
        return " channel=" + fabric.channel("window=4m|log=" + log) + " stream=1";
    }

    private String fanOut(final String log) {
        return " channel=" + fabric.fanOut("window=4m|log=" + log) + " stream=1";
    }

    /**
     * The writer stands inside a copy into the subscriber's ring, or inside a completion entry, while its process is
     * stopped, and still stands there while its own conductor and another publisher go on: what it then writes must
     * reach nobody.
     */
    @ParameterizedTest
    @CsvSource({
        "hold-copy, copied, invoker", "hold-completion, copied, dedicated",
        "hold-copy, shared|completion=queue, dedicated", "hold-completion, shared|completion=queue, invoker"
    })
    void shouldNotBeHarmedByAWriterThatWasStoppedInsideAWrite(
        final String fault, final String log, final String mode) {
        TestMedium.assumeSoftware();
        final ChildJvm subscriber = start("subscriber");
        final ChildJvm stopped = start("stopped");
        subscriber.ask("subscribe name=s" + channel(log).replace("?", "?mode=" + mode + "|"), "OK");
        stopped.ask("publish hold=true lengths=mix name=p id=1" + channel(log), "OK");
        final int session = subscriber.await("AVAILABLE name=s index=0 join=0").intNumber("session");
        subscriber.ask(SLOW, "OK command=slow");
        stopped.ask("fault after-bytes=" + LOAD + " kind=" + fault, "OK");
        stopped.ask("go name=p", "OK");
        stopped.await("HELD where=" + (fault.equals("hold-copy") ? "copy" : "completion"));
        stopped.stop();
        assertInFlight(session);
        subscriber.ask(QUICK, "OK command=slow");
        subscriber.await("UNAVAILABLE name=s index=0 end=false");
        final ChildJvm successor = start("successor");
        successor.ask("publish lengths=mix name=q id=2" + channel(log), "OK");
        subscriber.await("AVAILABLE name=s index=1 join=0");
        awaitMore(subscriber, "s");
        stopped.proceed();
        awaitMore(subscriber, "s");
        stopped.ask("release", "LET-GO");
        subscriber.await("AVAILABLE name=s index=2");
        awaitMore(subscriber, "s");
        for (final ChildJvm publisher : new ChildJvm[] {stopped, successor}) {
            final String name = publisher == stopped ? "p" : "q";
            publisher.ask("halt name=" + name, "PUBLISHED result=NONE");
            publisher.ask("close name=" + name, "CLOSED drained=true");
            subscriber.await("UNAVAILABLE name=s end=true index=" + (publisher == stopped ? 2 : 1));
            publisher.exit();
        }
        subscriber.exit();
        Reports.assertReceivedAll(fabric, "q", "s");
        Reports.assertRuns(fabric, "p", "s");
        assertEquals(2, Reports.imagesOf(fabric, "s", 1).size());
        assertTrue(Reports.imagesOf(fabric, "s", 1).getFirst().records() > 0);
    }

    /** The subscriber's own write into the publisher's memory is the one that is cut in two. */
    @ParameterizedTest
    @CsvSource({"hold-feedback, copied", "hold-feedback, shared", "hold-control, shared"})
    void shouldNotBeHarmedByASubscriberThatWasStoppedInsideAWrite(final String fault, final String log) {
        TestMedium.assumeSoftware();
        final ChildJvm stopped = start("stopped");
        final ChildJvm faithful = start("faithful");
        final ChildJvm publisher = start("publisher");
        stopped.ask("subscribe name=s" + fanOut(log), "OK");
        faithful.ask("subscribe name=f" + fanOut(log), "OK");
        publisher.ask("publish hold=true lengths=mix name=p id=1" + fanOut(log), "OK");
        final int session = stopped.await("AVAILABLE name=s index=0 join=0").intNumber("session");
        faithful.await("AVAILABLE name=f index=0 join=0");
        publisher.ask("go name=p", "OK");
        awaitMore(stopped, "s");
        stopped.ask(SLOW, "OK command=slow");
        awaitLoad(session);
        stopped.ask("fault kind=" + fault, "OK");
        stopped.await("HELD");
        stopped.stop();
        assertInFlight(session);
        publisher.awaitCounter("links-gone", 1);
        awaitMore(faithful, "f");
        stopped.proceed();
        stopped.ask(QUICK, "OK command=slow");
        awaitMore(faithful, "f");
        stopped.ask("release", "LET-GO");
        stopped.await("UNAVAILABLE name=s index=0 end=false");
        stopped.await("AVAILABLE name=s index=1");
        awaitMore(stopped, "s");
        publisher.ask("halt name=p", "PUBLISHED result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        stopped.await("UNAVAILABLE name=s index=1 end=true");
        faithful.await("UNAVAILABLE name=f index=0 end=true");
        publisher.exit();
        stopped.exit();
        faithful.exit();
        Reports.assertReceivedAll(fabric, "p", "f");
        assertRuns(log, stopped);
        assertEquals(2, Reports.imagesOf(fabric, "s", 1).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldGoOnWithoutASilentSubscriberAndTakeItBackAsANewImage(final String log) {
        final ChildJvm silent = start("silent");
        final ChildJvm faithful = start("faithful");
        final ChildJvm publisher = start("publisher");
        silent.ask("subscribe name=s" + fanOut(log), "OK");
        faithful.ask("subscribe name=f" + fanOut(log), "OK");
        publisher.ask("publish hold=true lengths=mix name=p id=1" + fanOut(log), "OK");
        final int session = silent.await("AVAILABLE name=s index=0 join=0").intNumber("session");
        faithful.await("AVAILABLE name=f index=0 join=0");
        publisher.ask("go name=p", "OK");
        awaitMore(silent, "s");
        silent.ask(SLOW, "OK command=slow");
        awaitLoad(session);
        silent.stop();
        assertInFlight(session);
        publisher.awaitCounter("links-gone", 1);
        awaitMore(faithful, "f");
        silent.proceed();
        silent.ask(QUICK, "OK command=slow");
        silent.await("UNAVAILABLE name=s index=0 end=false");
        silent.await("AVAILABLE name=s index=1");
        awaitMore(silent, "s");
        publisher.ask("halt name=p", "PUBLISHED result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        silent.await("UNAVAILABLE name=s index=1 end=true");
        faithful.await("UNAVAILABLE name=f index=0 end=true");
        publisher.exit();
        silent.exit();
        faithful.exit();
        Reports.assertReceivedAll(fabric, "p", "f");
        assertTrue(publisher.errors().contains("link given up: it was not resumed"), publisher::errors);
        assertTrue(publisher.errors().contains("reason=PEER_SILENT resumes=0 bytesBehind="), publisher::errors);
        assertTrue(silent.errors().contains("image given up: "), silent::errors);
        assertRuns(log, silent);
        assertEquals(2, Reports.imagesOf(fabric, "s", 1).size());
    }

    /** Liveness ignores the time in which the own conductor did not run. */
    @ParameterizedTest
    @ValueSource(strings = {"publisher", "subscriber"})
    void shouldNoticeNothingOfAShortStop(final String victim) {
        final String channel = " channel=" + fabric.channel("window=4m") + " stream=1";
        final ChildJvm subscriber = fabric.start("subscriber");
        final ChildJvm publisher = fabric.start("publisher");
        subscriber.ask("subscribe name=s" + channel, "OK");
        publisher.ask("publish hold=true lengths=mix name=p id=1" + channel, "OK");
        final int session = subscriber.await("AVAILABLE name=s index=0 join=0").intNumber("session");
        final UnderLoad load = new UnderLoad(fabric, "p", subscriber, "s", session);
        publisher.ask("go name=p", "OK");
        for (int round = 0; round < 5; round++) {
            awaitMore(subscriber, "s");
            final ChildJvm child = victim.equals("publisher") ? publisher : subscriber;
            load.slowDownAndStrike(child::stop);
            child.proceed();
            load.hurryUp();
        }
        publisher.ask("halt name=p", "PUBLISHED result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE name=s index=0 end=true");
        assertEquals(0, publisher.counter("links-broken"));
        publisher.exit();
        subscriber.exit();
        Reports.assertReceivedAll(fabric, "p", "s");
    }

    /** The timeouts are the default ones, of which liveness is twice as long. */
    @Test
    void shouldNoticeNothingOfFiveSeconds() {
        final String channel = " channel=" + fabric.channel("window=4m") + " stream=1";
        final ChildJvm subscriber = fabric.start("subscriber");
        final ChildJvm publisher = fabric.start("publisher");
        subscriber.ask("subscribe name=s" + channel, "OK");
        publisher.ask("publish hold=true lengths=mix name=p id=1" + channel, "OK");
        final int session = subscriber.await("AVAILABLE name=s index=0 join=0").intNumber("session");
        publisher.ask("go name=p", "OK");
        for (final ChildJvm victim : new ChildJvm[] {publisher, subscriber}) {
            subscriber.ask(SLOW, "OK command=slow");
            awaitLoad(session);
            victim.stop();
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
            assertInFlight(session);
            Await.until("the end of the stop", () -> System.nanoTime() - endNs >= 0);
            victim.proceed();
            subscriber.ask(QUICK, "OK command=slow");
            awaitMore(subscriber, "s");
        }
        publisher.ask("halt name=p", "PUBLISHED result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE name=s index=0 end=true");
        assertEquals(0, publisher.counter("links-broken"));
        publisher.exit();
        subscriber.exit();
        Reports.assertReceivedAll(fabric, "p", "s");
    }

    private void awaitLoad(final int session) {
        Await.until("a load", () -> inFlight(session) >= LOAD);
    }

    private void assertInFlight(final int session) {
        assertTrue(inFlight(session) >= InFlight.MEBIBYTE, () -> "in flight: " + inFlight(session));
    }

    private long inFlight(final int session) {
        return InFlight.bytes(fabric.journals(), "p", "s", session);
    }

    /** The publisher went on without a subscriber: one that maps the log may have stood inside a handler meanwhile. */
    private void assertRuns(final String log, final ChildJvm leftBehind) {
        if (log.equals("copied")) {
            Reports.assertRuns(fabric, "p", "s");
        } else {
            Reports.assertRunsToWhereTold(fabric, "p", "s", leftBehind.errors());
        }
    }

    private static void awaitMore(final ChildJvm subscriber, final String name) {
        final long messages = subscriber.ask("state name=" + name, "STATE name=" + name).number("messages");
        subscriber.awaitMessages(name, messages + MESSAGES);
    }
}

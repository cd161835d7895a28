package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.InFlight;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.TestMedium;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One publication and subscribers in other processes that come, go and stand still, with every flow control. */
class FanOutEndToEndTest {
    private static final int MESSAGES = 2_000;
    private static final int GUESTS = 6;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    private String channel(final String parameters) {
        return " channel=" + fabric.fanOut(parameters) + " stream=1";
    }

    private static void awaitMore(final ChildJvm subscriber, final String name) {
        final long messages = subscriber.ask("state name=" + name, "STATE name=" + name).number("messages");
        subscriber.awaitMessages(name, messages + MESSAGES);
    }

    /** A subscriber that does not gate may be left behind even then: the publication is not drained, and says so. */
    private static void close(final ChildJvm publisher, final String flowControl) {
        publisher.ask("halt name=p", "PUBLISHED result=NONE");
        publisher.ask("close name=p", flowControl.equals("min") ? "CLOSED drained=true" : "CLOSED name=p");
    }

    /** Each flow control with two kinds of logs, each kind with two flow controls. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource(delimiter = ';', value = {
        "min; shared", "max; shared", "min; copied", "tagged,g:1; copied", "max; shared|completion=queue",
        "tagged,g:1; shared|completion=queue"
    })
    void shouldServeJoinersAndLeaversUnderLoad(final String flowControl, final String log) {
        final ChildJvm publisher = fabric.start("publisher");
        final ChildJvm faithful = fabric.start("faithful");
        final ChildJvm guests = fabric.start("guests");
        faithful.ask("subscribe name=f" + channel("gtag=1|log=" + log), "OK");
        publisher.ask("publish hold=true lengths=mix name=p id=1"
            + channel("window=256k|fc=" + flowControl + "|log=" + log), "OK");
        faithful.await("AVAILABLE name=f join=0");
        publisher.ask("go name=p", "OK");
        for (int i = 0; i < GUESTS; i++) {
            final String mode = i % 2 == 0 ? "mode=invoker|" : "mode=dedicated|";
            guests.ask("subscribe name=g" + i + channel(mode + "log=" + log), "OK");
            guests.await("AVAILABLE name=g" + i);
            guests.awaitMessages("g" + i, MESSAGES);
            if (i % 3 != 0) {
                guests.ask("leave name=g" + i, "LEFT");
            }
        }
        awaitMore(faithful, "f");
        close(publisher, flowControl);
        publisher.exit();
        guests.exit();
        faithful.exit();
        if (!flowControl.equals("max")) {
            Reports.assertReceivedAll(fabric, "p", "f");
        }
        Reports.assertRunsToWhereTold(fabric, "p", "f", faithful.errors());
        Reports.assertNothingTwice(fabric, "p", "f");
        for (int i = 0; i < GUESTS; i++) {
            assertTrue(Reports.assertRunsToWhereTold(fabric, "p", "g" + i, guests.errors()) > 0);
            Reports.assertNothingTwice(fabric, "p", "g" + i);
        }
    }

    /** A frozen subscriber is cut off long before it would be taken for dead, and taken back when it goes on. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource(delimiter = ';', value = {
        "max; shared; invoker", "max; shared|completion=queue; dedicated", "max; copied; invoker",
        "tagged,g:1; shared; dedicated", "tagged,g:1; shared|completion=queue; invoker", "tagged,g:1; copied; dedicated"
    })
    void shouldGoOnAtOnceWithoutAFrozenSubscriberThatDoesNotGate(
        final String flowControl, final String log, final String mode) {
        final ChildJvm publisher = fabric.start("publisher");
        final ChildJvm faithful = fabric.start("faithful");
        final ChildJvm frozen = fabric.start("frozen", "sluice.client.name=icicle");
        faithful.ask("subscribe name=f" + channel("gtag=1|log=" + log), "OK");
        frozen.ask("subscribe name=s" + channel("gtag=2|mode=" + mode + "|log=" + log), "OK");
        publisher.ask("publish hold=true lengths=mix name=p id=1"
            + channel("window=4m|fc=" + flowControl + "|log=" + log), "OK");
        faithful.await("AVAILABLE name=f join=0");
        frozen.await("AVAILABLE name=s join=0");
        frozen.ask("pause name=s", "PAUSED");
        frozen.stop();
        publisher.ask("go name=p", "OK");
        awaitMore(faithful, "f");
        publisher.awaitCounter("laggards-closed", 1);
        awaitMore(faithful, "f");
        assertTrue(publisher.errors().contains("subscription left behind: peer="
            + (TestMedium.isRdma() ? "" : "pid " + frozen.pid() + " client=icicle")), publisher.errors());
        assertTrue(publisher.errors().contains(" client=icicle subscriptionId="), publisher.errors());
        assertTrue(bytesBehind(publisher) >= InFlight.MEBIBYTE, publisher.errors());
        assertEquals(0, publisher.counter("connections-lost"), "nobody took it for dead");
        frozen.proceed();
        frozen.ask("resume name=s", "RESUMED");
        frozen.await("UNAVAILABLE name=s index=0 end=false");
        frozen.await("AVAILABLE name=s index=1");
        awaitMore(frozen, "s");
        close(publisher, flowControl);
        publisher.exit();
        frozen.exit();
        faithful.exit();
        if (!flowControl.equals("max")) {
            Reports.assertReceivedAll(fabric, "p", "f");
        }
        Reports.assertRunsToWhereTold(fabric, "p", "f", faithful.errors());
        Reports.assertRunsToWhereTold(fabric, "p", "s", frozen.errors());
        Reports.assertNothingTwice(fabric, "p", "s");
    }

    /** The bytes that were in flight to the subscription that was left behind first. */
    private static long bytesBehind(final ChildJvm publisher) {
        final Matcher told =
            Pattern.compile("subscription left behind: .*bytesBehind=(\\d+)").matcher(publisher.errors());
        return told.find() ? Long.parseLong(told.group(1)) : 0;
    }
}

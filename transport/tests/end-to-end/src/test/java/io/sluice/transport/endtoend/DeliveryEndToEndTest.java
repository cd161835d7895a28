package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Line;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are offered arrive once, in order and unharmed, between processes. */
class DeliveryEndToEndTest {
    private static final int TEN_MILLION = Scale.messages(10_000_000);
    private static final long LONG_RUN_SECONDS = 400;
    private static final int PROCESSES = 3;
    private static final int MESSAGES_OF_EACH = Scale.messages(20_000);

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    @Test
    @Tag("slow")
    @Timeout(value = LONG_RUN_SECONDS, unit = TimeUnit.SECONDS)
    void shouldDeliverTenMillionMessagesOfAllLengths() {
        final ChildJvm subscriber = fabric.start("subscriber");
        final ChildJvm publisher = fabric.start("publisher");
        subscriber.ask("subscribe name=s stream=1 channel=" + fabric.channel("endpoint=a"), "OK");
        publisher.ask("publish hold=true lengths=mix stream=1 name=p id=1 count=" + TEN_MILLION
            + " channel=" + fabric.channel("endpoint=a|window=1m"), "OK");
        subscriber.await("AVAILABLE name=s");
        publisher.ask("go name=p", "OK");
        publisher.await("PUBLISHED name=p count=" + TEN_MILLION + " result=NONE", LONG_RUN_SECONDS);
        publisher.ask("close name=p", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE name=s index=0 end=true messages=" + TEN_MILLION);
        publisher.exit();
        subscriber.exit();
        assertEquals(TEN_MILLION, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldDeliverEveryLengthInATinyWindow(final String log) {
        final ChildJvm subscriber = fabric.start("subscriber");
        final ChildJvm publisher = fabric.start("publisher");
        subscriber.ask(
            "subscribe name=s style=controlled stream=1 channel=" + fabric.channel("log=" + log), "OK");
        publisher.ask("publish name=p id=1 stream=1 lengths=even hold=true count=" + MESSAGES_OF_EACH
            + " channel=" + fabric.channel("window=4k|log=" + log), "OK");
        subscriber.await("AVAILABLE name=s");
        publisher.ask("go name=p", "OK");
        publisher.await("PUBLISHED name=p count=" + MESSAGES_OF_EACH + " result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE name=s index=0 end=true messages=" + MESSAGES_OF_EACH);
        publisher.exit();
        subscriber.exit();
        assertEquals(MESSAGES_OF_EACH, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    @Test
    void shouldConnectWhenThePublicationIsThereFirst() {
        final ChildJvm publisher = fabric.start("publisher");
        publisher.ask("publish name=p id=1 stream=1 count=1000 channel=" + fabric.channel(""), "OK");
        final ChildJvm subscriber = fabric.start("subscriber");
        subscriber.ask("subscribe name=s stream=1 channel=" + fabric.channel(""), "OK");
        final Line published = publisher.await("PUBLISHED name=p count=1000 result=NONE");
        assertTrue(published.number("not-connected") > 0, "the publisher tried before there was a subscriber");
        publisher.ask("close name=p", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE name=s end=true");
        subscriber.exit();
        publisher.exit();
        assertEquals(1000, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    @Test
    @Tag("slow")
    void shouldLinkEveryPublicationToEverySubscription() {
        final List<ChildJvm> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(fabric.start("process" + i));
        }
        for (int i = 0; i < PROCESSES; i++) {
            for (int j = 0; j < 2; j++) {
                final String any = "endpoint=any|window=64k";
                final String mode = j == 0 ? "?mode=invoker|" : "?mode=dedicated|";
                processes.get(i).ask("subscribe stream=7 name=s" + i + j + " channel="
                    + fabric.ofAllPublishers(PROCESSES, any).replace("?", mode), "OK");
                processes.get(i).ask("publish hold=true lengths=mix count=" + MESSAGES_OF_EACH + " id=" + (10 * i + j)
                    + " stream=7 name=p" + i + j + " channel=" + fabric.ofPublisher(i, any), "OK");
            }
        }
        forEach(processes, "s", (process, name) -> awaitImages(process, name, 2 * PROCESSES));
        forEach(processes, "p", (process, name) -> process.ask("go name=" + name, "OK"));
        forEach(processes, "p", (process, name) -> process.await("PUBLISHED result=NONE name=" + name));
        forEach(processes, "p", (process, name) -> process.ask("close name=" + name, "CLOSED drained=true"));
        processes.forEach(ChildJvm::exit);
        forEach(processes, "p", (publisher, p) -> forEach(processes, "s", (subscriber, s) ->
            assertEquals(MESSAGES_OF_EACH, Reports.assertReceivedAll(fabric, p, s))));
    }

    private static void awaitImages(final ChildJvm process, final String name, final int count) {
        for (int i = 0; i < count; i++) {
            process.await("AVAILABLE join=0 name=" + name);
        }
    }

    private static void forEach(final List<ChildJvm> processes, final String kind, final Visitor visitor) {
        for (int i = 0; i < processes.size(); i++) {
            for (int j = 0; j < 2; j++) {
                visitor.visit(processes.get(i), kind + i + j);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldLetSubscribersJoinLateAndLeaveEarly(final String log) {
        final String channel = " channel=" + fabric.fanOut("window=256k|log=" + log) + " stream=1";
        final ChildJvm publisher = fabric.start("publisher");
        final ChildJvm faithful = fabric.start("faithful");
        final ChildJvm guest = fabric.start("guest");
        faithful.ask("subscribe name=f" + channel, "OK");
        publisher.ask("publish hold=true lengths=mix name=p id=1" + channel, "OK");
        faithful.await("AVAILABLE name=f join=0");
        publisher.ask("go name=p", "OK");
        for (int round = 0; round < 10; round++) {
            final String name = "g" + round;
            final String mode = round % 2 == 0 ? "?mode=invoker|" : "?mode=dedicated|";
            guest.ask("subscribe name=" + name + channel.replace("?", mode), "OK");
            final Line image = guest.await("AVAILABLE name=" + name);
            guest.awaitMessages(name, 500);
            guest.ask("leave name=" + name, "LEFT");
            assertTrue(image.number("join") > 0 || round == 0, "joined late");
        }
        publisher.ask("halt name=p", "PUBLISHED result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        faithful.await("UNAVAILABLE name=f end=true");
        publisher.exit();
        guest.exit();
        faithful.exit();
        Reports.assertReceivedAll(fabric, "p", "f");
        for (int round = 0; round < 10; round++) {
            assertTrue(Reports.assertRuns(fabric, "p", "g" + round) >= 500);
        }
    }

    /** Given a process and a name of something in it. */
    private interface Visitor {
        void visit(ChildJvm process, String name);
    }
}

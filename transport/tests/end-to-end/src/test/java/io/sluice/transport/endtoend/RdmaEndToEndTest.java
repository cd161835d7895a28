package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.RdmaPlaces;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.Timeouts;
import io.sluice.transport.harness.UnderLoad;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are offered arrive once, in order and unharmed, between processes over a verbs device. */
class RdmaEndToEndTest {
    private static final int MESSAGES = 5_000;
    /** Under emulation some seconds' worth, so that what happens meanwhile happens under load. */
    private static final int MANY_MESSAGES = 50_000;

    /** An address of documentation: there is no way to it. */
    private static final String UNREACHABLE = "192.0.2.1:40123";

    @RegisterExtension
    private final Fabric fabric = new Fabric();
    private RdmaPlaces places;

    @BeforeEach
    void findDevices() {
        places = RdmaPlaces.assumed();
    }

    @Test
    void shouldDeliverWithinOneProcess() {
        final String endpoint = places.newEndpoint() + "|window=64k";
        final ChildJvm process = fabric.start("process");
        process.ask("subscribe name=s" + places.ofSubscriber(endpoint), "OK");
        process.ask("publish name=p id=1 lengths=mix hold=true count=" + MESSAGES
            + places.ofSubscriber(endpoint), "OK");
        deliver(process, process, MESSAGES);
        process.exit();
        assertEquals(MESSAGES, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "mode=invoker|window=4k", "mode=invoker|window=1m", "mode=dedicated|window=256k", "mode=invoker|cq=legacy"
    })
    void shouldDeliverBetweenTwoProcesses(final String parameters) {
        final String channel = places.newEndpoint() + "|" + parameters;
        final String lengths = parameters.contains("4k") ? "even" : "mix";
        final ChildJvm subscriber = fabric.start("subscriber");
        final ChildJvm publisher = fabric.start("publisher");
        subscriber.ask("subscribe name=s" + places.ofSubscriber(channel), "OK");
        publisher.ask("publish name=p id=1 lengths=" + lengths + " hold=true count=" + MESSAGES
            + places.ofPublisher(channel), "OK");
        deliver(publisher, subscriber, MESSAGES);
        publisher.exit();
        subscriber.exit();
        assertEquals(MESSAGES, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    private static void deliver(final ChildJvm publisher, final ChildJvm subscriber, final int messages) {
        subscriber.await("AVAILABLE name=s join=0");
        publisher.ask("go name=p", "OK");
        awaitEnd(publisher, subscriber, messages);
    }

    private static void awaitEnd(final ChildJvm publisher, final ChildJvm subscriber, final int messages) {
        publisher.await("PUBLISHED name=p count=" + messages + " result=NONE");
        publisher.ask("close name=p", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE name=s index=0 end=true messages=" + messages);
    }

    @Test
    void shouldConnectWhenThePublicationIsThereFirst() {
        final String endpoint = places.newEndpoint();
        final ChildJvm publisher = fabric.start("publisher");
        publisher.ask("publish name=p id=1 count=" + MESSAGES + places.ofPublisher(endpoint), "OK");
        final ChildJvm subscriber = fabric.start("subscriber");
        subscriber.ask("subscribe name=s" + places.ofSubscriber(endpoint), "OK");
        awaitEnd(publisher, subscriber, MESSAGES);
        publisher.exit();
        subscriber.exit();
        assertEquals(MESSAGES, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    @Test
    void shouldFanOutToAllThatJoinUnderAControlAddress() {
        final String control = places.newControl() + "|window=256k";
        final ChildJvm early = fabric.start("early");
        early.ask("subscribe name=s" + places.ofSubscriber(control), "OK");
        final ChildJvm publisher = fabric.start("publisher");
        publisher.ask("publish name=p id=1 lengths=mix hold=true count=" + MESSAGES
            + places.ofPublisher(control), "OK");
        final ChildJvm late = fabric.start("late");
        late.ask("subscribe name=l" + places.ofSubscriber(control + "|mode=dedicated"), "OK");
        late.await("AVAILABLE name=l join=0");
        deliver(publisher, early, MESSAGES);
        late.await("UNAVAILABLE name=l index=0 end=true messages=" + MESSAGES);
        publisher.exit();
        early.exit();
        late.exit();
        assertEquals(MESSAGES, Reports.assertReceivedAll(fabric, "p", "s"));
        assertEquals(MESSAGES, Reports.assertReceivedAll(fabric, "p", "l"));
    }

    @Test
    void shouldTellASecondProcessWhoListensAtTheAddress() {
        final String endpoint = places.newEndpoint();
        final ChildJvm first = fabric.start("first");
        first.ask("subscribe name=s" + places.ofSubscriber(endpoint), "OK");
        final ChildJvm second = fabric.start("second");
        second.ask("subscribe name=t" + places.ofSubscriber(endpoint), "REJECTED type=IllegalStateException");
        assertTrue(second.errors().contains("in use by pid " + first.pid()), second.errors());
        second.exit();
        first.exit();
    }

    @Test
    void shouldSayWhyAnAddressCannotBeReached() {
        places.assumeVerbs();
        final ChildJvm publisher = fabric.start("publisher");
        publisher.ask("publish name=p id=1" + places.ofPublisher("endpoint=" + UNREACHABLE), "OK");
        final String told = publisher.await("ERROR").text("text");
        assertTrue(told.contains("cannot_connect_to_" + UNREACHABLE), told);
        assertTrue(told.contains("from_device_"), told);
        publisher.exit();
    }

    @Test
    void shouldRefuseAnAddressOfAnotherDevice() {
        places.assumeTwo();
        final ChildJvm process = fabric.start("process");
        process.ask("subscribe name=s" + places.ofPublisher(places.newEndpoint()), "REJECTED type=TransportException");
        assertTrue(process.errors().contains(" belongs to device "), process.errors());
        process.exit();
    }

    @Test
    void shouldLeaveAPrefixWhenThePublisherIsKilledAndTakeUpItsSuccessor() {
        final String channel = places.newEndpoint() + "|window=4m|session-id=7";
        final ChildJvm subscriber = fabric.start("subscriber");
        subscriber.ask("subscribe name=s" + places.ofSubscriber(channel), "OK");
        for (int life = 0; life < 2; life++) {
            final ChildJvm publisher = fabric.start("publisher" + life);
            publisher.ask("publish hold=true lengths=mix name=p" + life + " id=" + life
                + places.ofPublisher(channel), "OK");
            subscriber.await("AVAILABLE session=7 index=" + life);
            publisher.ask("go name=p" + life, "OK");
            subscriber.awaitMessages("s", (life + 1) * MESSAGES);
            final UnderLoad load = new UnderLoad(fabric, "p" + life, subscriber, "s", 7);
            load.slowDownAndStrike(publisher::kill);
            load.hurryUp();
            subscriber.await("UNAVAILABLE end=false index=" + life);
        }
        subscriber.exit();
        assertTrue(Reports.assertRuns(fabric, "p0", "s") > 0);
        assertTrue(Reports.assertRuns(fabric, "p1", "s") > 0);
    }

    @Test
    void shouldResumeWhenTheNetworkIsBack() throws IOException, InterruptedException {
        places.assumeTwo();
        final String channel = places.newEndpoint() + "|window=64k";
        try {
            final ChildJvm subscriber = fabric.start("subscriber", Timeouts.LONG_LIVENESS, Timeouts.LONG_RESUME);
            final ChildJvm publisher = fabric.start("publisher", Timeouts.LONG_LIVENESS, Timeouts.LONG_RESUME);
            subscriber.ask("subscribe name=s" + places.ofSubscriber(channel), "OK");
            publisher.ask("publish name=p id=1 lengths=mix hold=true count=" + MANY_MESSAGES
                + places.ofPublisher(channel), "OK");
            subscriber.await("AVAILABLE name=s join=0");
            publisher.ask("go name=p", "OK");
            subscriber.awaitMessages("s", MESSAGES);
            disturb("loss 100%");
            publisher.awaitCounter("links-broken", 1);
            disturb("loss 0%");
            awaitEnd(publisher, subscriber, MANY_MESSAGES);
            assertTrue(publisher.counter("links-resumed") >= 1, "a link resumed");
            assertEquals(1, publisher.counter("links-established"));
            publisher.exit();
            subscriber.exit();
        } finally {
            disturb("clear");
        }
        assertEquals(MANY_MESSAGES, Reports.assertReceivedAll(fabric, "p", "s"));
    }

    /** Disturb what the publisher's device sends, by the command of the lab. */
    private static void disturb(final String how) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(("lab-wire " + how).split(" ")).inheritIO().start();
        assertEquals(0, process.waitFor(), "lab-wire " + how);
    }
}

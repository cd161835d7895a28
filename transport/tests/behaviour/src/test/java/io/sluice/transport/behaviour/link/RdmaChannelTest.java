package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.codec.PrivateDataDescriptor;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.RejectPrivateDataEncoder;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Context;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Listener;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.rdma.RdmaDevices;
import io.sluice.verbs.software.SoftwareDevice;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transports that meet over {@code sluice:rdma}, without a verbs device: the software device takes its place, which
 * listens at any address.
 */
class RdmaChannelTest {
    private static final String HOST = "10.0.0.1";
    private static final String ADDRESS = HOST + ":40123";
    private static final String CHANNEL = "sluice:rdma?endpoint=" + ADDRESS;
    private static final String OTHER_CHANNEL = "sluice:rdma?endpoint=" + HOST + ":40124";
    private static final String CONTROL_CHANNEL = "sluice:rdma?control=" + ADDRESS + "|control-mode=dynamic";

    @RegisterExtension
    private final Transports transports = new Transports();

    private Transport launch() {
        return transports.launch(context -> context.rdmaProvider(
            (environment, options) -> SoftwareDevice.open(environment, transports.fabric().directory())));
    }

    private static void assertDelivers(
        final Publication publication, final Subscription subscription, final int value) {
        Transports.awaitConnected(publication, subscription);
        Transports.offer(publication, new byte[] {(byte) value});
        assertEquals(value, Transports.receive(subscription, 1).getFirst()[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mode=invoker", "mode=dedicated"})
    void shouldConnectWhicheverSideComesFirst(final String mode) {
        final Transport publishing = launch();
        final Transport subscribing = launch();
        final Publication early = publishing.addExclusivePublication(CHANNEL, 1);
        final Subscription subscription = subscribing.addSubscription(CHANNEL + "|" + mode, 1);
        assertDelivers(early, subscription, 7);
        final Publication late = publishing.addPublication(CHANNEL, 1);
        assertDelivers(late, subscription, 8);
    }

    @Test
    void shouldSayWhichSettingHasOpenedNoDevice() {
        final Transport transport = transports.launch(context -> context.rdmaProvider((environment, options) -> null));
        final NullPointerException none =
            assertThrows(NullPointerException.class, () -> transport.addPublication(CHANNEL, 1));
        assertEquals("a device of Context.rdmaProvider", none.getMessage());
        assertThrows(NullPointerException.class, () -> new Context().rdmaProvider(null));
        assertDelivers(transport.addPublication(transports.channel(""), 1),
            transport.addSubscription(transports.channel(""), 1), 1);
    }

    @Test
    void shouldMeetItself() {
        final Transport transport = launch();
        final Publication publication = transport.addExclusivePublication(CHANNEL, 1);
        assertDelivers(publication, transport.addSubscription(CHANNEL, 1), 7);
        assertDelivers(
            transport.addPublication("sluice:rdma?control=" + HOST + ":40125|control-mode=dynamic", 1),
            transport.addSubscription("sluice:rdma?control=" + HOST + ":40125|control-mode=dynamic", 1), 8);
    }

    @Test
    void shouldShareOneListenerAmongTheStreamsOfAnAddress() {
        final Transport publishing = launch();
        final Transport subscribing = launch();
        final Subscription first = subscribing.addSubscription(CHANNEL, 1);
        final Subscription second = subscribing.addSubscription(CHANNEL, 2);
        assertDelivers(publishing.addExclusivePublication(CHANNEL, 1), first, 1);
        assertDelivers(publishing.addExclusivePublication(CHANNEL, 2), second, 2);
        assertEquals(1, publishing.counters().get(TransportCounter.CONNECTIONS_ESTABLISHED));
    }

    @Test
    void shouldTellWhoListensAtAnAddress() {
        final Transport owner = launch();
        final Transport other = launch();
        final Subscription first = owner.addSubscription(CHANNEL, 1);
        final Subscription second = owner.addSubscription(CHANNEL, 2);
        assertRefused(other);
        first.close();
        assertRefused(other);
        second.close();
        Await.accepted("the address to be free", () -> other.addSubscription(CHANNEL, 1));
        assertRefused(owner);
    }

    private static void assertRefused(final Transport transport) {
        final String message = assertThrows(
            IllegalStateException.class, () -> transport.addSubscription(CHANNEL, 1)).getMessage();
        assertTrue(message.contains("address=" + ADDRESS), message);
        assertTrue(message.contains("in use by pid " + SystemEnvironment.instance().processId()), message);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldOpenADeviceOnceWhetherItIsNamedOrNot(final boolean isNamedFirst) {
        final Transport publishing = launch();
        final Transport subscribing = launch();
        final String named = CHANNEL + "|device=" + deviceName();
        final Subscription first = subscribing.addSubscription(isNamedFirst ? named : CHANNEL, 1);
        final Subscription second = subscribing.addSubscription(isNamedFirst ? CHANNEL : named, 2);
        assertDelivers(publishing.addExclusivePublication(CHANNEL, 1), first, 1);
        assertDelivers(publishing.addExclusivePublication(named, 2), second, 2);
        assertEquals(1, publishing.counters().get(TransportCounter.CONNECTIONS_ESTABLISHED));
    }

    private String deviceName() {
        try (SoftwareDevice device = SoftwareDevice.open(
            SystemEnvironment.instance(), transports.fabric().directory())) {
            return device.name();
        }
    }

    @Test
    void shouldTellWhichOptionsDifferFromThoseThatItListensWith() {
        final Transport transport = launch();
        final Subscription first = transport.addSubscription(CHANNEL + "|gid=3", 1);
        final String other = CHANNEL + "|port=2|cq=legacy";
        assertEquals("this transport listens at address=" + ADDRESS + " with no port|gid=3|cq=auto and cannot with"
            + " port=2|no gid|cq=legacy: channel=" + other, assertThrows(
                IllegalStateException.class, () -> transport.addSubscription(other, 2)).getMessage());
        assertDelivers(transport.addExclusivePublication(other, 1), first, 1);
        first.close();
        Await.accepted("the address to be free", () -> transport.addSubscription(other, 2));
    }

    @Test
    void shouldAskForTheDeviceThatHasTheLocalAddress() {
        final List<RdmaDeviceOptions> asked = new CopyOnWriteArrayList<>();
        final Transport transport = transports.launch(context -> context.rdmaProvider((environment, options) -> {
            asked.add(options);
            return SoftwareDevice.open(environment, transports.fabric().directory());
        }));
        transport.addSubscription(CHANNEL, 1);
        transport.addExclusivePublication("sluice:rdma?control=10.0.0.2:1|control-mode=dynamic", 1);
        transport.addExclusivePublication("sluice:rdma?endpoint=127.0.0.1:40123", 1);
        transport.addSubscription("sluice:rdma?control=127.0.0.1:40124|control-mode=dynamic", 1);
        transport.addSubscription(CHANNEL + "|device=rxe7", 2);
        assertEquals(List.of("/10.0.0.1", "/10.0.0.2", "/127.0.0.1", "rxe7/"),
            asked.stream().map(options -> options.device() + "/" + options.localAddress()).toList());
    }

    @Test
    void shouldKeepOneConnectionToATransportWithTwoAddresses() {
        final Transport publishing = launch();
        final Transport subscribing = launch();
        final Publication first = publishing.addExclusivePublication(CHANNEL, 1);
        final Publication second = publishing.addExclusivePublication(OTHER_CHANNEL, 1);
        final Subscription one = subscribing.addSubscription(CHANNEL, 1);
        final Subscription two = subscribing.addSubscription(OTHER_CHANNEL, 1);
        assertDelivers(first, one, 1);
        assertDelivers(second, two, 2);
        assertEquals(1, one.imageCount());
        assertEquals(1, two.imageCount());
        assertEquals(1, publishing.counters().get(TransportCounter.CONNECTIONS_ESTABLISHED));
        assertEquals(0, publishing.counters().get(TransportCounter.CONNECTIONS_LOST));
    }

    @Test
    void shouldConnectInBothDirectionsBetweenTwoTransports() {
        final Transport one = launch();
        final Transport two = launch();
        final Subscription atOne = one.addSubscription(CHANNEL, 1);
        final Subscription atTwo = two.addSubscription(OTHER_CHANNEL, 1);
        final Publication toOne = two.addExclusivePublication(CHANNEL, 1);
        final Publication toTwo = one.addExclusivePublication(OTHER_CHANNEL, 1);
        assertDelivers(toOne, atOne, 1);
        assertDelivers(toTwo, atTwo, 2);
        assertDelivers(toOne, atOne, 3);
        assertEquals(0, one.counters().get(TransportCounter.LINKS_BROKEN));
    }

    @Test
    void shouldFindTheNextTransportThatListensAtAnAddress() {
        final Transport publishing = launch();
        final Transport first = launch();
        final Publication publication = publishing.addExclusivePublication(CHANNEL, 1);
        final Subscription subscription = first.addSubscription(CHANNEL, 1);
        assertDelivers(publication, subscription, 1);
        subscription.close();
        Await.until("the end of the link", () -> !publication.isConnected());
        final Transport second = launch();
        Await.until("the address to be free", () -> {
            try {
                assertDelivers(publication, second.addSubscription(CHANNEL, 1), 2);
                return true;
            } catch (final IllegalStateException ex) {
                return false;
            }
        });
    }

    @Test
    void shouldLetAnyNumberOfSubscribersJoinUnderAControlAddress() {
        final Transport publishing = launch();
        final Subscription early = launch().addSubscription(CONTROL_CHANNEL, 1);
        final Publication publication = publishing.addExclusivePublication(CONTROL_CHANNEL, 1);
        final Subscription near = publishing.addSubscription(CONTROL_CHANNEL, 1);
        final Subscription late = launch().addSubscription(CONTROL_CHANNEL + "|mode=dedicated", 1);
        Transports.awaitConnected(publication, early, near, late);
        Transports.offer(publication, new byte[] {7});
        assertEquals(7, Transports.receive(early, 1).getFirst()[0]);
        assertEquals(7, Transports.receive(near, 1).getFirst()[0]);
        assertEquals(7, Transports.receive(late, 1).getFirst()[0]);
        final String message = assertThrows(IllegalStateException.class,
            () -> launch().addExclusivePublication(CONTROL_CHANNEL, 1)).getMessage();
        assertTrue(message.contains("in use by pid"), message);
    }

    @Test
    void shouldTellOnceWhyAConnectionIsRejectedAndGoOnTrying() {
        final Transport publishing = launch();
        try (SoftwareDevice device = SoftwareDevice.open(
            SystemEnvironment.instance(), transports.fabric().directory())) {
            final Publication publication = publishing.addExclusivePublication(CHANNEL, 1);
            try (Listener listener = device.listen(ADDRESS, 8)) {
                rejectOnce(listener);
                rejectOnce(listener);
            }
            transports.awaitError(ADDRESS, "RESOURCES by pid 4711");
            assertDelivers(publication, launch().addSubscription(CHANNEL, 1), 7);
            assertEquals(1, transports.errors().stream()
                .filter(error -> String.valueOf(error).contains("RESOURCES by pid 4711")).count());
        }
    }

    private static void rejectOnce(final Listener listener) {
        final byte[] reason = new byte[RejectPrivateDataEncoder.ENCODED_LENGTH];
        new RejectPrivateDataEncoder().wrap(new UnsafeBuffer(reason), 0).magic(PrivateDataDescriptor.MAGIC)
            .protocolVersion(1).ownLength(reason.length).processId(4711).reason(GoodbyeReason.RESOURCES);
        Await.until("a request", () -> {
            final ConnectionRequest request = listener.poll();
            if (request != null) {
                request.reject(reason);
            }
            return request != null;
        });
    }

    @Test
    void shouldTellWhatIsMissingWhereThereIsNoDevice() {
        assumeFalse(TestMedium.isRdma(), "tests have a device");
        final String reason = whyThereIsNoDevice();
        assumeFalse(reason.isEmpty(), "there is a device");
        final Transport transport = transports.launch();
        assertEquals(reason, assertThrows(
            TransportException.class, () -> transport.addExclusivePublication(CHANNEL, 1)).getMessage());
        assertEquals(reason, assertThrows(
            TransportException.class, () -> transport.addSubscription(CHANNEL, 1)).getMessage());
        assertDelivers(
            transport.addExclusivePublication("sluice:ipc", 1), transport.addSubscription("sluice:ipc", 1), 7);
    }

    private static String whyThereIsNoDevice() {
        try {
            RdmaDevices.open(SystemEnvironment.instance(), RdmaDeviceOptions.DEFAULT).close();
            return "";
        } catch (final VerbsException ex) {
            return ex.getMessage();
        }
    }

    @Test
    void shouldNotMapTheLogsOfOtherHosts() {
        final Transport transport = launch();
        for (final String value : new String[] {"log=shared", "completion=memory"}) {
            final String message = assertThrows(IllegalArgumentException.class,
                () -> transport.addPublication(CHANNEL + "|" + value, 1)).getMessage();
            assertTrue(message.contains(value), message);
        }
        final Publication publication = transport.addPublication(CHANNEL + "|window=64k", 1);
        assertDelivers(publication, transport.addSubscription(CHANNEL, 1), 1);
        assertEquals(2, transports.fabric().regions(65536), "a log, and a ring of its own for the image");
    }
}

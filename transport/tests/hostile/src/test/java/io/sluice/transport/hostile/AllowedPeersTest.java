package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Configuration;
import io.sluice.transport.Context;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.AddressedHosts;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.software.SoftwareDevice;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The choice of who may be a peer over {@code sluice:rdma} by its address; the software device is in the place of a
 * verbs device.
 */
class AllowedPeersTest {
    private static final int STREAM_ID = 5;
    private static final String CHANNEL = "sluice:rdma?endpoint=10.0.0.1:40123";
    private static final String CONTROL_CHANNEL = "sluice:rdma?control=10.0.0.1:40123|control-mode=dynamic";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final AddressedHosts hosts = new AddressedHosts();

    private Transport launch(final String host, final List<Throwable> errors, final String... allowed) {
        return transports.launch(context -> {
            context.errorHandler(errors::add).rdmaProvider(
                (environment, options) -> hosts.open(transports.fabric().directory(), host));
            return allowed.length == 0 ? context : context.allowedPeers(allowed);
        });
    }

    private static void assertDelivers(final Publication publication, final Subscription subscription) {
        Transports.awaitConnected(publication, subscription);
        for (int i = 0; i < 100; i++) {
            Transports.offer(publication, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
        }
    }

    /** The refusals alone: a busy machine may also lose a connection before it is used, and make it anew. */
    private static List<String> refusals(final List<Throwable> errors) {
        return errors.stream().map(Throwable::getMessage).filter(text -> text.contains("NOT_ALLOWED")).toList();
    }

    private static long refused(final Transport transport) {
        return transport.counters().get(TransportCounter.PEERS_REFUSED);
    }

    @Test
    void shouldRefuseWhoConnectsFromAnotherAddressAndTellOfItOnce() {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final List<Throwable> strangersErrors = new CopyOnWriteArrayList<>();
        final Transport transport = launch("10.0.0.1", errors, "10.0.0.0/30", "fe80::/10");
        final Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID);
        final Publication good = launch("10.0.0.2", errors).addPublication(CHANNEL, STREAM_ID);
        assertDelivers(good, subscription);

        final Publication bad = launch("10.0.0.4", strangersErrors).addPublication(CHANNEL, STREAM_ID);
        Await.until("the stranger to have come again and again", () -> {
            assertDelivers(good, subscription);
            return refused(transport) >= 4;
        });

        assertFalse(bad.isConnected());
        Await.until("the refusal to be told",
            () -> !refusals(errors).isEmpty() && !refusals(strangersErrors).isEmpty());
        assertEquals(1, refusals(errors).size(), errors::toString);
        assertTrue(errors.toString().contains("peer refused: 10.0.0.4 NOT_ALLOWED"), errors::toString);
        assertEquals(1, refusals(strangersErrors).size(), strangersErrors::toString);
        assertTrue(strangersErrors.toString().contains("rejected: NOT_ALLOWED"), strangersErrors::toString);
        assertDelivers(good, subscription);
        assertEquals(1, subscription.imageCount());
        assertEquals(1, transport.counters().get(TransportCounter.CONNECTIONS_ESTABLISHED));
        assertEquals(0, transport.counters().get(TransportCounter.LINKS_BROKEN));
    }

    /** The careful side connects here: the address that it was given leads to somebody who is not allowed. */
    @Test
    void shouldNotGreetWhoListensAtAnotherAddress() {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final Publication publication =
            launch("10.0.0.1", new CopyOnWriteArrayList<>()).addPublication(CONTROL_CHANNEL, STREAM_ID);
        final Transport careful = launch("10.0.0.2", errors, "10.0.0.2");
        final Subscription subscription = careful.addSubscription(CONTROL_CHANNEL, STREAM_ID);
        Await.until("two refusals", () -> refused(careful) >= 2);
        assertEquals(0, subscription.imageCount());
        assertFalse(publication.isConnected());
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.toString().contains("peer refused: 10.0.0.1:54321 NOT_ALLOWED"), errors::toString);
        final Subscription fresh = launch("10.0.0.3", errors, "10.0.0.1").addSubscription(CONTROL_CHANNEL, STREAM_ID);
        assertDelivers(publication, fresh);
    }

    @Test
    void shouldRefuseWhoHasNoAddress() {
        final Transport transport = launch("10.0.0.1", new CopyOnWriteArrayList<>(), "::/0", "0.0.0.0/0");
        transport.addSubscription(CHANNEL, STREAM_ID);
        final Publication bad = transports.launch(context -> context.rdmaProvider(
            (environment, options) -> SoftwareDevice.open(environment, transports.fabric().directory())))
            .addPublication(CHANNEL, STREAM_ID);
        Await.until("a refusal", () -> refused(transport) > 0);
        assertFalse(bad.isConnected());
    }

    @Test
    void shouldNotConcernThePeersOfThisHost() {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final Transport transport = launch("10.0.0.1", errors, "10.0.0.1");
        final Subscription subscription = transport.addSubscription("sluice:ipc", STREAM_ID);
        assertDelivers(transports.launch().addPublication("sluice:ipc", STREAM_ID), subscription);
        assertEquals(List.of(), errors);
    }

    /** One that came out empty by mistake would allow everybody. */
    @Test
    void shouldRefuseAnEmptyList() {
        final String message = assertThrows(
            IllegalArgumentException.class, () -> transports.context().allowedPeers(new String[0])).getMessage();
        assertTrue(message.contains("allowedPeers is empty"), message);
        System.setProperty(Configuration.ALLOWED_PEERS_PROP, "");
        try {
            assertThrows(IllegalArgumentException.class, Context::new);
        } finally {
            System.clearProperty(Configuration.ALLOWED_PEERS_PROP);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "localhost", "10.0.0", "10.0.0.256", "10.0.0.0/33", "10.0.0.1/24", "[fe80::1]", "fe80::1%eth0"})
    void shouldNameAnAddressThatIsNone(final String address) {
        final String message = assertThrows(
            IllegalArgumentException.class, () -> transports.context().allowedPeers("10.0.0.1", address)).getMessage();
        assertTrue(message.contains("address=" + address), message);
        System.setProperty(Configuration.ALLOWED_PEERS_PROP, "10.0.0.1," + address);
        try {
            assertThrows(IllegalArgumentException.class, Context::new);
        } finally {
            System.clearProperty(Configuration.ALLOWED_PEERS_PROP);
        }
    }
}

package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.AddressedHosts;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Peers that say an address that is on the list, and have another one; the software device plays a verbs device. */
class SelfDeclaredAddressTest {
    private static final int STREAM_ID = 5;
    private static final String CHANNEL = "sluice:rdma?endpoint=10.0.0.1:40123";
    private static final String CONTROL_CHANNEL = "sluice:rdma?control=10.0.0.1:40123|control-mode=dynamic";
    private static final String LIAR = "10.0.0.2";
    private static final String ORIGIN = "::ffff:10.9.9.9";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final AddressedHosts hosts = new AddressedHosts();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();

    private Transport launch(final String host, final List<Throwable> told) {
        return transports.launch(context -> context
            .errorHandler(told::add)
            .allowedPeers("10.0.0.0/29")
            .rdmaProvider((environment, options) -> hosts.open(transports.fabric().directory(), host)));
    }

    private static long refused(final Transport transport) {
        return transport.counters().get(TransportCounter.PEERS_REFUSED);
    }

    private void assertToldOnce(final String text) {
        Await.until("the refusal to be told",
            () -> errors.stream().anyMatch(error -> error.getMessage().contains(text)));
        assertEquals(1, errors.stream().filter(error -> error.getMessage().contains("NOT_ALLOWED")).count(),
            errors::toString);
    }

    private static void assertDelivers(final Publication publication, final Subscription subscription) {
        Transports.awaitConnected(publication, subscription);
        Transports.offer(publication, new byte[7]);
        assertEquals(7, Transports.receive(subscription, 1).getFirst().length);
    }

    @Test
    void shouldRefuseWhoConnectsWithAnAddressThatItsPacketsDoNotComeFrom() {
        final Transport transport = launch("10.0.0.1", errors);
        final Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID);
        hosts.originOf(LIAR, ORIGIN);
        final Publication bad = launch(LIAR, new CopyOnWriteArrayList<>()).addPublication(CHANNEL, STREAM_ID);

        Await.until("it to have come again and again", () -> refused(transport) >= 3);

        assertFalse(bad.isConnected());
        assertToldOnce("peer refused: " + ORIGIN + " NOT_ALLOWED, the peer's address is " + LIAR
            + " by what it says, and " + ORIGIN + " by where its packets come from");
        assertDelivers(launch("10.0.0.3", new CopyOnWriteArrayList<>()).addPublication(CHANNEL, STREAM_ID),
            subscription);
        assertEquals(1, transport.counters().get(TransportCounter.CONNECTIONS_ESTABLISHED));
    }

    /** The careful side connects here, and the path leads elsewhere than to the address that was asked for. */
    @Test
    void shouldNotGreetWhoIsNotAtTheAddressThatWasConnectedTo() {
        launch("10.0.0.1", new CopyOnWriteArrayList<>()).addPublication(CONTROL_CHANNEL, STREAM_ID);
        hosts.originOf("10.0.0.1", ORIGIN);
        final Transport careful = launch("10.0.0.2", errors);
        final Subscription subscription = careful.addSubscription(CONTROL_CHANNEL, STREAM_ID);

        Await.until("two refusals", () -> refused(careful) >= 2);

        assertEquals(0, subscription.imageCount());
        assertToldOnce("the peer's address is 10.0.0.1 by what it says, and " + ORIGIN);
    }

    @Test
    void shouldRefuseAPublisherWhoseLinkIsAtAnotherAddressThanItsConnection() {
        final Transport transport = launch("10.0.0.1", errors);
        final Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID);
        hosts.linkOriginOf(LIAR, ORIGIN);
        launch(LIAR, new CopyOnWriteArrayList<>()).addPublication(CHANNEL, STREAM_ID);

        Await.until("a refusal", () -> refused(transport) >= 2);

        assertToldOnce("a queue pair of a link is at " + ORIGIN + ", and not at the peer's address " + LIAR);
        assertEquals(0, subscription.imageCount());
        assertEquals(0, transport.counters().get(TransportCounter.LINKS_ESTABLISHED));
    }

    @Test
    void shouldRefuseASubscriberWhoseLinkIsAtAnotherAddressThanItsConnection() {
        final Transport transport = launch("10.0.0.1", errors);
        final Publication publication = transport.addPublication(CONTROL_CHANNEL, STREAM_ID);
        hosts.linkOriginOf(LIAR, ORIGIN);
        launch(LIAR, new CopyOnWriteArrayList<>()).addSubscription(CONTROL_CHANNEL, STREAM_ID);

        Await.until("a refusal", () -> refused(transport) >= 1);

        assertToldOnce("a queue pair of a link is at " + ORIGIN + ", and not at the peer's address " + LIAR);
        assertFalse(publication.isConnected());
        assertEquals(0, transport.counters().get(TransportCounter.LINKS_ESTABLISHED), errors::toString);
    }
}

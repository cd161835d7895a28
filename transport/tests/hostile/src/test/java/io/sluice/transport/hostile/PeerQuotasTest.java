package io.sluice.transport.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Quotas;
import io.sluice.transport.States;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.AddressedHosts;
import io.sluice.transport.harness.FailNextWrite;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Quotas of one peer and one host: what is too much is refused by name, others get in beside it, and what is given back
 * can be had again. Hosts have addresses over {@code sluice:rdma} only, for which the software device stands.
 */
@Tag("slow")
class PeerQuotasTest {
    private static final int STREAM_ID = 5;
    private static final String CHANNEL = "sluice:rdma?endpoint=10.0.0.1:40123";
    private static final String OF_64K = CHANNEL + "|window=64k";
    private static final String GREEDY = "10.0.0.2";
    private static final String MODEST = "10.0.0.3";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final AddressedHosts hosts = new AddressedHosts();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private Transport victim;
    private Subscription subscription;

    private Transport launch(final String host, final UnaryOperator<Context> settings) {
        return transports.launch(context -> settings.apply(context.rdmaProvider(
            (environment, options) -> hosts.open(transports.fabric().directory(), host))));
    }

    private Transport launch(final String host) {
        return launch(host, context -> context);
    }

    private void launchVictim(final UnaryOperator<Context> quotas) {
        victim = launch("10.0.0.1", context -> quotas.apply(context.errorHandler(errors::add)));
        subscription = victim.addSubscription(CHANNEL, STREAM_ID);
    }

    private void awaitImages(final int count) {
        Transports.awaitImages(subscription, count);
    }

    private static List<Publication> publish(final Transport transport, final int count) {
        final List<Publication> publications = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            publications.add(publish(transport, OF_64K));
        }
        return publications;
    }

    private static Publication publish(final Transport transport, final String channel) {
        return transport.addExclusivePublication(channel, STREAM_ID);
    }

    private static long connected(final List<Publication> publications) {
        return publications.stream().filter(Publication::isConnected).count();
    }

    private long reached() {
        return victim.counters().get(TransportCounter.QUOTAS_REACHED);
    }

    /** One of two connections to a peer may end on a slow machine, and is told, too. */
    private List<String> refusals() {
        return errors.stream().map(Throwable::getMessage).filter(text -> text.contains("quota reached")).toList();
    }

    /**
     * Refused three times at least since the victim began, and told once. What is refused once each, as a subscription,
     * may be counted by the time that this is asked.
     */
    private void assertRefused(final String... texts) {
        Await.until("refusals", () -> reached() >= 3);
        Await.until(() -> "an error among " + errors, () -> !refusals().isEmpty(), Await.DEADLINE_SECONDS);
        assertEquals(1, refusals().size(), errors::toString);
        for (final String text : texts) {
            assertTrue(refusals().getFirst().contains(text), errors::toString);
        }
    }

    private void assertOthersGetIn(final int images) {
        final Publication other = publish(launch(MODEST), OF_64K);
        awaitImages(images);
        Transports.awaitConnected(other, subscription);
        Transports.offer(other, new byte[7]);
        assertEquals(7, Transports.receive(subscription, 1).getFirst().length);
    }

    /** Closing one of what the greedy peer has lets in what waits. */
    private void assertFreed(final List<Publication> publications) {
        final long had = connected(publications);
        publications.stream().filter(Publication::isConnected).findFirst().orElseThrow().close();
        Await.until("another one to get in", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return connected(publications) == had;
        });
    }

    @ParameterizedTest
    @CsvSource({"linksPerSession, 2", "ringLengthPerSession, 131072"})
    void shouldRefuseWhatASessionHasTooMuch(final String quota, final int most) {
        launchVictim(context -> context.quotas(quotas(quota, most)));
        final List<Publication> greedy = publish(launch(GREEDY), 3);
        awaitImages(2);
        assertRefused(
            "link refused: reason=RESOURCES peer=" + GREEDY, "quota reached: " + quota + "=" + most);
        assertTrue(victim.counters().get(TransportCounter.LINKS_REFUSED) >= reached());
        publish(launch(GREEDY), OF_64K);
        awaitImages(3);
        assertOthersGetIn(4);
        assertFreed(greedy);
        transports.awaitError("LINK_REFUSED",
            "refuses a link: reason=RESOURCES", "quota reached: " + quota + "=" + most);
    }

    @ParameterizedTest
    @CsvSource({"linksPerHost, 2", "ringLengthPerHost, 131072"})
    void shouldRefuseWhatAHostHasTooMuch(final String quota, final int most) {
        launchVictim(context -> context.quotas(quotas(quota, most)));
        final List<Publication> greedy = publish(launch(GREEDY), 1);
        greedy.addAll(publish(launch(GREEDY), 1));
        awaitImages(2);
        greedy.addAll(publish(launch(GREEDY), 1));
        assertRefused(
            "link refused: reason=RESOURCES peer=" + GREEDY, "quota reached: " + quota + "=" + most);
        assertOthersGetIn(3);
        assertFreed(greedy);
    }

    @Test
    void shouldRefuseTheSessionsThatAHostHasTooMany() {
        launchVictim(context -> context.quotas(new Quotas().sessionsPerHost(2)));
        final List<Transport> greedy = List.of(launch(GREEDY), launch(GREEDY));
        greedy.forEach(transport -> publish(transport, OF_64K));
        awaitImages(2);
        final Publication third = publish(launch(GREEDY), OF_64K);
        assertRefused("connection request from " + GREEDY + " rejected: RESOURCES", "quota reached: sessionsPerHost=2");
        assertOthersGetIn(3);
        greedy.getFirst().close();
        Await.until("the third to get in", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            return third.isConnected();
        });
    }

    @Test
    void shouldNotListenToTheSubscriptionsThatAHostHasTooMany() {
        final String channel = "sluice:rdma?control=10.0.0.1:40123|control-mode=dynamic";
        victim = launch("10.0.0.1",
            context -> context.quotas(new Quotas().subscriptionsPerHost(3)).errorHandler(errors::add));
        final Publication publication = victim.addPublication(channel, STREAM_ID);
        final List<Transport> greedy = List.of(launch(GREEDY), launch(GREEDY));
        final List<Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            subscriptions.add(greedy.get(i % 2).addSubscription(channel, STREAM_ID));
        }
        assertRefused("a subscription of " + GREEDY, "is not listened to", "quota reached: subscriptionsPerHost=3");
        Transports.awaitConnected(publication, launch(MODEST).addSubscription(channel, STREAM_ID));
        Await.until("three of them to be linked", () -> {
            subscriptions.forEach(each -> each.poll((buffer, offset, length, header) -> { }, 1));
            return subscriptions.stream().filter(each -> each.imageCount() > 0).count() == 3;
        });
        final List<Subscription> linked = subscriptions.stream().filter(each -> each.imageCount() > 0).toList();
        linked.forEach(Subscription::close);
        Await.until("the others to be linked, which have waited", () -> subscriptions.stream()
            .filter(each -> !linked.contains(each)).allMatch(each -> {
                each.poll((buffer, offset, length, header) -> { }, 1);
                return each.imageCount() > 0;
            }));
    }

    @Test
    void shouldRefuseAWindowThatIsNotGranted() {
        launchVictim(context -> context.quotas(new Quotas().grantedWindowLength(64 * 1024)));
        final Transport greedy = launch(GREEDY);
        final Publication large = publish(greedy, CHANNEL + "|window=128k");
        transports.awaitError("refuses a link: reason=WINDOW_MISMATCH", "quota reached: grantedWindowLength=65536");
        Await.until("the refusal to be told", () -> !refusals().isEmpty());
        assertTrue(refusals().getFirst().contains("link refused: reason=WINDOW_MISMATCH peer=" + GREEDY));
        publish(greedy, OF_64K);
        awaitImages(1);
        assertOthersGetIn(2);
        assertFalse(large.isConnected());
        assertEquals(1, reached());
    }

    /** Here the publication has the quota, and the subscriptions are too many. */
    @ParameterizedTest
    @CsvSource({"linksPerSession, 1", "linksPerHost, 1"})
    void shouldMakeNoLinkToSubscriptionsThatAreTooMany(final String quota, final int most) {
        final String channel = "sluice:rdma?control=10.0.0.1:40123|control-mode=dynamic";
        final Transport publishing = launch(
            "10.0.0.1", context -> context.quotas(quotas(quota, most)).errorHandler(errors::add));
        victim = publishing;
        final Publication publication = publishing.addPublication(channel, STREAM_ID);
        final Transport greedy = launch(GREEDY);
        final List<Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i <= most; i++) {
            subscriptions.add(greedy.addSubscription(channel, STREAM_ID));
        }
        assertRefused("no link is made to " + GREEDY, "quota reached: " + quota + "=" + most);
        Transports.awaitConnected(publication, launch(MODEST).addSubscription(channel, STREAM_ID));
        final List<Subscription> linked = new ArrayList<>();
        Await.until("one of them to be linked", () -> {
            subscriptions.forEach(each -> each.poll((buffer, offset, length, header) -> { }, 1));
            subscriptions.stream().filter(each -> each.imageCount() > 0).forEach(linked::add);
            return !linked.isEmpty();
        });
        assertEquals(most, linked.size());
        subscriptions.remove(linked.getFirst());
        linked.getFirst().close();
        Transports.awaitConnected(publication, subscriptions.getFirst());
    }

    /** Each link registers the log of its publication once more. */
    @ParameterizedTest
    @CsvSource({"logLengthPerSession, 131072, false", "logLengthPerHost, 131072, true"})
    void shouldRegisterNoMoreLogsForAPeerThanItMayHave(final String quota, final long most, final boolean isNewEach) {
        final String channel = "sluice:rdma?control=10.0.0.1:40123|control-mode=dynamic|window=64k";
        victim = launch("10.0.0.1", context -> context.quotas(quotas(quota, most)).errorHandler(errors::add));
        final Publication publication = victim.addPublication(channel, STREAM_ID);
        Transport greedy = launch(GREEDY);
        final List<Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            subscriptions.add(greedy.addSubscription(channel, STREAM_ID));
            Transports.awaitConnected(publication, subscriptions.get(i));
            greedy = isNewEach ? launch(GREEDY) : greedy;
        }
        final Subscription late = greedy.addSubscription(channel, STREAM_ID);
        assertRefused("no link is made to " + GREEDY, "quota reached: " + quota + "=" + most);
        assertEquals(0, late.imageCount());
        Transports.awaitConnected(publication, launch(MODEST).addSubscription(channel, STREAM_ID));
        subscriptions.getFirst().close();
        Transports.awaitConnected(publication, late);
    }

    /** Each has connected to the other once, so that there are two sessions; the peer is one. */
    @Test
    void shouldGiveAPeerOneQuotaWhoeverHasConnected() {
        victim =
            launch("10.0.0.1", context -> context.quotas(new Quotas().linksPerSession(1)).errorHandler(errors::add));
        final Transport peer = launch(GREEDY);
        final String control = "sluice:rdma?control=10.0.0.1:40123|control-mode=dynamic|window=64k";
        final Publication first = victim.addPublication(control, STREAM_ID);
        Transports.awaitConnected(first, peer.addSubscription(control, STREAM_ID));
        final String endpoint = "sluice:rdma?endpoint=10.0.0.2:40124|window=64k";
        final Subscription other = peer.addSubscription(endpoint, STREAM_ID + 1);
        final Publication second = victim.addPublication(endpoint, STREAM_ID + 1);
        assertRefused("no link is made to " + GREEDY, "quota reached: linksPerSession=1");
        assertFalse(second.isConnected());
        first.close();
        Transports.awaitConnected(second, other);
    }

    /** Within a host a device registers nothing that counts as locked memory. */
    @Test
    void shouldNotCountLogsThatLockNoMemory() {
        final Transport publishing =
            transports.launch(context -> context.quotas(new Quotas().logLengthPerSession(4096).logLengthPerHost(4096)));
        final Publication publication = publishing.addPublication(transports.channel("window=64k"), STREAM_ID);
        Transports.awaitConnected(
            publication, transports.launch().addSubscription(transports.channel("window=64k"), STREAM_ID));
    }

    @Test
    void shouldRefuseWhatASubscriptionHasTooMuchOfAllPeers() {
        launchVictim(context -> context.quotas(new Quotas().ringLengthPerSubscription(128 * 1024)));
        for (int i = 0; i < 2; i++) {
            publish(launch(GREEDY), OF_64K);
            awaitImages(i + 1);
        }
        final Publication late = publish(launch(MODEST), OF_64K);
        assertRefused("link refused: reason=RESOURCES peer=" + MODEST,
            "quota reached: ringLengthPerSubscription=131072");
        assertFalse(late.isConnected());
        final Subscription other = victim.addSubscription(CHANNEL, STREAM_ID + 1);
        Transports.awaitConnected(launch(MODEST).addPublication(OF_64K, STREAM_ID + 1), other);
    }

    /** Links of one peer resume while nobody consumes, so that all the bytes for rings of before are taken. */
    @Test
    void shouldLetNewcomersInWhileOldRingsAreStillRead() {
        final FailNextWrite fault = new FailNextWrite();
        final Transport publishing = transports.launch(fault);
        victim = transports.launch(context -> context.quotas(new Quotas().ringLengthPerSubscription(128 * 1024)));
        subscription = victim.addSubscription(transports.channel("log=copied|mode=dedicated"), STREAM_ID);
        final ExclusivePublication publication = publishing.addExclusivePublication(
            transports.channel("window=64k|log=copied|fc=min,t:9s"), STREAM_ID);
        awaitImages(1);
        for (int i = 1; i <= 2; i++) {
            Transports.offer(publication, new byte[i]);
            final Image image = subscription.images().getFirst();
            Await.until("the poller", () -> States.walked(image) == publication.position());
            fault.arm();
            Transports.offer(publication, new byte[i]);
            final long resumed = i;
            Await.until("a resumption", () -> victim.counters().get(TransportCounter.LINKS_RESUMED) == resumed);
        }
        final Publication newcomer = transports.launch().addExclusivePublication(
            transports.channel("window=64k|log=copied"), STREAM_ID);
        Await.until("the newcomer", newcomer::isConnected);
        final long refused = victim.counters().get(TransportCounter.LINKS_REFUSED);
        Transports.offer(publication, new byte[1]);
        final Image image = subscription.images().getFirst();
        Await.until("the poller", () -> States.walked(image) == publication.position());
        fault.arm();
        Transports.offer(publication, new byte[1]);
        Await.until("refusals of a third one",
            () -> victim.counters().get(TransportCounter.LINKS_REFUSED) >= refused + 3);
        assertEquals(2, victim.counters().get(TransportCounter.LINKS_RESUMED));
        assertEquals(5, Transports.receive(subscription, 5).size());
        Transports.offer(publication, new byte[1]);
        assertEquals(6, 5 + Transports.receive(subscription, 1).size());
    }

    /** Each time the one before is over, and nothing of it is left that counts. */
    @Test
    void shouldLetInWhoComesAgainAndAgain() {
        launchVictim(context -> context
            .quotas(new Quotas().sessionsPerHost(1).linksPerSession(1).linksPerHost(1).ringLengthPerHost(64 * 1024)));
        for (int i = 0; i < 5; i++) {
            final Transport peer = launch(GREEDY);
            for (int j = 0; j < 5; j++) {
                final Publication publication = publish(peer, OF_64K);
                Transports.awaitConnected(publication, subscription);
                publication.close();
                awaitImages(0);
            }
            peer.close();
        }
    }

    @Test
    void shouldResumeBrokenLinksWithinTheQuota() {
        final FailNextWrite fault = new FailNextWrite();
        final Transport publishing = transports.launch(fault);
        victim = transports.launch(context -> context.quotas(new Quotas().linksPerSession(1).linksPerHost(1)
            .ringLengthPerSession(64 * 1024).ringLengthPerHost(64 * 1024)));
        subscription = victim.addSubscription(transports.channel("log=copied"), STREAM_ID);
        final Publication publication =
            publishing.addPublication(transports.channel("window=64k|log=copied"), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        for (int i = 1; i <= 5; i++) {
            fault.arm();
            Transports.offer(publication, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
            final long resumed = i;
            Await.until("a resumed link",
                () -> victim.counters().get(TransportCounter.LINKS_RESUMED) == resumed);
        }
        publication.close();
        awaitImages(0);
        Transports.awaitConnected(
            publishing.addPublication(transports.channel("window=64k|log=copied"), STREAM_ID), subscription);
    }

    /** The ring of before stays until it is read, and leaves others what they had. */
    @Test
    void shouldResumeALinkBesideOneWhoseConsumerStandsStill() {
        final FailNextWrite fault = new FailNextWrite();
        final Transport publishing = transports.launch(fault);
        victim = transports.launch(
            context -> context.quotas(new Quotas().ringLengthPerSession(128 * 1024).ringLengthPerHost(128 * 1024)));
        subscription = victim.addSubscription(transports.channel("log=copied|mode=dedicated"), STREAM_ID);
        final List<Publication> publications = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            publications.add(publishing.addExclusivePublication(
                transports.channel("window=64k|log=copied"), STREAM_ID));
            Transports.awaitConnected(publications.get(i), subscription);
        }
        awaitImages(2);
        for (int i = 0; i < 2; i++) {
            Transports.offer(publications.get(i), new byte[1]);
            fault.arm();
            Transports.offer(publications.get(i), new byte[1]);
            final long resumed = i + 1;
            Await.until("a resumed link", () -> victim.counters().get(TransportCounter.LINKS_RESUMED) == resumed);
        }
        assertEquals(4, Transports.receive(subscription, 4).size());
    }

    /** Such a link takes one ring more than the quota at most, loses nothing, and goes on when its consumer does. */
    @Test
    void shouldNotResumeALinkThatHasAnOldRingAlreadyBeforeTheQuotaLetsIt() {
        final FailNextWrite fault = new FailNextWrite();
        final Transport publishing = transports.launch(fault);
        victim = transports.launch(context -> context.errorHandler(errors::add)
            .quotas(new Quotas().ringLengthPerSession(128 * 1024).ringLengthPerHost(128 * 1024)));
        subscription = victim.addSubscription(transports.channel("log=copied|mode=dedicated"), STREAM_ID);
        final ExclusivePublication publication = publishing.addExclusivePublication(
            transports.channel("window=64k|log=copied|fc=min,t:9s"), STREAM_ID);
        awaitImages(1);
        Transports.offer(publication, new byte[1]);
        // what was handed over nowhere keeps no ring
        final Image image = subscription.images().getFirst();
        Await.until("the poller", () -> States.walked(image) == publication.position());
        fault.arm();
        Transports.offer(publication, new byte[2]);
        Await.until("the first resumption", () -> victim.counters().get(TransportCounter.LINKS_RESUMED) == 1);
        fault.arm();
        Transports.offer(publication, new byte[3]);
        assertRefused("link refused: reason=RESOURCES", "quota reached: ringLengthPer");
        assertEquals(1, victim.counters().get(TransportCounter.LINKS_RESUMED));
        assertEquals(List.of(1, 2), Transports.receive(subscription, 2).stream().map(each -> each.length).toList());
        assertEquals(3, Transports.receive(subscription, 1).getFirst().length);
        Await.until("the second resumption", () -> victim.counters().get(TransportCounter.LINKS_RESUMED) == 2);
    }

    @ParameterizedTest
    @CsvSource({
        "sessionsPerHost, 1024", "subscriptionsPerHost, 4194304", "linksPerSession, 1048576",
        "linksPerHost, 1048576", "ringLengthPerSession, 1099511627776", "ringLengthPerHost, 1099511627776",
        "ringLengthPerSubscription, 1099511627776", "logLengthPerSession, 1099511627776",
        "logLengthPerHost, 1099511627776",
        "grantedWindowLength, 1073741824"})
    void shouldNameAQuotaThatIsOutOfRange(final String name, final long maximum) {
        for (final long value : new long[] {0, maximum + 1}) {
            final Context context = new Context().quotas(quotas(name, value));
            final String message = assertThrows(IllegalArgumentException.class, context::conclude).getMessage();
            assertTrue(message.contains(name + "=" + value), message);
            assertTrue(message.contains("maximum=" + maximum), message);
        }
    }

    private static Quotas quotas(final String name, final long value) {
        final Quotas quotas = new Quotas();
        return switch (name) {
            case "sessionsPerHost" -> quotas.sessionsPerHost((int) value);
            case "subscriptionsPerHost" -> quotas.subscriptionsPerHost((int) value);
            case "linksPerSession" -> quotas.linksPerSession((int) value);
            case "linksPerHost" -> quotas.linksPerHost((int) value);
            case "ringLengthPerSession" -> quotas.ringLengthPerSession(value);
            case "ringLengthPerHost" -> quotas.ringLengthPerHost(value);
            case "ringLengthPerSubscription" -> quotas.ringLengthPerSubscription(value);
            case "logLengthPerSession" -> quotas.logLengthPerSession(value);
            case "logLengthPerHost" -> quotas.logLengthPerHost(value);
            default -> quotas.grantedWindowLength((int) value);
        };
    }
}

package io.sluice.transport.behaviour.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.BlockedWay;
import io.sluice.transport.harness.HostilePeer;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.harness.RereadingHandler;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.BackPressureListener;
import io.sluice.transport.status.PeerEviction;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.SubscriberLag;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.software.FaultHook;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A publisher learns by name which consumer of a peer holds it up, and which one the peer has taken out. */
class SubscriberReportsTest {
    private static final int STREAM_ID = 3;
    private static final int HELD_AT = 2;
    private static final String CHANNEL = "linger=0ns|window=64k";

    @RegisterExtension
    private final Transports transports = new Transports();

    private final HandlerGraph graph = new HandlerGraph();
    private final RereadingHandler quick = new RereadingHandler("quick");
    private final RereadingHandler snail = new RereadingHandler("snail");
    private final List<BackPressure> changes = new CopyOnWriteArrayList<>();
    private final List<PeerEviction> evictions = new CopyOnWriteArrayList<>();
    private final BackPressureListener listener = new BackPressureListener() {
        @Override
        public void onBackPressure(final BackPressure change) {
            changes.add(change);
        }

        @Override
        public void onPeerEviction(final PeerEviction eviction) {
            evictions.add(eviction);
        }
    };
    private Transport publisher;
    private ExclusivePublication publication;

    @BeforeEach
    void publish() {
        graph.handleEventsWith(quick, snail);
        snail.holdAt(HELD_AT);
        publisher = transports.launch(context -> context.clientName("feed"));
        publication = publisher.addExclusivePublication(transports.channel(CHANNEL), STREAM_ID);
        publication.backPressureListener(listener);
    }

    /** Lets the handlers come back, whatever a test has found. */
    @AfterEach
    void release() {
        snail.release();
    }

    private void subscribe(final String parameters) {
        final Subscription subscription = transports.launch(context -> context.clientName("strategies"))
            .addSubscription(transports.channel("mode=dedicated" + parameters), STREAM_ID, graph);
        Await.until("an image", () ->
            subscription.imageBySessionId(publication.sessionId()) != null && publication.isConnected());
    }

    private void fill() {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[RereadingHandler.LENGTH]);
        int number = 0;
        do {
            RereadingHandler.write(message, number++);
        } while (publication.offer(message) > 0);
        assertTrue(number > HELD_AT, () -> publication.toString());
    }

    private void awaitName(final String laggard) {
        Await.until(() -> laggard + " instead of " + changes, () -> changes.stream().anyMatch(change ->
            change.laggard().startsWith(laggard + " of ") && change.laggard().contains("client=strategies")),
            Await.DEADLINE_SECONDS);
    }

    /** The consumer as the publication tells it, a tenth of a second late. */
    private String consumer() {
        return publication.subscribers().stream().map(SubscriberLag::consumer).findFirst().orElse("nobody yet");
    }

    @Test
    void shouldNameTheConsumerOfThePeerThatHoldsThePublicationUp() {
        subscribe("");
        fill();
        awaitName("snail");
        Await.until("its name", () -> consumer().equals("snail"));
        snail.release();
        Await.until("relief", () -> publication.pressureState() == PressureState.CLEAR
            && consumer().isEmpty());
        Await.until("the end to be told", () -> changes.getLast().state() == PressureState.CLEAR);
        changes.forEach(change -> assertTrue(
            change.state() != change.previous() || change.laggard().contains(" of "), changes::toString));
    }

    @Test
    void shouldTellThePublisherWhomThePeerHasTakenOut() {
        subscribe("|ring=64|slow=evict|evict-after=1s|evict-timeout=1000s");
        fill();
        Await.until("the eviction", () -> evictions.size() == 1);
        final PeerEviction eviction = evictions.getFirst();
        assertEquals("snail", eviction.consumer());
        assertTrue(eviction.peer().contains("client=strategies"), eviction::toString);
        assertEquals(STREAM_ID, eviction.streamId());
        assertEquals(publication.sessionId(), eviction.sessionId());
        assertTrue(eviction.bytesBehind() > 0, eviction::toString);
        assertTrue(eviction.text().contains("dependants=[]"), eviction::toString);
        assertEquals(1, publisher.counters().get(TransportCounter.PEER_CONSUMERS_EVICTED));
        transports.awaitError("consumer evicted", "name=snail");
    }

    /** Another publication fills the ring meanwhile. */
    @Test
    void shouldTellThePublisherWhenItIsBackWhomThePeerHasTakenOutMeanwhile() {
        final BlockedWay control = new BlockedWay(FaultHook.Operation.SEND);
        final Transport absent = transports.launch(this::patient, control);
        final ExclusivePublication broken = absent.addExclusivePublication(transports.channel(CHANNEL), STREAM_ID);
        final Transport subscriber = transports.launch(this::patient);
        final Subscription subscription = subscriber.addSubscription(
            transports.channel("mode=dedicated|ring=64|slow=evict|evict-after=1s|evict-timeout=1000s"),
            STREAM_ID, graph);
        for (final Publication each : List.of(publication, broken)) {
            Await.until("an image", () ->
                subscription.imageBySessionId(each.sessionId()) != null && each.isConnected());
        }
        control.block();
        Await.until("an outage", () -> subscriber.counters().get(TransportCounter.LINKS_BROKEN) > 0);
        fill();
        // the quick one, too, may be taken out where the machine does not let it run for long
        Await.until("the eviction", () -> !evictions.isEmpty());
        assertEquals(0, absent.counters().get(TransportCounter.PEER_CONSUMERS_EVICTED));
        control.unblock();
        Await.until("the news of the eviction",
            () -> absent.counters().get(TransportCounter.PEER_CONSUMERS_EVICTED) > 0);
    }

    /** Links are not given up before the test is over. */
    private Context patient(final Context context) {
        final long limitNs = TimeUnit.SECONDS.toNanos(2 * Await.DEADLINE_SECONDS);
        return context.clientName("strategies")
            .timeouts(new Timeouts().livenessTimeoutNs(2 * limitNs).resumeTimeoutNs(limitNs));
    }

    /** Listeners are told of no more evictions than a peer can have consumers; the rest is counted. */
    @Test
    void shouldNotLetAPeerTellListenersWithoutEnd() {
        TestMedium.assumeIpc();
        final int told = 64;
        final int sent = 100;
        final ControlMessages messages = new ControlMessages(1, 1);
        try (HostilePeer peer = new HostilePeer(transports.fabric());
            Session session = peer.connect(peer.address(), messages.privateData())) {
            Await.until("a connection", session::isEstablished);
            session.send(messages.hello());
            session.send(messages.subscribe(7, STREAM_ID, transports.channel("")));
            final CapturedMessages heard = new CapturedMessages();
            session.awaitMessage(heard, () -> !heard.linkIds().isEmpty());
            final long linkId = heard.linkIds().getFirst();
            session.send(messages.backPressure(linkId));
            for (int i = 0; i < sent; i++) {
                final long expected = i + 1;
                // of an epoch that is over, for one: it may have waited for a control connection
                session.send(messages.evict(linkId, expected));
                Await.until("it to be counted", () ->
                    publisher.counters().get(TransportCounter.PEER_CONSUMERS_EVICTED) == expected);
            }
            Await.until("all to be told", () -> evictions.size()
                + publisher.counters().get(TransportCounter.BACK_PRESSURE_UNREPORTED) == sent);
            assertTrue(evictions.size() <= told, evictions::toString);
            assertEquals("nobody", evictions.getFirst().consumer());
        }
    }
}

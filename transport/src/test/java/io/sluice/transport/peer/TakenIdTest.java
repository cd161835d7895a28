package io.sluice.transport.peer;

import static io.sluice.transport.conductor.SteppedConductor.CHANNEL;
import static io.sluice.transport.conductor.SteppedConductor.HANDSHAKE_TIMEOUT_NS;
import static io.sluice.transport.conductor.SteppedConductor.HEARTBEAT_INTERVAL_NS;
import static io.sluice.transport.conductor.SteppedConductor.STREAM_ID;
import static io.sluice.transport.conductor.SteppedConductor.heard;
import static io.sluice.transport.conductor.SteppedConductor.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.settings.HostQuotas;
import io.sluice.transport.settings.PeerQuotas;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stream.PublicationLink;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.transport.stub.StubControlDevice.Peer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Anybody can say an id without a pre-shared key: the links of the peer whose id it is are not theirs. */
class TakenIdTest {
    private static final String PLACE = "pid 1";
    private static final String OTHER_PLACE = "pid 2";
    private static final long SUBSCRIPTION_ID = 7;

    /** A host may announce what one of these peers has: one that comes back must not count twice. */
    private static final PeerQuotas ONE_SUBSCRIPTION = new PeerQuotas(PeerQuotas.NONE.ofSession(),
        new HostQuotas(Integer.MAX_VALUE, 1, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE), Long.MAX_VALUE,
        Integer.MAX_VALUE);

    private final SteppedConductor stepped = new SteppedConductor(
        new StubControlDevice(), null, new PeerRules(null, List.of(), ONE_SUBSCRIPTION));
    private final ControlMessages messages = new ControlMessages(1, 2);

    private Peer greet(final String place) {
        final Peer peer = stepped.connect(messages, place);
        send(peer, messages.hello());
        send(peer, messages.subscribe(SUBSCRIPTION_ID, STREAM_ID, CHANNEL));
        stepped.step();
        return peer;
    }

    private Peer linked() {
        final Peer peer = greet(PLACE);
        send(peer, messages.accept(heard(peer).linkIds().getFirst(), 1, 64, new byte[] {1, 2, 3}));
        stepped.step();
        assertEquals(1, stepped.count(TransportCounter.LINKS_ESTABLISHED));
        return peer;
    }

    private PublicationLink link() {
        return stepped.publication().links().all().getFirst();
    }

    @Test
    void shouldNotHearWhoTakesTheIdOfAPeerThatIsHeardOf() {
        final Peer peer = linked();
        final PublicationLink link = link();
        final Peer imposter = greet(PLACE);
        send(imposter, messages.unsubscribe(SUBSCRIPTION_ID));
        send(imposter, messages.goodbye(GoodbyeReason.CLOSED));
        for (long sinceNs = 0; sinceNs < HANDSHAKE_TIMEOUT_NS; sinceNs += HEARTBEAT_INTERVAL_NS) {
            assertFalse(imposter.isOver());
            send(peer, messages.heartbeat(1));
            stepped.advance(HEARTBEAT_INTERVAL_NS);
        }
        stepped.advance(HEARTBEAT_INTERVAL_NS);
        assertTrue(imposter.isOver());
        assertFalse(peer.isOver());
        assertEquals(List.of(link), stepped.publication().links().all());
        assertEquals(0, stepped.count(TransportCounter.LINKS_BROKEN) + stepped.count(TransportCounter.LINKS_GONE));
        assertEquals(1, stepped.errors("a peer of the same id is connected").size());
    }

    /** The old connection of the peer may have died with nobody told. */
    @Test
    void shouldResumeOverANewConnectionWhenTheOldOneHasFallenSilent() {
        final Peer peer = linked();
        final PublicationLink link = link();
        final Peer again = greet(PLACE);
        stepped.advance(HEARTBEAT_INTERVAL_NS);
        assertEquals(List.of(), heard(again).linkIds());
        assertFalse(peer.isOver());
        for (int i = 0; i < Heartbeats.MISSED; i++) {
            stepped.advance(HEARTBEAT_INTERVAL_NS);
        }
        assertTrue(peer.isOver());
        assertEquals(List.of(link.id().linkId()), heard(again).linkIds());
        assertEquals(2, link.epoch());
        assertEquals(0, stepped.count(TransportCounter.QUOTAS_REACHED));
    }

    @Test
    void shouldResumeWithWhoeverIsThereButNotFromElsewhere() {
        final Peer peer = linked();
        final PublicationLink link = link();
        peer.hangUp();
        stepped.step();
        final Peer imposter = greet(OTHER_PLACE);
        assertFalse(heard(imposter).linkIds().contains(link.id().linkId()), "the link is another one's");
        send(imposter, messages.goodbye(GoodbyeReason.CLOSED));
        stepped.step();
        assertTrue(imposter.isOver());
        assertEquals(List.of(link), stepped.publication().links().all());
        assertEquals(List.of(link.id().linkId()), heard(greet(PLACE)).linkIds());
    }

    @Test
    void shouldEndTheLinksOfAPeerThatSaysGoodbye() {
        final Peer peer = linked();
        send(peer, messages.goodbye(GoodbyeReason.CLOSED));
        stepped.step();
        assertEquals(List.of(), stepped.publication().links().all());
        assertEquals(1, stepped.count(TransportCounter.LINKS_GONE));
    }

    @Test
    void shouldEndTheLinksOfAPeerThatOnlyComesBackToSayGoodbye() {
        linked().hangUp();
        stepped.step();
        assertEquals(1, stepped.publication().links().all().size());
        final Peer again = stepped.connect(messages, PLACE);
        send(again, messages.hello());
        send(again, messages.goodbye(GoodbyeReason.CLOSED));
        stepped.step();
        assertEquals(List.of(), stepped.publication().links().all());
    }
}

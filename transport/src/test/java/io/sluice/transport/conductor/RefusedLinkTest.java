package io.sluice.transport.conductor;

import static io.sluice.transport.conductor.SteppedConductor.CHANNEL;
import static io.sluice.transport.conductor.SteppedConductor.HEARTBEAT_INTERVAL_NS;
import static io.sluice.transport.conductor.SteppedConductor.STREAM_ID;
import static io.sluice.transport.conductor.SteppedConductor.heard;
import static io.sluice.transport.conductor.SteppedConductor.send;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.codec.control.RefuseReason;
import io.sluice.codec.control.Role;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.transport.stub.StubControlDevice.Peer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A subscriber refuses every link: it is asked again now and then, and the application hears of it once. */
class RefusedLinkTest {
    private static final long SUBSCRIPTION_ID = 7;
    private static final int ROUNDS = 5;
    /** Heartbeat intervals, see {@link #HEARTBEAT_INTERVAL_NS}, between looks for links that should exist. */
    private static final int INTERVALS_PER_ROUND = 2;

    private final SteppedConductor stepped = new SteppedConductor(new StubControlDevice());
    private final ControlMessages messages = new ControlMessages(1, 2);
    private Peer peer;

    @BeforeEach
    void greet() {
        peer = stepped.connect(messages, "pid 1");
        send(peer, messages.hello());
        subscribe();
    }

    private void subscribe() {
        send(peer, messages.subscribe(SUBSCRIPTION_ID, STREAM_ID, CHANNEL));
        stepped.step();
    }

    private int setups() {
        return heard(peer).linkIds().size();
    }

    private void refuse(final RefuseReason reason) {
        send(peer, messages.refuse(heard(peer).linkIds().getLast(), reason));
        stepped.step();
    }

    private void passRound() {
        for (int i = 0; i < INTERVALS_PER_ROUND; i++) {
            stepped.advance(HEARTBEAT_INTERVAL_NS);
        }
    }

    private void refuseRounds(final RefuseReason reason) {
        for (int i = 0; i < ROUNDS; i++) {
            final int before = setups();
            refuse(reason);
            assertEquals(before, setups(), "asked again at once");
            passRound();
            assertEquals(before + 1, setups());
        }
    }

    @Test
    void shouldAskASubscriberThatKnowsOfNoSessionAgainButNotAtOnce() {
        refuseRounds(RefuseReason.UNKNOWN_SESSION);
        assertEquals(ROUNDS, stepped.count(TransportCounter.LINKS_REFUSED));
    }

    @Test
    void shouldTellOnceThatASubscriberLacksResourcesUntilItSubscribesAnew() {
        refuseRounds(RefuseReason.RESOURCES);
        assertEquals(ROUNDS, stepped.count(TransportCounter.LINKS_REFUSED));
        assertEquals(1, stepped.errors("reason=RESOURCES").size());
        send(peer, messages.unsubscribe(SUBSCRIPTION_ID));
        subscribe();
        refuse(RefuseReason.RESOURCES);
        assertEquals(2, stepped.errors("reason=RESOURCES").size());
    }

    @Test
    void shouldTellAgainOfASubscriberThatRefusesWhenItHadALinkOrAnotherConnection() {
        refuse(RefuseReason.RESOURCES);
        passRound();
        final long linkId = heard(peer).linkIds().getLast();
        send(peer, messages.accept(linkId, 1, 64, new byte[] {1, 2, 3}));
        stepped.step();
        assertEquals(1, stepped.count(TransportCounter.LINKS_ESTABLISHED));
        send(peer, messages.closeLink(linkId, Role.SUBSCRIPTION));
        stepped.step();
        passRound();
        refuse(RefuseReason.RESOURCES);
        assertEquals(2, stepped.errors("reason=RESOURCES").size());
        peer.hangUp();
        stepped.step();
        greet();
        refuse(RefuseReason.RESOURCES);
        assertEquals(3, stepped.errors("reason=RESOURCES").size());
    }

    @Test
    void shouldTellOnceOfASubscriberThatAcceptsWhatIsNotOffered() {
        for (int i = 0; i < ROUNDS; i++) {
            send(peer, messages.acceptResumed(heard(peer).linkIds().getLast(), 1));
            stepped.step();
            passRound();
        }
        assertEquals(ROUNDS + 1, setups());
        assertEquals(ROUNDS, stepped.count(TransportCounter.CONTROL_MESSAGES_REJECTED));
        assertEquals(1, stepped.errors("accepts what was not offered").size());
    }
}

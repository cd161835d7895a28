package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.kit.ControlMessages;
import io.sluice.transport.stub.StubControlDevice;
import io.sluice.transport.stub.StubControlDevice.Peer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that acknowledge nothing any more are hung up on. */
class ClosingConnectionsTest {
    private static final int MANY = 20;

    private final StubControlDevice device = new StubControlDevice(false);
    private final SteppedConductor stepped = new SteppedConductor(device);
    private int nextId = 1;

    private Peer stranger() {
        return stepped.connect(new ControlMessages(1, nextId++), "10.0.0.9:" + (40_000 + nextId));
    }

    private void speakOutOfTurn(final Peer stranger) {
        SteppedConductor.send(stranger, new ControlMessages(1, 1).unsubscribe(1));
    }

    /** A peer that is told why its connection ends, and does not acknowledge that. */
    private Peer leaving() {
        final Peer stranger = stranger();
        device.acknowledge(false);
        speakOutOfTurn(stranger);
        stepped.step();
        assertEquals(GoodbyeReason.PROTOCOL_ERROR, SteppedConductor.heard(stranger).goodbye());
        return stranger;
    }

    @Test
    void shouldLetAGoodbyeLeaveAndMeanwhileKeepNobodyWaiting() {
        final Peer stranger = leaving();
        assertFalse(stranger.isOver(), "the goodbye is cut off");
        assertTrue(stepped.setup().isIdle());
        assertEquals(List.of(), stepped.environment().parksNs());
        device.acknowledge(true);
        stepped.step();
        assertTrue(stranger.isOver());
    }

    @Test
    void shouldHangUpWhenAGoodbyeHasHadItsTime() {
        final Peer stranger = leaving();
        stepped.advance(ClosingConnections.LEAVE_TIMEOUT_NS - 1);
        assertFalse(stranger.isOver());
        stepped.advance(1);
        assertTrue(stranger.isOver());
    }

    @Test
    void shouldWaitForLastMessagesWhenItShutsDown() {
        final Peer stranger = leaving();
        stepped.conductor().execute(stepped.conductor()::shutDown);
        stepped.step();
        assertFalse(stepped.conductor().isShutDown());
        stepped.advance(ClosingConnections.LEAVE_TIMEOUT_NS);
        assertTrue(stepped.conductor().isShutDown());
        assertTrue(stranger.isOver());
        assertTrue(stepped.setup().isIdle());
    }

    /** The end of a transport with many links says more than a peer has receives for, and the goodbye comes last. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepAGoodbyeThatWaitsForCredit(final boolean arrivesAtOnce) {
        final StubControlDevice other = new StubControlDevice(arrivesAtOnce);
        final SteppedConductor ending = new SteppedConductor(other);
        final Peer peer = ending.connect(new ControlMessages(2, 1), "10.0.0.9:40000");
        SteppedConductor.send(peer, new ControlMessages(2, 1).hello());
        ending.step();
        for (int i = 0; i < ControlConnection.DEPTH; i++) {
            ending.advance(SteppedConductor.HEARTBEAT_INTERVAL_NS);
        }
        ending.conductor().execute(ending.conductor()::shutDown);
        ending.step();
        assertFalse(peer.isOver(), "the goodbye is cut off");
        SteppedConductor.send(peer, new byte[0]);
        ending.step();
        assertEquals(GoodbyeReason.CLOSED, SteppedConductor.heard(peer).goodbye());
        assertTrue(peer.isOver());
    }

    /** A link's work on the set-up thread comes after a few turns of strangers there, however many these are. */
    @Test
    void shouldLeaveTheSetupThreadToOthersWhenManyStrangersComeAndGo() {
        final List<Peer> strangers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            strangers.add(device.request(new ControlMessages(2, i).privateData(), "10.0.0." + i + ":40000"));
        }
        stepped.environment().advance(SteppedConductor.STEP_NS);
        for (int i = 0; i < MANY; i += UnprovedPeers.MAX_ACCEPTING) {
            stepped.conductor().doWork();
            assertEquals(UnprovedPeers.MAX_ACCEPTING, stepped.setup().doWork());
        }
        stepped.step();
        strangers.forEach(this::speakOutOfTurn);
        for (int i = 0; i < MANY; i += ClosingConnections.MAX_RELEASING) {
            stepped.conductor().doWork();
            assertEquals(ClosingConnections.MAX_RELEASING, stepped.setup().doWork());
        }
        stepped.step();
        assertTrue(strangers.stream().allMatch(Peer::isOver));
    }

    @Test
    void shouldGiveTheirPlacesToOthersNotBeforeTheyAreHungUpOn() {
        final List<Peer> strangers = new ArrayList<>();
        for (int i = 0; i < UnprovedPeers.MAX_PER_HOST; i++) {
            strangers.add(stranger());
        }
        device.acknowledge(false);
        strangers.forEach(this::speakOutOfTurn);
        stepped.step();
        final Peer oneTooMany = stranger();
        assertTrue(oneTooMany.isOver());
        stepped.advance(ClosingConnections.LEAVE_TIMEOUT_NS);
        for (int i = 0; i < UnprovedPeers.MAX_PER_HOST / ClosingConnections.MAX_RELEASING; i++) {
            stepped.step();
        }
        assertTrue(strangers.stream().allMatch(Peer::isOver));
        assertFalse(stranger().isOver());
    }
}

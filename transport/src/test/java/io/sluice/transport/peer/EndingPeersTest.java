package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Peers that are known to have ended only after their connection has. */
class EndingPeersTest {
    private static final long RESUME_TIMEOUT_NS = 5_000_000_000L;
    private static final long BEGIN_NS = -7;

    private final List<Object> told = new ArrayList<>();
    private final Links links = (Links) Proxy.newProxyInstance(
        Links.class.getClassLoader(), new Class<?>[] {Links.class}, (_, method, arguments) -> {
            assertEquals("onLost", method.getName());
            assertEquals(true, arguments[1]);
            told.add(arguments[0]);
            return null;
        });
    private final EndingPeers peers = new EndingPeers(links, RESUME_TIMEOUT_NS);
    private boolean isGone;
    private int looks;

    private static ConnectedPeer peer() {
        return (ConnectedPeer) Proxy.newProxyInstance(
            ConnectedPeer.class.getClassLoader(), new Class<?>[] {ConnectedPeer.class}, (_, _, _) -> null);
    }

    private boolean look() {
        looks++;
        return isGone;
    }

    @Test
    void shouldTellOnceOfAPeerThatHasEndedMeanwhile() {
        final ConnectedPeer peer = peer();
        peers.add(peer, this::look, BEGIN_NS);
        assertEquals(0, peers.doWork(BEGIN_NS));
        isGone = true;
        assertEquals(1, peers.doWork(BEGIN_NS + EndingPeers.LOOK_INTERVAL_NS));
        assertEquals(0, peers.doWork(BEGIN_NS + 2 * EndingPeers.LOOK_INTERVAL_NS));

        assertEquals(1, told.size());
        assertEquals(System.identityHashCode(peer), System.identityHashCode(told.getFirst()));
    }

    @Test
    void shouldLookNoMoreOftenThanEachInterval() {
        peers.add(peer(), this::look, BEGIN_NS);
        for (long ns = 0; ns < EndingPeers.LOOK_INTERVAL_NS; ns += EndingPeers.LOOK_INTERVAL_NS / 100) {
            peers.doWork(BEGIN_NS + ns);
        }

        assertEquals(1, looks);
    }

    @Test
    void shouldNotLookAtAPeerWhoseLinksWaitNoMore() {
        peers.add(peer(), this::look, BEGIN_NS);
        peers.doWork(BEGIN_NS + RESUME_TIMEOUT_NS);
        isGone = true;
        peers.doWork(BEGIN_NS + RESUME_TIMEOUT_NS + EndingPeers.LOOK_INTERVAL_NS);

        assertEquals(List.of(), told);
        assertEquals(1, looks);
    }

    @Test
    void shouldLookAtSoManyPeersAtMost() {
        for (int i = 0; i < 2 * EndingPeers.MAX_PEERS; i++) {
            peers.add(peer(), this::look, BEGIN_NS);
        }
        peers.doWork(BEGIN_NS);

        assertEquals(EndingPeers.MAX_PEERS, looks);
    }
}

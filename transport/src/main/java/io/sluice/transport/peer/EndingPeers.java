package io.sluice.transport.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Peers whose connection has ended, and whose process may be about to: one that is killed loses its sockets first, and
 * is known to have ended a moment later. Their links wait for them to come back, unless this finds out that they do
 * not. Conductor only.
 */
final class EndingPeers {
    /** The most peers looked at: of those that are more, links wait until the resume timeout. */
    static final int MAX_PEERS = 64;

    /** The time between two looks, each of which is some system calls for each peer. */
    static final long LOOK_INTERVAL_NS = 20_000_000L;

    /**
     * A peer whose links wait.
     *
     * @param session whose connection has ended.
     * @param isGone  whether its process has, certainly.
     * @param untilNs time of the conductor's clock from which its links wait no more.
     */
    private record Ending(ConnectedPeer session, BooleanSupplier isGone, long untilNs) {
    }

    private final Links links;
    private final long resumeTimeoutNs;
    private final List<Ending> endings = new ArrayList<>();
    private long nextLookNs;

    /**
     * Makes a list without peers.
     *
     * @param links           that are told.
     * @param resumeTimeoutNs for which links wait.
     */
    EndingPeers(final Links links, final long resumeTimeoutNs) {
        this.links = links;
        this.resumeTimeoutNs = resumeTimeoutNs;
    }

    /**
     * Adds a session whose connection has ended without its peer being known to have.
     *
     * @param session that was ready.
     * @param isGone  asked again and again whether the peer's process has certainly ended.
     * @param nowNs   time of the conductor's clock.
     */
    void add(final ConnectedPeer session, final BooleanSupplier isGone, final long nowNs) {
        if (endings.size() < MAX_PEERS) {
            endings.add(new Ending(session, isGone, nowNs + resumeTimeoutNs));
            nextLookNs = nowNs;
        }
    }

    /**
     * Tells links of peers that have ended meanwhile.
     *
     * @param nowNs time of the conductor's clock.
     * @return how many have.
     */
    int doWork(final long nowNs) {
        if (endings.isEmpty() || nowNs - nextLookNs < 0) {
            return 0;
        }
        nextLookNs = nowNs + LOOK_INTERVAL_NS;
        int work = 0;
        for (int i = endings.size() - 1; i >= 0; i--) {
            final Ending ending = endings.get(i);
            if (ending.isGone().getAsBoolean()) {
                endings.remove(i);
                links.onLost(ending.session(), true);
                work++;
            } else if (nowNs - ending.untilNs() >= 0) {
                endings.remove(i);
            }
        }
        return work;
    }
}

package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;

/**
 * One part in a measurement; runs on one thread.
 */
interface Side {
    /** Add what this side sends and receives with. */
    void open(Peer peer);

    /** Whether the other side is connected in every direction; asking, again and again, brings that about. */
    boolean isConnected();

    /** Do the part, pinned and connected, and report. */
    void run(SideResult result);

    /** Keep, after the part, what was sent on its way, again and again until the others have it. */
    default void attend() {
        // for most there is nothing to do
    }
}

package io.sluice.perf.side;

import io.sluice.perf.peer.Peer;

/**
 * One part in a measurement; runs on the main thread of its process.
 */
interface Side {
    /** Add what this side sends and receives with. */
    void open(Peer peer);

    /** Whether the other side is connected in every direction. */
    boolean isConnected();

    /** Do the part, pinned and connected, and report. */
    void run(SideResult result);
}

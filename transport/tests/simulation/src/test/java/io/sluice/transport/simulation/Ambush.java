package io.sluice.transport.simulation;

import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Has a fault wait until an end of a link is in a state that is drawn, for some time at most: some states are over so
 * soon that nothing would happen in them by chance. One agent's.
 */
final class Ambush {
    /** One fault in so many strikes at once. */
    private static final int AT_ONCE_ONE_IN = 6;
    /** The shortest of all states, a few steps long where a writer is in its way. */
    private static final int JOINING_ONE_IN = 4;
    private static final int WAIT_MAX_NS = 300_000_000;
    private static final List<LinkEnd.State> STATES = List.copyOf(EnumSet.complementOf(EnumSet.of(
        LinkEnd.State.PUBLICATION_ACTIVE, LinkEnd.State.PUBLICATION_GONE,
        LinkEnd.State.SUBSCRIPTION_ACTIVE, LinkEnd.State.SUBSCRIPTION_GONE)));

    private final World world;
    private final SplittableRandom random;
    private LinkEnd.State awaited;
    private SimulatedWorker worker;
    private LinkEnd found;

    Ambush(final World world) {
        this.world = world;
        random = world.newRandom();
        world.ambushes().add(this);
    }

    /** Whether the agent that is making its step may strike now; else it is back when the time has come. */
    boolean isReady() {
        found = null;
        if (awaited != null) {
            found = LinkEnd.find(world, awaited);
            awaited = null;
            return true;
        }
        if (random.nextInt(AT_ONCE_ONE_IN) == 0) {
            return true;
        }
        awaited = random.nextInt(JOINING_ONE_IN) == 0 ? LinkEnd.State.PUBLICATION_JOINING
            : STATES.get(random.nextInt(STATES.size()));
        worker = world.machine().running();
        worker.park(1 + random.nextInt(WAIT_MAX_NS));
        return false;
    }

    /** The end that was waited for; null when it did not come, or none was. */
    LinkEnd found() {
        return found;
    }

    /** Makes the agent the next one when the state is there, after every step. */
    void check() {
        if (awaited != null && !world.isCalm() && LinkEnd.find(world, awaited) != null) {
            world.machine().next(worker);
        }
    }
}

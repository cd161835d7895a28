package io.sluice.transport.receive;

import org.agrona.concurrent.NanoClock;

/**
 * Looks at inactive links of shared logs, since no completion tells of what is committed there: at a few of them, in
 * turn, in every fourth idle poll, and in every {@value #BUSY_POLLS_PER_SWEEP}th while messages flow. At how many
 * depends on the time that has passed, so that it takes a small part of it, and an application that stays away between
 * its polls does not need more of them for that. The first message of an inactive link is found within
 * <ul>
 * <li>{@value #IDLE_POLLS_PER_SWEEP} idle polls for each inactive link, which take a small part of a microsecond each;
 * of polls that are farther apart fewer, down to that many for {@value #LINKS_PER_SWEEP} links; and the two before;
 * <li>while messages flow, {@value #NS_PER_LINK} ns for each inactive link, or {@value #BUSY_POLLS_PER_SWEEP} polls for
 * {@value #LINKS_PER_SWEEP} links if those take longer, and never more than {@value #BUSY_POLLS_PER_SWEEP} polls for
 * each.
 * </ul>
 * <p>
 * Polling thread only; allocates nothing.
 */
final class LinkSweep {
    /**
     * The time in nanoseconds for each link that is looked at: a look takes up to a tenth of a microsecond, mostly for
     * the memory.
     */
    static final long NS_PER_LINK = 2048;

    /** Links looked at at once, at most: what arrives meanwhile for an active one does not wait for a look at all. */
    static final int LINKS_PER_SWEEP = 256;

    /** Polls per sweep while messages flow, a power of two: reading the clock takes half as long as such a poll. */
    static final int BUSY_POLLS_PER_SWEEP = 64;

    /** Idle polls per sweep, a power of two: with a thousand links one then takes no longer than with a single link. */
    static final int IDLE_POLLS_PER_SWEEP = 4;

    private final AttachedLinks links;
    private final NanoClock clock;
    private boolean areLogsShared;
    private int polls;
    private long sweptNs;

    LinkSweep(final AttachedLinks links, final NanoClock clock) {
        this.links = links;
        this.clock = clock;
    }

    /** Notes that an epoch of a link begins. */
    void onEpoch(final InboundEpoch epoch) {
        areLogsShared |= epoch.memoryCompletion();
    }

    /** {@return inactive links with news, which are active now} */
    int look(final boolean idle) {
        polls++;
        if (!areLogsShared || (polls & (idle ? IDLE_POLLS_PER_SWEEP : BUSY_POLLS_PER_SWEEP) - 1) != 0) {
            return 0;
        }
        final long nowNs = clock.nanoTime();
        final int count =
            Math.min(links.inactiveCount(), Math.clamp((nowNs - sweptNs) / NS_PER_LINK, 1, LINKS_PER_SWEEP));
        sweptNs = nowNs;
        int arrived = 0;
        for (int i = 0; i < count; i++) {
            final int place = links.nextInactive();
            if (links.mayHaveFrames(place) && links.all()[place].logScan().find(FrameReader.SCAN_LIMIT) > 0) {
                links.activate(links.all()[place]);
                arrived++;
            }
        }
        return arrived;
    }
}

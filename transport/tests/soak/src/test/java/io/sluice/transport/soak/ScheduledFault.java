package io.sluice.transport.soak;

import java.util.Locale;

/**
 * One fault of a soak's schedule.
 *
 * @param atMs       not before this time of the soak, in milliseconds.
 * @param kind       what happens.
 * @param publisher  number of the publisher that it hits, when it hits one.
 * @param subscriber number of the subscriber that it hits, when it hits one.
 * @param forMs      how long it lasts in milliseconds, 0 when it is over at once.
 */
record ScheduledFault(long atMs, FaultKind kind, int publisher, int subscriber, long forMs) {
    /** The places that this fault hits, as {@code p0}, {@code s1} or {@code p0 s1}. */
    String targets() {
        return (kind.hitsPublisher() ? "p" + publisher : "") + (kind == FaultKind.KILL_BOTH ? " " : "")
            + (kind.hitsSubscriber() ? "s" + subscriber : "");
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%8.2f s  %-20s %-6s%s", atMs / 1e3, kind.label(), targets(),
            forMs == 0 ? "" : String.format(Locale.ROOT, "for %.2f s", forMs / 1e3)).stripTrailing();
    }
}

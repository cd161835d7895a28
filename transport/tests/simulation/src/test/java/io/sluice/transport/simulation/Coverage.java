package io.sluice.transport.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * Counts over many runs which faults struck while an end of a link was in which state. Every pair must have been seen,
 * but for those that are taken for impossible, which must not.
 */
final class Coverage {
    /** Seeds that are enough to demand every pair. */
    static final long SEEDS_ENOUGH = SeedRange.OF_BUILD.count();
    /** Seeds that may be run besides until every pair was seen: some are rare, and change with the code. */
    static final long SEEDS_MORE = 2_000;

    private final TreeMap<LinkEnd.State, long[]> counts = new TreeMap<>();

    Coverage() {
        for (final LinkEnd.State state : LinkEnd.State.values()) {
            counts.put(state, new long[Fault.values().length]);
        }
    }

    /** A fault strikes a link's end. */
    void strike(final Fault fault, final LinkEnd.State state) {
        counts.get(state)[fault.ordinal()]++;
    }

    long count(final Fault fault, final LinkEnd.State state) {
        return counts.get(state)[fault.ordinal()];
    }

    /** Pairs that are demanded and were not seen, and pairs that are taken for impossible and were. */
    List<String> gaps() {
        final List<String> gaps = new ArrayList<>();
        for (final Fault fault : Fault.values()) {
            for (final LinkEnd.State state : LinkEnd.State.values()) {
                final boolean isSeen = count(fault, state) > 0;
                final ImpossiblePair impossible = ImpossiblePair.of(fault, state);
                if (isSeen && impossible != null) {
                    gaps.add(fault + " x " + state + " was seen, and was taken for impossible: " + impossible);
                } else if (!isSeen && impossible == null) {
                    gaps.add(fault + " x " + state + " was never seen");
                }
            }
        }
        return gaps;
    }

    /** A row for each fault, a column for each state; a dash where a pair is impossible. */
    String table() {
        final StringBuilder text =
            new StringBuilder(String.format(Locale.ROOT, "%-24s", "fault x state of a link's end"));
        final LinkEnd.State[] states = LinkEnd.State.values();
        for (final LinkEnd.State state : states) {
            text.append(String.format(Locale.ROOT, " %10s", state.column()));
        }
        for (final Fault fault : Fault.values()) {
            text.append(String.format(Locale.ROOT, "%n%-24s", fault));
            for (final LinkEnd.State state : states) {
                text.append(String.format(Locale.ROOT, " %10s",
                    ImpossiblePair.of(fault, state) == null ? Long.toString(count(fault, state)) : "-"));
            }
        }
        return text.append(ImpossiblePair.legend()).toString();
    }
}

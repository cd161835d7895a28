package io.sluice.transport.simulation;

import java.util.TreeMap;

/** Counts over many runs which faults struck while an end of a link was in which state. */
final class Coverage {
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

    /** A row for each fault, a column for each state; a dash where a pair is impossible. */
    String table() {
        final StringBuilder text = new StringBuilder(String.format("%-24s", "fault x state of a link's end"));
        final LinkEnd.State[] states = LinkEnd.State.values();
        for (final LinkEnd.State state : states) {
            text.append(String.format(" %10s", state.column()));
        }
        for (final Fault fault : Fault.values()) {
            text.append(String.format("%n%-24s", fault));
            for (final LinkEnd.State state : states) {
                text.append(String.format(" %10s",
                    ImpossiblePair.of(fault, state) == null ? Long.toString(count(fault, state)) : "-"));
            }
        }
        return text.append(ImpossiblePair.legend()).toString();
    }
}

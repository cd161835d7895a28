package io.sluice.perf.downcall;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * One process' figures. Immutable; any thread.
 *
 * @param cardCase what was measured.
 * @param stops    of each thing that went on and that the card has.
 */
public record CardResult(CardCase cardCase, Map<CardAction, Stops> stops) {
    /** The limit in microseconds: a stop waits for no call of ours longer than this. */
    public static final double LIMIT_US = 1000;

    /**
     * Microseconds until all threads are stopped and run again.
     *
     * @param medianUs  over the times that a thing was done, of the longest stop meanwhile.
     * @param longestUs of them.
     * @param waitedUs  that a stop has waited for a call of the device which waited itself, at most; 0 when no stop did
     *                  for 1 ms. What the machine does to stops is not in it.
     */
    public record Stops(double medianUs, double longestUs, double waitedUs) {
    }

    /** Figures. */
    public CardResult {
        stops = Map.copyOf(stops);
    }

    /** A line of {@link CardProcess}. */
    static CardResult parse(final CardCase cardCase, final String line) {
        final String[] fields = line.split(" ");
        final Map<CardAction, Stops> stops = new EnumMap<>(CardAction.class);
        for (int i = 0; i < fields.length; i += 4) {
            stops.put(CardAction.valueOf(fields[i]),
                new Stops(Double.parseDouble(fields[i + 1]), Double.parseDouble(fields[i + 2]),
                    Double.parseDouble(fields[i + 3])));
        }
        return new CardResult(cardCase, stops);
    }

    /** The line that {@link #parse} takes. */
    String toLine() {
        final StringBuilder line = new StringBuilder();
        for (final CardAction action : CardAction.values()) {
            final Stops figures = stops.get(action);
            if (figures != null) {
                line.append(String.format(
                    Locale.ROOT, " %s %.1f %.1f %.1f", action, figures.medianUs, figures.longestUs, figures.waitedUs));
            }
        }
        return line.substring(1);
    }
}

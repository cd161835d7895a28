package io.sluice.transport.settings;

import java.util.HexFormat;

/**
 * The random identity of one incarnation of a transport, or of a session.
 *
 * @param high upper 64 bits.
 * @param low  lower 64 bits.
 */
public record TransportId(long high, long low) implements Comparable<TransportId> {
    @Override
    public int compareTo(final TransportId other) {
        final int result = Long.compareUnsigned(high, other.high);
        return result != 0 ? result : Long.compareUnsigned(low, other.low);
    }

    /**
     * Parse what {@link #toString()} made.
     *
     * @param text 32 hexadecimal digits.
     * @return the id, or null when the text is anything else.
     */
    public static TransportId parse(final String text) {
        if (text.length() != 32) {
            return null;
        }
        // by hand: a conductor that rests looks at the ids of all who listen ten times a second
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return null;
            }
        }
        return new TransportId(
            Long.parseUnsignedLong(text, 0, 16, 16), Long.parseUnsignedLong(text, 16, 32, 16));
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}

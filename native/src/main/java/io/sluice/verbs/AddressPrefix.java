package io.sluice.verbs;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network address, or all that begin with the same bits, as in {@code 10.0.0.0/24}. IPv4 addresses mapped into IPv6
 * count as IPv4. No name is ever looked up. Immutable; any thread.
 */
public final class AddressPrefix {
    private static final Pattern TEXT = Pattern.compile("(?<address>[^/]+)(/(?<bits>[0-9]+))?");
    private static final Pattern IPV4 = Pattern.compile("([0-9]{1,3}\\.){3}[0-9]{1,3}");
    /** Characters of an IPv6 address, without a zone: that means something on one host only. */
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final int IPV4_LENGTH = 4;
    private static final int IPV6_LENGTH = 16;
    /**
     * The offset at which the IPv4 address lies in an IPv6 address that it is mapped into, behind ten zeros and two
     * 0xFF.
     */
    private static final int MAPPED_OFFSET = IPV6_LENGTH - IPV4_LENGTH;
    private static final byte ONES = (byte) 0xFF;

    private final String text;
    private final byte[] address;
    private final int bits;

    private AddressPrefix(final String text, final byte[] address, final int bits) {
        this.text = text;
        this.address = address;
        this.bits = bits;
    }

    /**
     * Parse a literal address, IPv4 or IPv6 without brackets, with or without the number of leading bits that count.
     *
     * @param text for example {@code 10.0.0.1}, {@code 10.0.0.0/24}, {@code fe80::/10}.
     * @return the prefix.
     * @throws IllegalArgumentException when it is anything else, a host name for one, or when bits are set behind those
     *                                  that count; the message names the text.
     */
    public static AddressPrefix parse(final String text) {
        final Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw malformed(text);
        }
        final byte[] address = literal(text, matcher.group("address"));
        final String asked = matcher.group("bits");
        final int all = address.length * Byte.SIZE;
        final int bits = asked == null ? all : bits(asked);
        if (bits > all) {
            throw new IllegalArgumentException(
                "more bits than an address has: address=" + text + " bits=" + asked + " maximum=" + all);
        }
        for (int bit = bits; bit < all; bit++) {
            if ((address[bit / Byte.SIZE] & 1 << Byte.SIZE - 1 - bit % Byte.SIZE) != 0) {
                throw new IllegalArgumentException(
                    "bits are set behind the first " + bits + ", which alone count: address=" + text);
            }
        }
        return new AddressPrefix(text, address, bits);
    }

    /** The number, or one that no address has when it is beyond an int. */
    private static int bits(final String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (final NumberFormatException ex) {
            return Integer.MAX_VALUE;
        }
    }

    private static byte[] literal(final String text, final String address) {
        if (!IPV4.matcher(address).matches() && !IPV6.matcher(address).matches()) {
            throw malformed(text);
        }
        try {
            return InetAddress.ofLiteral(address).getAddress();
        } catch (final IllegalArgumentException ex) {
            throw malformed(text);
        }
    }

    private static IllegalArgumentException malformed(final String text) {
        return new IllegalArgumentException(
            "not a literal address, and no prefix like 10.0.0.0/24 or fe80::/10: address=" + text);
    }

    /**
     * Whether an address begins with these bits.
     *
     * @param peer 4 or 16 bytes, as {@link ConnectionRequest#peerAddress()} has them.
     * @return false also when there is no address, or one of the other family.
     */
    public boolean contains(final byte[] peer) {
        final byte[] candidate = withoutMapping(peer);
        if (candidate.length != address.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            final int mask = 1 << Byte.SIZE - 1 - bit % Byte.SIZE;
            if (((candidate[bit / Byte.SIZE] ^ address[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    /** {@return the text that was parsed} */
    @Override
    public String toString() {
        return text;
    }

    private static byte[] withoutMapping(final byte[] peer) {
        if (peer.length != IPV6_LENGTH) {
            return peer;
        }
        for (int i = 0; i < MAPPED_OFFSET; i++) {
            if (peer[i] != (i < MAPPED_OFFSET - 2 ? 0 : ONES)) {
                return peer;
            }
        }
        return Arrays.copyOfRange(peer, MAPPED_OFFSET, IPV6_LENGTH);
    }
}

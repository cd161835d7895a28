package io.sluice.codec;

/**
 * A stream position as the 32 bits of immediate data that go with a write, and back. The immediate is the low 32 bits
 * of the end position / 32: absolute, so that a later one covers an earlier one, and a repeat is harmless.
 * <p>
 * Positions are multiples of 32 here. The 32 bits alone repeat every 128 GiB, so that the position is rebuilt beside
 * the last one known: the signed 32-bit difference in units of 32 bytes reaches 64 GiB, far beyond any window.
 * <p>
 * Stateless; any thread may call it.
 */
public final class ImmediatePosition {
    private static final int UNIT_SHIFT = 5;

    private ImmediatePosition() {
    }

    /**
     * The immediate of a write.
     *
     * @param position end of the bytes written, a multiple of 32
     * @return the low 32 bits of position / 32
     */
    public static int immediate(final long position) {
        return (int) (position >>> UNIT_SHIFT);
    }

    /**
     * The position that an immediate stands for, or the last one if the immediate tells nothing new. The result is
     * never less than {@code lastPosition}: with d the signed 32-bit difference of the immediate and that of
     * {@code lastPosition}, it is lastPosition + 32 d for d &gt; 0, and lastPosition for a repeat (d = 0) and an older
     * one (d &lt; 0). An immediate comes from a peer: the caller must still check the result against the window.
     *
     * @param immediate    as received
     * @param lastPosition greatest position so far, a multiple of 32, at most {@link FrameDescriptor#MAX_POSITION}
     * @return a multiple of 32, from lastPosition to lastPosition + 64 GiB - 32
     */
    public static long reconstruct(final int immediate, final long lastPosition) {
        final int advancedUnits = immediate - immediate(lastPosition);
        return advancedUnits > 0 ? lastPosition + ((long) advancedUnits << UNIT_SHIFT) : lastPosition;
    }
}

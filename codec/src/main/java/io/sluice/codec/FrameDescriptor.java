package io.sluice.codec;

/**
 * Layout of a frame in the send log and in the receive ring. All fields are little-endian; Sluice runs on little-endian
 * hosts only, so that the two header words can be read and written as native longs.
 * <pre>
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  0|                         frame length                          |  \
 *   +---------------+---------------+-------------------------------+   &gt; length word
 *  4|    version    |     flags     |             type              |  /
 *   +---------------+---------------+-------------------------------+
 *  8|                           lap word                            |  \
 *   +---------------------------------------------------------------+   &gt; lap and checksum word
 * 12|                           checksum                            |  /
 *   +---------------------------------------------------------------+
 * 16|                                                               |
 *   |                        reserved value                         |
 * 20|                                                               |
 *   +---------------------------------------------------------------+
 * 24|                            message                           ...
 *  ...              padding up to a multiple of 32                  |
 *   +---------------------------------------------------------------+
 * </pre>
 * The frame length counts the header and the message but not the padding. It is negative while the frame is claimed,
 * and is written last with release semantics, in one store with version, flags and type. A frame is committed only if
 * its length is positive and its lap word is that of its position: so the bytes of an earlier lap need no zeroing. The
 * lap and checksum word is exclusive-ored with the session's frame key, which is random and told only to peers: so a
 * reader that goes from frame to frame in shared memory does not take for a header what an application once wrote into
 * a message there. A reader takes each of the two header words once, since a peer may change them at any time.
 * <p>
 * The checksum is CRC-32C of the bytes from the reserved value to the frame length; 0 says that there is none, and
 * therefore a computed 0 is written as 0xFFFFFFFF.
 * <p>
 * Stateless; any thread may call it.
 */
public final class FrameDescriptor {
    /** The version of the frame layout that this class describes. */
    public static final int FRAME_VERSION = 1;

    /** Bytes of the header before every message. */
    public static final int HEADER_LENGTH = 24;

    /** Frames begin at multiples of this many bytes; so a header never wraps around the end of a ring. */
    public static final int FRAME_ALIGNMENT = 32;

    /** Offset of the frame length (int32), and of the length word (int64), from the beginning of the frame. */
    public static final int LENGTH_OFFSET = 0;

    /** Offset of the version (uint8). */
    public static final int VERSION_OFFSET = 4;

    /** Offset of the flags (uint8). */
    public static final int FLAGS_OFFSET = 5;

    /** Offset of the type (uint16). */
    public static final int TYPE_OFFSET = 6;

    /** Offset of the lap word (uint32), and of the word that holds it and the checksum (int64). */
    public static final int LAP_WORD_OFFSET = 8;

    /** Offset of the checksum (uint32). */
    public static final int CHECKSUM_OFFSET = 12;

    /** Offset of the reserved value (int64): the application's, or a timestamp if {@link #TIMESTAMP_FLAG} is set. */
    public static final int RESERVED_VALUE_OFFSET = 16;

    /** Type of a frame without a message, which fills the ring up to its end or replaces an aborted claim. */
    public static final int PADDING_TYPE = 0;

    /** Type of a frame that holds one whole message. */
    public static final int DATA_TYPE = 1;

    /** Flag: the reserved value is the publisher's clock in nanoseconds. A reader ignores flags it does not know. */
    public static final int TIMESTAMP_FLAG = 0x01;

    /** Checksum of a frame that has none. */
    public static final int NO_CHECKSUM = 0;

    /**
     * The end of a stream: no position is greater. Far enough from overflow that a position plus a window needs no
     * check, and 136 years at 1 GiB a second.
     */
    public static final long MAX_POSITION = 1L << 62;

    /**
     * The number of messages that a window holds at least: one takes at most this part of it, so that the window holds
     * several and never waits for one.
     */
    private static final int MESSAGES_PER_WINDOW = 8;

    private static final int ALIGNMENT_SHIFT = 5;

    private static final long UPPER_HALF_FIXED = (long) FRAME_VERSION << 32;

    private FrameDescriptor() {
    }

    /**
     * The length that goes into the header.
     *
     * @param messageLength bytes of the message, at least 0
     * @return bytes of the header and the message
     */
    public static int frameLength(final int messageLength) {
        return messageLength + HEADER_LENGTH;
    }

    /**
     * The room that a frame takes.
     *
     * @param frameLength bytes of the header and the message, at most {@code Integer.MAX_VALUE - 31}
     * @return the same, rounded up to a multiple of {@link #FRAME_ALIGNMENT}
     */
    public static int alignedLength(final int frameLength) {
        return (frameLength + (FRAME_ALIGNMENT - 1)) & -FRAME_ALIGNMENT;
    }

    /**
     * The longest message that a window takes.
     *
     * @param windowLength bytes of the log and of the ring, a power of two
     * @return bytes of the longest message
     */
    public static int maxMessageLength(final int windowLength) {
        return windowLength / MESSAGES_PER_WINDOW - HEADER_LENGTH;
    }

    /**
     * The word that tells the frame of this lap from what an earlier lap left in the same place.
     *
     * @param position of the frame in the stream, in bytes
     * @return the low 32 bits of position / 32
     */
    public static int lapWord(final long position) {
        return (int) (position >>> ALIGNMENT_SHIFT);
    }

    /**
     * The first word of the header, written last.
     *
     * @param frameLength bytes of the header and the message; negative while claimed
     * @param flags       0 to 255
     * @param type        0 to 65535
     * @return length, {@link #FRAME_VERSION}, flags and type as one little-endian int64
     */
    public static long lengthWord(final int frameLength, final int flags, final int type) {
        return (long) type << 48 | (long) flags << 40 | UPPER_HALF_FIXED | frameLength & 0xFFFF_FFFFL;
    }

    /**
     * The frame length in a length word.
     *
     * @param lengthWord the int64 at {@link #LENGTH_OFFSET}
     * @return bytes of the header and the message; negative while claimed
     */
    public static int frameLengthOf(final long lengthWord) {
        return (int) lengthWord;
    }

    /**
     * The version in a length word.
     *
     * @param lengthWord the int64 at {@link #LENGTH_OFFSET}
     * @return 0 to 255
     */
    public static int versionOf(final long lengthWord) {
        return (int) (lengthWord >>> 32) & 0xFF;
    }

    /**
     * The flags in a length word.
     *
     * @param lengthWord the int64 at {@link #LENGTH_OFFSET}
     * @return 0 to 255
     */
    public static int flagsOf(final long lengthWord) {
        return (int) (lengthWord >>> 40) & 0xFF;
    }

    /**
     * The type in a length word.
     *
     * @param lengthWord the int64 at {@link #LENGTH_OFFSET}
     * @return 0 to 65535
     */
    public static int typeOf(final long lengthWord) {
        return (int) (lengthWord >>> 48);
    }

    /**
     * Whether the reserved value is a timestamp, by a length word.
     *
     * @param lengthWord the int64 at {@link #LENGTH_OFFSET}
     * @return whether {@link #TIMESTAMP_FLAG} is set
     */
    public static boolean isStamped(final long lengthWord) {
        return (flagsOf(lengthWord) & TIMESTAMP_FLAG) != 0;
    }

    /**
     * The second word of the header: position / 32, exclusive-ored with the checksum in the upper half and with the
     * session's frame key. The lower half is the lap word; what the position has above 32 bits is in the upper half, so
     * that the word never comes again at another position.
     *
     * @param position of the frame in the stream, in bytes
     * @param checksum of the frame, or {@link #NO_CHECKSUM}
     * @param frameKey the low half of the session's incarnation
     * @return lap word and checksum as one little-endian int64
     */
    public static long lapAndChecksumWord(final long position, final int checksum, final long frameKey) {
        return position >>> ALIGNMENT_SHIFT ^ (long) checksum << 32 ^ frameKey;
    }

    /**
     * The lap word in the second word of the header.
     *
     * @param lapAndChecksumWord the int64 at {@link #LAP_WORD_OFFSET}
     * @param frameKey           the low half of the session's incarnation
     * @return the lap word, to be compared with {@link #lapWord(long)} of the expected position
     */
    public static int lapWordOf(final long lapAndChecksumWord, final long frameKey) {
        return (int) (lapAndChecksumWord ^ frameKey);
    }

    /**
     * The checksum in the second word of the header.
     *
     * @param lapAndChecksumWord the int64 at {@link #LAP_WORD_OFFSET}
     * @param position           of the frame in the stream, in bytes
     * @param frameKey           the low half of the session's incarnation
     * @return the checksum, or {@link #NO_CHECKSUM}
     */
    public static int checksumOf(final long lapAndChecksumWord, final long position, final long frameKey) {
        return (int) ((lapAndChecksumWord ^ position >>> ALIGNMENT_SHIFT ^ frameKey) >>> 32);
    }
}

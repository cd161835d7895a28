package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message on the ring between a poller and its consumers: where its checked frame lies, not its bytes, and what is
 * known of it. The poller writes it before it publishes; consumers read it until their sequence has passed it, and
 * keep nothing of it.
 */
public final class EventSlot {
    /**
     * The value of {@link #templateId()}, {@link #schemaId()} and {@link #version()} when the message is too short for
     * an SBE message header.
     */
    public static final int NO_MESSAGE_HEADER = -1;
    /** The value of {@link #receiveTimestampNs()} when the subscription did not ask for timestamps. */
    public static final long NO_TIMESTAMP = -1;

    /** The value of {@link #offeredNs()} when the message has no timestamp. */
    static final long NOT_STAMPED = Long.MIN_VALUE;

    /** Length in bytes of the SBE message header: block length, template id, schema id and version, 16 bits each. */
    private static final int MESSAGE_HEADER_LENGTH = 8;
    private static final int TEMPLATE_ID_SHIFT = 16;
    private static final int SCHEMA_ID_SHIFT = 32;
    private static final int VERSION_SHIFT = 48;
    private static final int FIELD_MASK = 0xFFFF;

    private InboundLink link;
    private MessageView view;
    private UnsafeBuffer ring;
    private int frameOffset;
    private long lengthWord;
    private long endPosition;
    private long messageHeader;
    /** The frame's reserved value, or the stamp that stands in its place. */
    private long reservedValue;
    private long receiveTimestampNs;

    EventSlot() {
    }

    /**
     * Sets the slot to a message. The header's line is in the cache already, and so is the message's first word: frames
     * are aligned to 32.
     */
    void set(
        final InboundLink newLink,
        final long newLengthWord,
        final long newEndPosition,
        final long newReceiveTimestampNs) {
        final FrameReader reader = newLink.reader();
        receiveTimestampNs = newReceiveTimestampNs;
        if (link != newLink || ring != reader.ring()) {
            // rarely: a reference store costs the garbage collector's barrier
            link = newLink;
            view = newLink.view();
            ring = reader.ring();
        }
        lengthWord = newLengthWord;
        endPosition = newEndPosition;
        frameOffset = reader.offset(position());
        reservedValue = ring.getLong(frameOffset + FrameDescriptor.RESERVED_VALUE_OFFSET);
        messageHeader = hasMessageHeader() ? ring.getLong(frameOffset + FrameDescriptor.HEADER_LENGTH) : 0;
    }

    /** Copies what another slot says now. */
    void copy(final EventSlot other) {
        if (link != other.link || ring != other.ring) {
            link = other.link;
            view = other.view;
            ring = other.ring;
        }
        frameOffset = other.frameOffset;
        lengthWord = other.lengthWord;
        endPosition = other.endPosition;
        messageHeader = other.messageHeader;
        reservedValue = other.reservedValue;
        receiveTimestampNs = other.receiveTimestampNs;
    }

    private boolean hasMessageHeader() {
        return length() >= MESSAGE_HEADER_LENGTH;
    }

    private int field(final int shift) {
        return hasMessageHeader() ? (int) (messageHeader >>> shift) & FIELD_MASK : NO_MESSAGE_HEADER;
    }

    /**
     * The link that the message came over.
     *
     * @return the link.
     */
    public InboundLink link() {
        return link;
    }

    /**
     * The view that the message goes to, of the link's image. The link's positions lie where the poller writes for
     * each message.
     *
     * @return the image's view.
     */
    public MessageView view() {
        return view;
    }

    /**
     * The memory that the frame lies in.
     *
     * @return the receive ring at the time of the message.
     */
    public UnsafeBuffer ring() {
        return ring;
    }

    /**
     * The place where the frame begins.
     *
     * @return offset in {@link #ring()} in bytes.
     */
    public int frameOffset() {
        return frameOffset;
    }

    /**
     * Bytes of the message.
     *
     * @return the frame length less the header's.
     */
    public int length() {
        return FrameDescriptor.frameLengthOf(lengthWord) - FrameDescriptor.HEADER_LENGTH;
    }

    /**
     * The frame's length word, read once and checked.
     *
     * @return frame length, type and flags.
     */
    public long lengthWord() {
        return lengthWord;
    }

    /** {@return the position of the frame} */
    long position() {
        return endPosition - FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(lengthWord));
    }

    /**
     * The position behind the message.
     *
     * @return bytes from the beginning of the stream.
     */
    public long endPosition() {
        return endPosition;
    }

    /**
     * The value that the publisher gave beside the message, read once.
     *
     * @return its reserved value, 0 when it gave none; so when the frame has a stamp in that place.
     */
    public long reservedValue() {
        return isStamped() ? 0 : reservedValue;
    }

    /** {@return whether the publisher has stamped the message} */
    public boolean isStamped() {
        return FrameDescriptor.isStamped(lengthWord);
    }

    /**
     * The publisher's stamp, read once.
     *
     * @return whatever stands there, by the clock of {@link FrameReader#stamps()}; of a message {@link #isStamped()}.
     */
    public long stampNs() {
        return reservedValue;
    }

    /**
     * The time when the poller took the message up: one reading of the clock for a batch.
     *
     * @return nanoseconds since 1970, or {@link #NO_TIMESTAMP}.
     */
    public long receiveTimestampNs() {
        return receiveTimestampNs;
    }

    /** {@return the time of its offer, by this host's monotonic clock; or {@link #NOT_STAMPED}} */
    long offeredNs() {
        return offeredNs(view, lengthWord, reservedValue);
    }

    /** {@return the time of the offer of a view's message, by this host's monotonic clock; or {@link #NOT_STAMPED}} */
    static long offeredNs(final MessageView view, final long lengthWord, final long reservedValue) {
        return FrameDescriptor.isStamped(lengthWord)
            ? reservedValue - view.stampDistanceNs() : NOT_STAMPED;
    }

    /**
     * The block length of an SBE message, read once.
     *
     * @return 0 to 65535 bytes, or {@link #NO_MESSAGE_HEADER}.
     */
    public int blockLength() {
        return field(0);
    }

    /**
     * The template id of an SBE message, read once.
     *
     * @return 0 to 65535, or {@link #NO_MESSAGE_HEADER}.
     */
    public int templateId() {
        return field(TEMPLATE_ID_SHIFT);
    }

    /**
     * The schema id of an SBE message, read once.
     *
     * @return 0 to 65535, or {@link #NO_MESSAGE_HEADER}.
     */
    public int schemaId() {
        return field(SCHEMA_ID_SHIFT);
    }

    /**
     * The schema version of an SBE message, read once.
     *
     * @return 0 to 65535, or {@link #NO_MESSAGE_HEADER}.
     */
    public int version() {
        return field(VERSION_SHIFT);
    }
}

package io.sluice.transport;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.receive.EventSlot;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The header of a message: where it comes from, and where it stands in its stream. Valid on the thread that handles the
 * message, until the handler returns.
 */
public final class Header {
    /**
     * {@link #receiveTimestampNs()}: the subscription has no poller, or did not ask for timestamps; {@link
     * #offerTimestampNs()}: the publication does not stamp its messages.
     */
    public static final long NO_TIMESTAMP = EventSlot.NO_TIMESTAMP;

    private Image image;
    private long position;
    private long lengthWord;
    private UnsafeBuffer ring;
    private int frameOffset;
    private long receiveTimestampNs = NO_TIMESTAMP;

    Header(final Image image) {
        this.image = image;
    }

    void wrap(final UnsafeBuffer newRing, final int newFrameOffset, final long newLengthWord, final long endPosition) {
        if (ring != newRing) {
            // rarely: a reference store costs the garbage collector's barrier
            ring = newRing;
        }
        frameOffset = newFrameOffset;
        lengthWord = newLengthWord;
        position = endPosition;
    }

    void wrap(final EventSlot event) {
        wrap(event.ring(), event.frameOffset(), event.lengthWord(), event.endPosition());
        receiveTimestampNs = event.receiveTimestampNs();
    }

    void wrap(final Image newImage, final EventSlot event) {
        if (image != newImage) {
            image = newImage;
        }
        wrap(event);
    }

    /**
     * The position behind the message, as {@code offer} returned it to the publisher.
     *
     * @return bytes from the beginning of the stream.
     */
    public long position() {
        return position;
    }

    /**
     * The session of the publication.
     *
     * @return the session id.
     */
    public int sessionId() {
        return image.sessionId();
    }

    /**
     * The stream id of the publication.
     *
     * @return the stream id.
     */
    public int streamId() {
        return image.subscription().streamId();
    }

    /**
     * Flags of the frame.
     *
     * @return 8 bits: 1 of a message with an {@link #offerTimestampNs()}, else 0.
     */
    public byte flags() {
        return (byte) FrameDescriptor.flagsOf(lengthWord);
    }

    /**
     * The value that the publisher gave to the message beside its payload.
     *
     * @return 64 bits, 0 when it gave none; so of all messages with an {@link #offerTimestampNs()}, which takes its
     *         place.
     */
    public long reservedValue() {
        return FrameDescriptor.isStamped(lengthWord) ? 0 : reservedWord();
    }

    private long reservedWord() {
        return ring.getLong(frameOffset + FrameDescriptor.RESERVED_VALUE_OFFSET);
    }

    /**
     * The time when the message was offered, or its claim committed, of a publication with {@code timestamps=true}: by
     * the publisher's clock, which does not go backwards. Processes of one host have that clock in common; across
     * hosts it is as near to this host's time as the two clocks are. Steps of the wall clock after the launch are not
     * followed.
     *
     * @return nanoseconds since 1970, as the peer says; else {@link #NO_TIMESTAMP}.
     */
    public long offerTimestampNs() {
        return FrameDescriptor.isStamped(lengthWord) ? image.epochNs(reservedWord()) : NO_TIMESTAMP;
    }

    /**
     * The time when the poller took the message up, of a subscription with {@code
     * mode=dedicated|receive-timestamps=true}.
     *
     * @return nanoseconds since 1970, one reading of the clock for a batch; else {@link #NO_TIMESTAMP}.
     */
    public long receiveTimestampNs() {
        return receiveTimestampNs;
    }

    /**
     * The image that the message was read from.
     *
     * @return the image.
     */
    public Image image() {
        return image;
    }

    @Override
    public String toString() {
        return "Header{sessionId=" + sessionId() + " streamId=" + streamId() + " position=" + position
            + " receiveTimestampNs=" + receiveTimestampNs + "}";
    }
}

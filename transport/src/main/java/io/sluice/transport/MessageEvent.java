package io.sluice.transport;

import com.lmax.disruptor.RingBuffer;
import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.receive.EventSlot;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message on its way over the ring, as one consumer sees it. Valid on the consumer's thread until {@link
 * MessageEventHandler#onEvent} returns or {@link #release()} was called; nothing of it may be kept.
 */
public final class MessageEvent {
    /** {@link #templateId()}, {@link #schemaId()}, {@link #version()}: too short for an SBE message header. */
    public static final int NO_MESSAGE_HEADER = EventSlot.NO_MESSAGE_HEADER;

    /**
     * {@link #receiveTimestampNs()}: the subscription did not ask for timestamps; {@link #offerTimestampNs()}: the
     * publication does not stamp its messages.
     */
    public static final long NO_TIMESTAMP = EventSlot.NO_TIMESTAMP;

    private static final int NO_MEMORY = 0;

    private final Holder holder;
    private final UnsafeBuffer message = new UnsafeBuffer(NO_MEMORY, 0);
    private final Header header = new Header(null);
    private final RingBuffer<EventSlot> ring;
    /** The slot where the consumer holds its event; null when it stays on the ring. */
    private final EventSlot heldSlot;
    private long sequence;
    private boolean isHeld;

    /** The consumer that an event is shown to, as far as events ask it for something. */
    interface Holder {
        /** See {@link EventConsumer#releaseEarly}. */
        void releaseEarly(long sequence);

        /** {@return the sequence of the last message on the ring} */
        long published();
    }

    MessageEvent(final Holder holder, final RingBuffer<EventSlot> ring, final EventSlot heldSlot) {
        this.holder = holder;
        this.ring = ring;
        this.heldSlot = heldSlot;
    }

    void wrap(final EventSlot newSlot, final long newSequence) {
        sequence = newSequence;
        isHeld = true;
        message.wrap(
            newSlot.ring().addressOffset() + newSlot.frameOffset() + FrameDescriptor.HEADER_LENGTH, newSlot.length());
    }

    void unwrap() {
        isHeld = false;
        message.wrap(NO_MEMORY, 0);
    }

    /**
     * Looks the slot up, and does not keep it: a reference stored for each message marks a card of the garbage
     * collector, and consumers whose objects lie near each other would take that line from one another.
     */
    private EventSlot slot() {
        if (!isHeld) {
            throw new IllegalStateException(
                "the event is not held any more: it is valid inside its handler, until released: sequence=" + sequence);
        }
        return heldSlot == null ? ring.get(sequence) : heldSlot;
    }

    /**
     * Be done with this message and all before it now, and not at the end of the batch: consumers that depend on this
     * one may go on, and the publisher gets the bytes back. Afterwards the event must not be touched.
     *
     * @throws IllegalStateException when it was released before, or its handler has returned.
     */
    public void release() {
        if (!isHeld) {
            throw new IllegalStateException(
                "the event is not held any more: release it once, inside its handler: sequence=" + sequence);
        }
        unwrap();
        holder.releaseEarly(sequence);
    }

    /** {@return the image that the message was read from} */
    public Image image() {
        return ImageView.of(slot()).image();
    }

    /** {@return the message, at {@link #offset()}; its capacity is bounded to it} */
    public DirectBuffer buffer() {
        return message;
    }

    /** {@return the offset where the message begins in {@link #buffer()}} */
    public int offset() {
        return 0;
    }

    /** {@return bytes of the message} */
    public int length() {
        return slot().length();
    }

    /** {@return the header that a {@link FragmentHandler} gets beside the message, valid as long as the event} */
    public Header header() {
        header.wrap(image(), slot());
        return header;
    }

    int blockLength() {
        return slot().blockLength();
    }

    /** {@return the SBE template id, or {@link #NO_MESSAGE_HEADER}; whatever stands there when it is not SBE} */
    public int templateId() {
        return slot().templateId();
    }

    /** {@return the SBE schema id, or {@link #NO_MESSAGE_HEADER}; whatever stands there when it is not SBE} */
    public int schemaId() {
        return slot().schemaId();
    }

    /** {@return the SBE schema version, or {@link #NO_MESSAGE_HEADER}; whatever stands there when it is not SBE} */
    public int version() {
        return slot().version();
    }

    /** {@return the position behind the message, as {@code offer} returned it to the publisher} */
    public long position() {
        return slot().endPosition();
    }

    /**
     * The value that the publisher gave to the message beside its payload.
     *
     * @return 64 bits, 0 when it gave none; so of all messages with an {@link #offerTimestampNs()}, which takes its
     *         place.
     */
    public long reservedValue() {
        return slot().reservedValue();
    }

    /**
     * The time when the message was offered, of a publication with {@code timestamps=true}: see {@link
     * Header#offerTimestampNs()}.
     *
     * @return nanoseconds since 1970, as the peer says; else {@link #NO_TIMESTAMP}.
     */
    public long offerTimestampNs() {
        final EventSlot slot = slot();
        return slot.isStamped() ? ImageView.of(slot).epochNs(slot.stampNs()) : NO_TIMESTAMP;
    }

    /**
     * The time when the poller took the message up, of a subscription with {@code receive-timestamps=true}: by the wall
     * clock, whose steps it follows. {@link #offerTimestampNs()} does not, so that the two do not tell how long the
     * message was on its way; {@code latency=true} does.
     *
     * @return nanoseconds since 1970, one reading of the clock for a batch; else {@link #NO_TIMESTAMP}.
     */
    public long receiveTimestampNs() {
        return slot().receiveTimestampNs();
    }

    /** {@return flags of the frame, 8 bits: 1 of a message with an {@link #offerTimestampNs()}, else 0} */
    public int flags() {
        return FrameDescriptor.flagsOf(slot().lengthWord());
    }

    /** {@return messages on the ring behind this one} */
    public long queueDepth() {
        return holder.published() - sequence;
    }

    @Override
    public String toString() {
        return "MessageEvent{sequence=" + sequence + (isHeld ? " sessionId=" + image().sessionId()
            + " position=" + position() + " length=" + length() + " schemaId=" + schemaId()
            + " templateId=" + templateId() + " version=" + version() : " released") + "}";
    }
}

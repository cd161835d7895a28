package io.sluice.transport.receive;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message on the ring between a poller and its consumers: where its checked frame lies, not its bytes. The poller
 * writes it before it publishes; consumers read it until their sequence has passed it, and keep nothing of it.
 */
public final class MessageEvent {
    private InboundLink link;
    private UnsafeBuffer ring;
    private int frameOffset;
    private long lengthWord;
    private long endPosition;

    MessageEvent() {
    }

    void set(final InboundLink newLink, final long framePosition, final long newLengthWord, final long newEndPosition) {
        link = newLink;
        ring = newLink.ring();
        frameOffset = newLink.offset(framePosition);
        lengthWord = newLengthWord;
        endPosition = newEndPosition;
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
     * The memory that the frame lies in.
     *
     * @return the receive ring at the time of the message.
     */
    public UnsafeBuffer ring() {
        return ring;
    }

    /**
     * Where the frame begins.
     *
     * @return offset in {@link #ring()} in bytes.
     */
    public int frameOffset() {
        return frameOffset;
    }

    /**
     * The frame's length word, read once and checked.
     *
     * @return frame length, type and flags.
     */
    public long lengthWord() {
        return lengthWord;
    }

    /**
     * The position behind the message.
     *
     * @return bytes from the beginning of the stream.
     */
    public long endPosition() {
        return endPosition;
    }
}

package io.sluice.transport;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Room claimed in a stream, to be filled in place. Reusable; belongs to the writing thread, and each thread that writes
 * to a shared publication has its own. Its buffer is valid between {@link Publication#tryClaim} and {@link #commit()}
 * or {@link #abort()} only.
 */
public final class BufferClaim {
    private static final int NO_MEMORY = 0;

    private final UnsafeBuffer buffer = new UnsafeBuffer(NO_MEMORY, 0);
    private Publication publication;
    private long position;
    private int length;
    private long reservedValue;

    /** Creates an object that holds no claim yet. */
    public BufferClaim() {
    }

    void wrap(
        final Publication newPublication,
        final long newPosition,
        final UnsafeBuffer memory,
        final int offset,
        final int newLength) {
        publication = newPublication;
        position = newPosition;
        length = newLength;
        reservedValue = 0L;
        buffer.wrap(memory, offset, newLength);
    }

    /**
     * Throws when a claim is open here, neither committed nor aborted: nothing else could end a claim that is
     * forgotten.
     */
    void checkNotOpen() {
        if (publication != null) {
            throw new IllegalStateException("this BufferClaim is open: commit or abort it first: streamId="
                + publication.streamId() + " position=" + position + " length=" + length);
        }
    }

    /**
     * The buffer to write the message into.
     *
     * @return a buffer whose capacity is the claimed length.
     */
    public MutableDirectBuffer buffer() {
        return buffer;
    }

    /**
     * The offset in {@link #buffer()} at which the message begins.
     *
     * @return 0: the buffer is bounded to the message.
     */
    public int offset() {
        return 0;
    }

    /**
     * The length that was claimed.
     *
     * @return bytes.
     */
    public int length() {
        return publication == null ? 0 : length;
    }

    /**
     * Copy bytes to the beginning of the message.
     *
     * @param source that holds them.
     * @param sourceIndex where they begin.
     * @param sourceLength in bytes, at most {@link #length()}.
     * @return this.
     * @throws IndexOutOfBoundsException when they are more, or the source has less; nothing is written then.
     */
    public BufferClaim putBytes(final DirectBuffer source, final int sourceIndex, final int sourceLength) {
        // also without checks of Agrona: bytes would go to what lies behind or, unclaimed, to no memory at all
        buffer.boundsCheck(0, sourceLength);
        source.boundsCheck(sourceIndex, sourceLength);
        buffer.putBytes(0, source, sourceIndex, sourceLength);
        return this;
    }

    /**
     * The value that goes beside the message.
     *
     * @return 64 bits, 0 unless it was set since the claim.
     */
    public long reservedValue() {
        return reservedValue;
    }

    /**
     * Set the value that goes beside the message.
     *
     * @param value for {@link Header#reservedValue()}.
     * @return this.
     * @throws IllegalArgumentException when the publication has {@code timestamps=true}, and the value is not 0: the
     *                                  claim stays open, to be committed or aborted.
     */
    public BufferClaim reservedValue(final long value) {
        if (publication != null) {
            publication.checkReservedValue(value);
        }
        reservedValue = value;
        return this;
    }

    /**
     * Send the message.
     *
     * @throws IllegalStateException when nothing is claimed, or the publication was closed meanwhile (of a shared one
     *                               the last handle), or the claim was given up because others had to wait too long for
     *                               it: the message was not sent.
     */
    public void commit() {
        release().commit(position, length, reservedValue);
    }

    /**
     * Give the room up: subscribers skip it.
     *
     * @throws IllegalStateException when nothing is claimed.
     */
    public void abort() {
        release().abort(position, length);
    }

    private Publication release() {
        final Publication claimed = publication;
        if (claimed == null) {
            throw new IllegalStateException("nothing is claimed: tryClaim first, and commit or abort once");
        }
        publication = null;
        buffer.wrap(NO_MEMORY, 0);
        return claimed;
    }

    /** {@return the room that is claimed} The writing thread. */
    @Override
    public String toString() {
        return publication == null ? "BufferClaim{}"
            : "BufferClaim{sessionId=" + publication.sessionId() + " streamId=" + publication.streamId()
                + " position=" + position + " length=" + length + " reservedValue=" + reservedValue + "}";
    }
}

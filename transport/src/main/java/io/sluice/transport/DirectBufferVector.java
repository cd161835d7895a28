package io.sluice.transport;

import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * A part of a message that is gathered from several buffers: {@link Publication#offer(DirectBufferVector[])}. Reusable;
 * belongs to one thread at a time.
 */
public final class DirectBufferVector {
    private DirectBuffer buffer;
    private int offset;
    private int length;

    /** Creates a part that has no buffer yet. */
    public DirectBufferVector() {
    }

    /**
     * Creates a part; its range is looked at when it is offered, or by {@link #validate()}.
     *
     * @param buffer that holds it.
     * @param offset where it begins.
     * @param length in bytes.
     */
    public DirectBufferVector(final DirectBuffer buffer, final int offset, final int length) {
        reset(buffer, offset, length);
    }

    /**
     * Sets all three.
     *
     * @param newBuffer that holds the part.
     * @param newOffset where it begins.
     * @param newLength in bytes.
     * @return this.
     */
    public DirectBufferVector reset(final DirectBuffer newBuffer, final int newOffset, final int newLength) {
        buffer = newBuffer;
        offset = newOffset;
        length = newLength;
        return this;
    }

    /**
     * The buffer that holds the part.
     *
     * @return the buffer, or null.
     */
    public DirectBuffer buffer() {
        return buffer;
    }

    /**
     * Sets the buffer.
     *
     * @param newBuffer that holds the part.
     * @return this.
     */
    public DirectBufferVector buffer(final DirectBuffer newBuffer) {
        buffer = newBuffer;
        return this;
    }

    /**
     * The place where the part begins.
     *
     * @return an offset in the buffer.
     */
    public int offset() {
        return offset;
    }

    /**
     * Sets the place where the part begins.
     *
     * @param newOffset in the buffer.
     * @return this.
     */
    public DirectBufferVector offset(final int newOffset) {
        offset = newOffset;
        return this;
    }

    /**
     * The length of the part.
     *
     * @return bytes.
     */
    public int length() {
        return length;
    }

    /**
     * Sets the length of the part.
     *
     * @param newLength in bytes.
     * @return this.
     */
    public DirectBufferVector length(final int newLength) {
        length = newLength;
        return this;
    }

    /**
     * Looks whether the buffer has the part.
     *
     * @return this.
     * @throws NullPointerException     when there is no buffer.
     * @throws IllegalArgumentException when the range is outside it.
     */
    public DirectBufferVector validate() {
        final int capacity = Objects.requireNonNull(buffer, "buffer").capacity();
        if (offset < 0 || length < 0 || offset > capacity - length) {
            throw new IllegalArgumentException("a vector is outside its buffer: offset=" + offset + " length=" + length
                + " capacity=" + capacity);
        }
        return this;
    }

    /**
     * The length of a message that is gathered, when each of its parts is there.
     *
     * @param vectors parts of the message.
     * @return the sum of their lengths.
     * @throws NullPointerException     when a part or its buffer is null.
     * @throws IllegalArgumentException when a part is outside its buffer, or the sum is no {@code int}.
     */
    public static int validateAndComputeLength(final DirectBufferVector[] vectors) {
        long sum = 0;
        for (final DirectBufferVector vector : vectors) {
            sum += vector.validate().length;
        }
        if (sum > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("too long: length=" + sum + " max=" + Integer.MAX_VALUE);
        }
        return (int) sum;
    }

    @Override
    public String toString() {
        return "DirectBufferVector{offset=" + offset + " length=" + length + " buffer=" + buffer + "}";
    }
}

package io.sluice.transport;

import io.sluice.codec.FrameDescriptor;
import org.agrona.DirectBuffer;

/**
 * Computes the value that goes beside a message, from the message as it lies in the stream: a checksum, or the time. It
 * runs inside the offer, on its thread, and the message is sent when it has returned.
 */
@FunctionalInterface
public interface ReservedValueSupplier {
    /** Bytes of a frame before its message: here, not in Aeron's {@code DataHeaderFlyweight}, which has more. */
    int HEADER_LENGTH = FrameDescriptor.HEADER_LENGTH;

    /**
     * The value for {@link Header#reservedValue()}. When it throws, the message is not sent, and the offer throws that.
     *
     * @param termBuffer  the publication's log, for reading: valid until this returns. Of the frame's header nothing
     *                    may be read.
     * @param termOffset  where the frame begins there; the message follows {@link #HEADER_LENGTH} bytes later.
     * @param frameLength of the message and {@link #HEADER_LENGTH}.
     * @return any 64 bits.
     */
    long get(DirectBuffer termBuffer, int termOffset, int frameLength);
}

package io.sluice.transport.harness;

import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of the load: random content, and before it, where the message is long enough, who sent it and its
 * checksum.
 * <pre>
 *   0  publication id | 4  stream id | 8  sequence | 12  length | 16  CRC-32C of the content | 20  zero | 24  content
 * </pre>
 * The sequence travels beside the message too, as its reserved value, so that the shortest messages are told apart.
 * One thread.
 */
final class Payload {
    static final int HEADER_LENGTH = 24;
    /** The mark of a message that contradicts itself, in a subscriber's journal. */
    static final int BAD_SEQUENCE = -2;

    private static final int POOL_LENGTH = 1 << 18;

    private final int publicationId;
    private final int streamId;
    private final SplittableRandom random;
    private final byte[] pool;
    private final UnsafeBuffer poolBuffer;
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[HEADER_LENGTH]);
    private final UnsafeBuffer message;
    private final CRC32C crc = new CRC32C();
    private int length;
    private int contentOffset;
    private int checksum;

    Payload(final int publicationId, final int streamId, final SplittableRandom random, final int maxLength) {
        this.publicationId = publicationId;
        this.streamId = streamId;
        this.random = random;
        pool = new byte[POOL_LENGTH + maxLength];
        random.nextBytes(pool);
        poolBuffer = new UnsafeBuffer(pool);
        message = new UnsafeBuffer(new byte[maxLength]);
    }

    /** Make up the next message. */
    void next(final int sequence, final int newLength) {
        length = newLength;
        contentOffset = random.nextInt(POOL_LENGTH);
        crc.reset();
        crc.update(pool, contentOffset, hasHeader() ? length - HEADER_LENGTH : length);
        checksum = (int) crc.getValue();
        header.putInt(0, publicationId);
        header.putInt(4, streamId);
        header.putInt(8, sequence);
        header.putInt(12, length);
        header.putInt(16, checksum);
    }

    boolean hasHeader() {
        return length >= HEADER_LENGTH;
    }

    int length() {
        return length;
    }

    int checksum() {
        return checksum;
    }

    void copyTo(final MutableDirectBuffer target) {
        if (hasHeader()) {
            target.putBytes(0, header, 0, HEADER_LENGTH);
            target.putBytes(HEADER_LENGTH, pool, contentOffset, length - HEADER_LENGTH);
        } else {
            target.putBytes(0, pool, contentOffset, length);
        }
    }

    /** The whole message in one buffer, from 0 to {@link #length()}. */
    UnsafeBuffer contiguous() {
        copyTo(message);
        return message;
    }

    UnsafeBuffer header() {
        return header;
    }

    UnsafeBuffer content() {
        return poolBuffer;
    }

    int contentOffset() {
        return contentOffset;
    }

    /** Reads messages back: everything is computed again from the bytes. One thread. */
    static final class Check {
        private final int streamId;
        private final CRC32C crc = new CRC32C();
        private byte[] copy = new byte[1024];
        private int publicationId;
        private int sequence;
        private int checksum;

        Check(final int streamId) {
            this.streamId = streamId;
        }

        void read(final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
            if (copy.length < length) {
                copy = new byte[length];
            }
            buffer.getBytes(offset, copy, 0, length);
            final boolean hasHeader = length >= HEADER_LENGTH;
            final int begin = hasHeader ? HEADER_LENGTH : 0;
            crc.reset();
            crc.update(copy, begin, length - begin);
            checksum = (int) crc.getValue();
            publicationId = JournalWriter.UNKNOWN_ID;
            sequence = (int) reservedValue;
            if (hasHeader) {
                readHeader(buffer, offset, length, reservedValue);
            }
        }

        private void readHeader(
            final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
            publicationId = buffer.getInt(offset);
            sequence = buffer.getInt(offset + 8);
            if (buffer.getInt(offset + 4) != streamId || buffer.getInt(offset + 12) != length
                || buffer.getInt(offset + 16) != checksum || reservedValue != 0 && reservedValue != sequence) {
                sequence = BAD_SEQUENCE;
            }
        }

        int publicationId() {
            return publicationId;
        }

        int sequence() {
            return sequence;
        }

        void reject() {
            sequence = BAD_SEQUENCE;
        }

        int checksum() {
            return checksum;
        }
    }
}

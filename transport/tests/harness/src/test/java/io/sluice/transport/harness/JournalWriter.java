package io.sluice.transport.harness;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes a journal: one file for each publication at the publisher, and for each image at the subscriber. The file is
 * mapped, so that what was stored before a kill -9 stays. One thread writes.
 * <pre>
 *   0  publication id 4 | stream id 4 | first position 8 | session id 4 | zero 4      file header
 *  24  sequence 4 | length + 1 4 | position / 32 4 | checksum 4      one record for each message
 * </pre>
 * A record counts when its length word is not 0. The publisher writes it before it offers and adds the position that
 * the offer returned: a record without a position may or may not have been sent.
 */
public final class JournalWriter implements AutoCloseable {
    static final int HEADER_LENGTH = 24;
    static final int RECORD_LENGTH = 16;
    static final int POSITION_SHIFT = 5;
    static final int UNKNOWN_ID = -1;

    private static final int SEGMENT_LENGTH = 1 << 22;
    private static final VarHandle LONG =
        MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final FileChannel channel;
    private final ByteBuffer header;
    private ByteBuffer segment;
    private long segmentIndex;
    private long nextRecord;

    public JournalWriter(final Path file, final int publicationId, final int streamId, final long firstPosition) {
        try {
            channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
            header = channel.map(MapMode.READ_WRITE, 0, HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
            header.putInt(4, streamId).putLong(8, firstPosition).putInt(0, publicationId);
            segment = map(0);
        } catch (final IOException ex) {
            throw new AssertionError("cannot write journal " + file, ex);
        }
    }

    private ByteBuffer map(final long index) throws IOException {
        return channel.map(MapMode.READ_WRITE, HEADER_LENGTH + index * SEGMENT_LENGTH, SEGMENT_LENGTH);
    }

    /** Sets the session that the messages are of; 0 when it was never told. */
    JournalWriter sessionId(final int id) {
        header.putInt(16, id);
        return this;
    }

    /** The publication behind an image is known only from its first message that carries an id. */
    void publicationId(final int id) {
        header.putInt(0, id);
    }

    /** Write a record without a position: it is about to be offered. */
    void begin(final int sequence, final int length, final int checksum) {
        write(sequence, length, checksum, 0);
    }

    /** Add the position of the record that was begun. */
    void end(final int checksum, final long position) {
        LONG.setRelease(segment, offset(nextRecord - 1) + 8, second(checksum, position));
    }

    /** Take the record that was begun back: it was not sent. */
    void withdraw() {
        nextRecord--;
        LONG.setRelease(segment, offset(nextRecord), 0L);
    }

    /** Write a whole record. */
    void write(final int sequence, final int length, final int checksum, final long position) {
        final long record = nextRecord++;
        advance(record);
        final int offset = offset(record);
        LONG.setRelease(segment, offset + 8, second(checksum, position));
        LONG.setRelease(segment, offset, (long) (length + 1) << 32 | sequence & 0xFFFF_FFFFL);
    }

    /** Advances by one; a withdrawn first record of a segment stays in that segment. */
    private void advance(final long record) {
        final long index = record * RECORD_LENGTH / SEGMENT_LENGTH;
        if (index != segmentIndex) {
            try {
                segment = map(index);
                segmentIndex = index;
            } catch (final IOException ex) {
                throw new AssertionError("cannot extend a journal", ex);
            }
        }
    }

    private static long second(final int checksum, final long position) {
        return (long) checksum << 32 | position >>> POSITION_SHIFT & 0xFFFF_FFFFL;
    }

    private static int offset(final long record) {
        return (int) (record * RECORD_LENGTH % SEGMENT_LENGTH);
    }

    long records() {
        return nextRecord;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }
}

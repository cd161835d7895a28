package io.sluice.perf.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The floor under every system here: one slot of mapped memory per direction, whose sequence lies in the message's own
 * cache line. It knows no queue, no flow control and no failure; it is right only while each side waits for the other.
 */
final class CacheLinePeer implements Peer {
    private static final int SEQUENCE_OFFSET = 0;
    private static final int LENGTH_OFFSET = 8;
    private static final int MESSAGE_OFFSET = 16;
    /**
     * The offset where the sender reports, as the receiver does at the next one, away from the slot: adjacent lines are
     * fetched in pairs.
     */
    private static final int SENDER_OFFSET = 1024;
    private static final int RECEIVER_OFFSET = 2048;
    private static final int SLOT_OFFSET = 4096;

    private Path folder;
    private int messageLength;

    @Override
    public void launch(final Path newFolder, final boolean host, final int newMessageLength) {
        folder = newFolder;
        messageLength = newMessageLength;
    }

    private UnsafeBuffer map(final int streamId, final int presenceOffset) {
        final int length = SLOT_OFFSET + BitUtil.align(MESSAGE_OFFSET + messageLength, SLOT_OFFSET);
        try (FileChannel file = FileChannel.open(folder.resolve("slot-" + streamId),
            StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            final UnsafeBuffer buffer = new UnsafeBuffer(file.map(MapMode.READ_WRITE, 0, length));
            buffer.putIntVolatile(presenceOffset, 1);
            return buffer;
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot map a slot: folder=" + folder, ex);
        }
    }

    @Override
    public Sender addSender(final int streamId) {
        final UnsafeBuffer buffer = map(streamId, SENDER_OFFSET);
        final UnsafeBuffer slot = new UnsafeBuffer(buffer, SLOT_OFFSET, buffer.capacity() - SLOT_OFFSET);
        return new Sender() {
            private long sequence;

            @Override
            public boolean isConnected() {
                return buffer.getIntVolatile(RECEIVER_OFFSET) != 0;
            }

            @Override
            public boolean offer(final DirectBuffer message, final int offset, final int length) {
                slot.putInt(LENGTH_OFFSET, length);
                slot.putBytes(MESSAGE_OFFSET, message, offset, length);
                slot.putLongRelease(SEQUENCE_OFFSET, ++sequence);
                return true;
            }
        };
    }

    @Override
    public Receiver addReceiver(final int streamId, final MessageListener listener, final int messageLimit) {
        final UnsafeBuffer buffer = map(streamId, RECEIVER_OFFSET);
        final UnsafeBuffer slot = new UnsafeBuffer(buffer, SLOT_OFFSET, buffer.capacity() - SLOT_OFFSET);
        return new Receiver() {
            private long sequence;

            @Override
            public boolean isConnected() {
                return buffer.getIntVolatile(SENDER_OFFSET) != 0;
            }

            @Override
            public int poll() {
                final long arrived = slot.getLongAcquire(SEQUENCE_OFFSET);
                if (arrived == sequence) {
                    return 0;
                }
                sequence = arrived;
                listener.onMessage(slot, MESSAGE_OFFSET, slot.getInt(LENGTH_OFFSET));
                return 1;
            }
        };
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("log", "one slot per direction in a mapped file, its sequence in the message's first cache line");
    }

    @Override
    public void close() {
        // mappings end with the process
    }
}

package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages from one end of a link to a ring in the other's region. Each message lies in a slot of its own, begins with
 * its length, sequence and checksum, and is told by its sequence as immediate data; the receiver recomputes all that.
 */
final class Traffic {
    static final int SLOT_LENGTH = 2048;
    private static final int HEADER_LENGTH = 16;

    final Endpoint from;
    final Endpoint to;
    final int slots;
    private final AtomicLong received = new AtomicLong();
    private final UnsafeBuffer source;
    private final CRC32C sendChecksum = new CRC32C();
    private final CRC32C receiveChecksum = new CRC32C();
    private final byte[] sendBytes = new byte[SLOT_LENGTH];
    private final byte[] receiveBytes = new byte[SLOT_LENGTH];
    private final int seed;
    private long sent;

    Traffic(final Endpoint from, final Endpoint to, final int slots, final int seed) {
        this.from = from;
        this.to = to;
        this.slots = slots;
        this.seed = seed;
        source = from.buffer;
        assertTrue((long) slots * SLOT_LENGTH <= from.region.length());
        assertTrue(slots <= from.queuePair.attributes().maxSendWork() / 2);
    }

    static EndpointOptions options(final int slots) {
        return new EndpointOptions().sendWork(2 * slots).receiveWork(slots).regionLength(slots * SLOT_LENGTH);
    }

    long sent() {
        return sent;
    }

    long received() {
        return received.get();
    }

    /** Sender: whether the receiver has room for another one. */
    boolean canSend() {
        return sent - received.get() < slots;
    }

    /** Sender: send the next message; every half of the slots is signalled and must be polled by the caller. */
    boolean send() {
        final int sequence = (int) sent;
        final int length = HEADER_LENGTH + Math.floorMod(sequence * 0x9e37_79b9 + seed * 31, SLOT_LENGTH - 100);
        final int offset = (int) (sent % slots) * SLOT_LENGTH;
        for (int i = HEADER_LENGTH; i < length; i++) {
            sendBytes[i] = (byte) (sequence + i * seed);
        }
        source.putBytes(offset, sendBytes, 0, length);
        source.putInt(offset, length);
        source.putInt(offset + 4, sequence);
        sendChecksum.reset();
        sendChecksum.update(sendBytes, HEADER_LENGTH, length - HEADER_LENGTH);
        source.putLong(offset + 8, sendChecksum.getValue());
        final boolean isSignalled = sent % Math.max(1, slots / 2) == 0;
        final int flags = isSignalled ? WorkFlags.SIGNALED : WorkFlags.NONE;
        assertEquals(Errno.OK, from.writeImmediate(sent, flags, offset, length, to, sequence), "sent=" + sent);
        sent++;
        return isSignalled;
    }

    /** Receiver: the current completion is about this traffic. */
    void onCompletion(final CompletionQueue queue) {
        assertEquals(WorkStatus.SUCCESS, queue.status());
        final long index = received.get();
        assertEquals((int) index, queue.immediateData());
        final int offset = (int) (index % slots) * SLOT_LENGTH;
        final int length = to.buffer.getInt(offset);
        assertEquals(queue.byteLength(), length);
        assertEquals((int) index, to.buffer.getInt(offset + 4));
        to.buffer.getBytes(offset, receiveBytes, 0, length);
        receiveChecksum.reset();
        receiveChecksum.update(receiveBytes, HEADER_LENGTH, length - HEADER_LENGTH);
        assertEquals(receiveChecksum.getValue(), to.buffer.getLong(offset + 8), "seed=" + seed + " index=" + index);
        assertEquals(Errno.OK, to.queuePair.postReceives(seed, 1));
        received.set(index + 1);
    }
}

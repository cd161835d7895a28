package io.sluice.verbs.software;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The address that a peer must know to connect to a queue pair; travels as bytes and is not trusted.
 * <pre>
 *   magic 4 | version 1 | folder length 1 | folder | number 4 | nonce 8 | completion queue 4 | slot in it 4
 * </pre>
 *
 * @param folder          name of the owner's process folder.
 * @param number          of the queue pair.
 * @param nonce           of the queue pair.
 * @param completionQueue number of its receive completion queue.
 * @param slot            of the queue pair in that completion queue's ready bitmap.
 */
record QueuePairAddress(String folder, int number, long nonce, int completionQueue, int slot) {
    private static final int MAGIC = 0x5351_5041;
    private static final byte VERSION = 1;
    private static final int FIXED_LENGTH = 4 + 1 + 1 + 4 + 8 + 4 + 4;

    byte[] encode() {
        final byte[] name = folder.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(FIXED_LENGTH + name.length).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MAGIC).put(VERSION).put((byte) name.length).put(name)
            .putInt(number).putLong(nonce).putInt(completionQueue).putInt(slot)
            .array();
    }

    static QueuePairAddress decode(final String call, final byte[] bytes) {
        final ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length <= FIXED_LENGTH || bytes.length > SoftwareLimits.MAX_ADDRESS_LENGTH || in.getInt() != MAGIC) {
            throw malformed(call, "length=" + bytes.length);
        }
        final byte version = in.get();
        if (version != VERSION) {
            throw malformed(call, "version=" + version + ", expected " + VERSION);
        }
        final int nameLength = in.get() & 0xff;
        if (bytes.length != FIXED_LENGTH + nameLength) {
            throw malformed(call, "length=" + bytes.length);
        }
        final byte[] name = new byte[nameLength];
        in.get(name);
        final QueuePairAddress address = new QueuePairAddress(
            new String(name, StandardCharsets.US_ASCII), in.getInt(), in.getLong(), in.getInt(), in.getInt());
        if (!FabricNames.isFolder(address.folder)) {
            throw malformed(call, "it does not name a process folder");
        }
        if (address.number < 0 || address.number > SoftwareLimits.MAX_QUEUE_PAIR_NUMBER) {
            throw malformed(call, "number=" + address.number);
        }
        if (address.slot < 0 || address.slot >= SoftwareLimits.MAX_QUEUE_PAIRS_PER_COMPLETION_QUEUE) {
            throw malformed(call, "slot=" + address.slot);
        }
        return address;
    }

    private static VerbsException malformed(final String call, final String what) {
        return new VerbsException(call, Errno.EINVAL, "not a queue pair address of the software device: " + what);
    }
}

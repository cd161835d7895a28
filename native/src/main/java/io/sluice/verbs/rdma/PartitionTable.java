package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.SourceAddress;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The partition keys of a device's ports as they are at the moment of each question: on InfiniBand the subnet manager
 * sets them, and may move them. Any thread; for set-up only.
 */
final class PartitionTable {
    private static final ValueLayout.OfShort KEY = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    /** The bit of a key that tells a full member from a limited one; the rest of the key is its partition. */
    private static final int FULL_MEMBER = 0x8000;

    private final VerbsLibrary verbs;
    private final long context;
    private final String device;

    PartitionTable(final VerbsLibrary verbs, final long context, final String device) {
        this.verbs = verbs;
        this.context = context;
        this.device = device;
    }

    /**
     * An entry.
     *
     * @return 16 bits; 0 where none is set.
     * @throws VerbsException EINVAL when the table has no such index.
     */
    int key(final int port, final int index) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment key = arena.allocate(KEY);
            if (verbs.queryPkey.invoke(context, (byte) port, index, key).value() != 0) {
                throw new VerbsException("ibv_query_pkey", Errno.EINVAL,
                    "index=" + index + " is not in the table of partition keys of port " + port + " of device "
                        + device);
            }
            return Short.toUnsignedInt(key.get(KEY, 0));
        }
    }

    /** Finds the place in the port's table where a partition is now, with the same membership before the other one. */
    int find(final int port, final int key, final int count) {
        if (key == SourceAddress.FIRST_PARTITION) {
            return 0;
        }
        int other = -1;
        for (int i = 0; i < count; i++) {
            final int found = key(port, i);
            if (found == key) {
                return i;
            }
            if (other < 0 && (found | FULL_MEMBER) == (key | FULL_MEMBER)) {
                other = i;
            }
        }
        if (other < 0) {
            throw new VerbsException("ibv_query_pkey", Remedies.EADDRNOTAVAIL, "port " + port + " of device " + device
                + " is not in partition 0x" + Integer.toHexString(key) + " any more, which the connection came by:"
                + " ask the subnet manager");
        }
        return other;
    }
}

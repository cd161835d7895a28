package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import java.nio.ByteOrder;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The memory of the other side; librpma's examples 02-read-to-volatile, 04-write-to-persistent, 05-flush-to-persistent
 * (for visibility, since there is no persistent memory) and 07-atomic-write.
 */
class ReadWriteFlowTest extends RpmaDeviceTests {
    private static final int LENGTH = 1024;
    private static final int SEED = 3;
    /** Beyond what {@link WorkOpcode} has: {@code IBV_WC_FLUSH} and {@code IBV_WC_ATOMIC_WRITE}. */
    private static final int FLUSH_OPCODE = 8;
    private static final int ATOMIC_WRITE_OPCODE = 9;
    /** librpma reads and writes where the device or the library underneath cannot flush or write atomically. */
    private static final Set<Integer> FLUSH_OPCODES = Set.of(WorkOpcode.RDMA_READ, FLUSH_OPCODE);
    private static final Set<Integer> ATOMIC_WRITE_OPCODES = Set.of(WorkOpcode.RDMA_WRITE, ATOMIC_WRITE_OPCODE);

    private RpmaSide server;
    private RpmaSide client;

    /** The server has a region for one purpose, and tells the client of it by private data. */
    private void connect(final int serverUsages, final int clientUsages, final PollingWay way) {
        rig.endpoint();
        final SideOptions options = new SideOptions().usages(serverUsages);
        server = new RpmaSide(rig, rig.serverPeer, options);
        options.privateData(server.region.descriptor());
        client = new RpmaSide(rig, rig.clientPeer, new SideOptions().usages(clientUsages).way(way));
        client.connect(rig.clientPeer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION));
        server.connect(rig.awaitRequest(RpmaRig.CONFIGURATION));
        client.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        server.awaitEvent(RpmaConnectionEvent.ESTABLISHED);
        client.reach(client.connection.privateData());
    }

    private void read(final int length, final int offset, final long id) {
        assertEquals(RpmaError.OK, client.connection.read(
            client.region, RpmaSide.LOCAL + offset, client.remote, offset, length, RpmaCompletionFlags.ALWAYS, id));
    }

    private void write(final int length, final int offset, final int flags, final long id) {
        assertEquals(RpmaError.OK, client.connection.write(
            client.remote, offset, client.region, RpmaSide.LOCAL + offset, length, flags, id));
    }

    @ParameterizedTest
    @EnumSource(PollingWay.class)
    void shouldReadWhatTheOtherSideHas(final PollingWay way) {
        connect(RpmaUsage.READ_SOURCE, RpmaUsage.READ_DESTINATION, way);
        server.fill(0, LENGTH, SEED);

        read(LENGTH, 0, 7);

        final TakenCompletion completion = client.awaitSent();
        assertEquals(7, completion.workRequestId());
        assertEquals(WorkOpcode.RDMA_READ, completion.opcode());
        assertEquals(LENGTH, completion.byteLength());
        client.assertHolds(RpmaSide.LOCAL, LENGTH, SEED);
        assertEquals(0, client.buffer.getByte(RpmaSide.LOCAL + LENGTH), "beyond what was read");
        client.main.requireEmpty();
    }

    @Test
    void shouldReadPartsInTheOrderInWhichTheyArePosted() {
        connect(RpmaUsage.READ_SOURCE, RpmaUsage.READ_DESTINATION, PollingWay.SPIN_SEVERAL);
        server.fill(0, LENGTH, SEED);

        final int[] lengths = {1, 7, 64, 300, LENGTH - 372};
        int offset = 0;
        for (int i = 0; i < lengths.length; i++) {
            read(lengths[i], offset, i);
            offset += lengths[i];
        }

        for (int i = 0; i < lengths.length; i++) {
            final TakenCompletion completion = client.awaitSent();
            assertEquals(i, completion.workRequestId());
            assertEquals(lengths[i], completion.byteLength());
        }
        client.assertHolds(RpmaSide.LOCAL, LENGTH, SEED);
    }

    @Test
    void shouldTellWhatTheOtherSideHasRegistered() {
        connect(RpmaUsage.WRITE_DESTINATION | RpmaUsage.FLUSH_VISIBILITY, RpmaUsage.WRITE_SOURCE, PollingWay.SPIN_ONE);

        assertEquals(RpmaSide.REGION_LENGTH, client.remote.length());
        assertEquals(RpmaUsage.FLUSH_VISIBILITY, client.remote.flushUsages());
    }

    @ParameterizedTest
    @EnumSource(PollingWay.class)
    void shouldHaveWrittenBytesVisibleWhenTheyAreFlushed(final PollingWay way) {
        connect(RpmaUsage.WRITE_DESTINATION | RpmaUsage.FLUSH_VISIBILITY, RpmaUsage.WRITE_SOURCE, way);
        client.fill(RpmaSide.LOCAL, LENGTH, SEED);

        write(LENGTH, 0, RpmaCompletionFlags.ON_ERROR, 1);
        assertEquals(RpmaError.OK, client.connection.flush(
            client.remote, 0, LENGTH, RpmaFlushType.VISIBILITY, RpmaCompletionFlags.ALWAYS, 2));

        final TakenCompletion completion = client.awaitSent();
        assertEquals(2, completion.workRequestId(), "the write has succeeded, and so makes no completion");
        assertTrue(FLUSH_OPCODES.contains(completion.opcode()), completion::toString);
        server.assertHolds(0, LENGTH, SEED);
        assertEquals(0, server.buffer.getByte(LENGTH), "beyond what was written");
        client.main.requireEmpty();
        assertEquals(RpmaError.E_NO_COMPLETION, server.connection.completionQueue().await(0));
    }

    @Test
    void shouldCompleteEachWrite() {
        connect(RpmaUsage.WRITE_DESTINATION, RpmaUsage.WRITE_SOURCE, PollingWay.SPIN_BATCH);
        client.fill(RpmaSide.LOCAL, LENGTH, SEED);

        for (int i = 0; i < 8; i++) {
            write(LENGTH / 8, i * (LENGTH / 8), RpmaCompletionFlags.ALWAYS, i);
        }

        for (int i = 0; i < 8; i++) {
            final TakenCompletion completion = client.awaitSent();
            assertEquals(i, completion.workRequestId());
            assertEquals(WorkOpcode.RDMA_WRITE, completion.opcode());
        }
        server.assertHolds(0, LENGTH, SEED);
    }

    @Test
    void shouldWriteEightBytesAtOnceBehindAFlush() {
        connect(RpmaUsage.WRITE_DESTINATION | RpmaUsage.FLUSH_VISIBILITY, RpmaUsage.WRITE_SOURCE, PollingWay.SPIN_ONE);
        client.fill(RpmaSide.LOCAL, LENGTH, SEED);
        final long used = 0x0102_0304_0506_0708L;

        write(LENGTH, 0, RpmaCompletionFlags.ON_ERROR, 1);
        assertEquals(RpmaError.OK, client.connection.flush(
            client.remote, 0, LENGTH, RpmaFlushType.VISIBILITY, RpmaCompletionFlags.ON_ERROR, 2));
        assertEquals(RpmaError.OK,
            client.connection.atomicWrite(client.remote, LENGTH, used, RpmaCompletionFlags.ALWAYS, 3));
        assertEquals(RpmaError.OK, client.connection.flush(
            client.remote, LENGTH, Long.BYTES, RpmaFlushType.VISIBILITY, RpmaCompletionFlags.ALWAYS, 4));

        final TakenCompletion written = client.awaitSent();
        assertEquals(3, written.workRequestId());
        assertTrue(ATOMIC_WRITE_OPCODES.contains(written.opcode()), written::toString);
        assertEquals(4, client.awaitSent().workRequestId());
        server.assertHolds(0, LENGTH, SEED);
        assertEquals(used, server.buffer.getLong(LENGTH, ByteOrder.nativeOrder()));
        assertEquals(0, server.buffer.getLong(LENGTH + Long.BYTES));
    }

    @Test
    void shouldTakeTheBytesOfAnAtomicWriteAtTheCall() {
        connect(RpmaUsage.WRITE_DESTINATION | RpmaUsage.FLUSH_VISIBILITY, RpmaUsage.WRITE_SOURCE, PollingWay.SPIN_ONE);

        for (int i = 0; i < 8; i++) {
            assertEquals(RpmaError.OK, client.connection.atomicWrite(
                client.remote, i * Long.BYTES, i + 1L, RpmaCompletionFlags.ALWAYS, i));
        }

        for (int i = 0; i < 8; i++) {
            assertEquals(i, client.awaitSent().workRequestId());
        }
        assertEquals(RpmaError.OK, client.connection.flush(
            client.remote, 0, 8 * Long.BYTES, RpmaFlushType.VISIBILITY, RpmaCompletionFlags.ALWAYS, 8));
        assertEquals(8, client.awaitSent().workRequestId());
        for (int i = 0; i < 8; i++) {
            assertEquals(i + 1, server.buffer.getLong(i * Long.BYTES));
        }
    }

    @Test
    void shouldReadAndWriteNothing() {
        connect(RpmaUsage.WRITE_DESTINATION, RpmaUsage.WRITE_SOURCE, PollingWay.SPIN_ONE);

        assertEquals(RpmaError.OK, client.connection.read(null, 0, null, 0, 0, RpmaCompletionFlags.ALWAYS, 1));
        assertEquals(RpmaError.OK, client.connection.write(null, 0, null, 0, 0, RpmaCompletionFlags.ALWAYS, 2));

        assertEquals(WorkStatus.SUCCESS, client.awaitSent().status());
        assertEquals(2, client.awaitSent().workRequestId());
    }
}

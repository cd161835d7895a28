package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that the library is given by each operation, and operations that it is not even asked for. */
class RpmaPostTest {
    private static final long REGION_LENGTH = 4096;
    /** Wider than an int, to see that nothing is cut off. */
    private static final long OFFSET = 0x7_0000_0008L;
    private static final long OTHER_OFFSET = 0x1_0000_0010L;
    private static final int LENGTH = Integer.MAX_VALUE;
    private static final int IMMEDIATE = 0x8090_a0b0;
    private static final long ID = 0x8877_6655_4433_2211L;
    private static final int FLAGS = RpmaCompletionFlags.ALWAYS;
    private static final byte[] DESCRIPTOR = new byte[21];

    private ScriptedRpma rpma;
    private RpmaConnection connection;
    private RpmaMemoryRegion region;
    private RpmaRemoteRegion remote;

    @BeforeEach
    void open() {
        rpma = new ScriptedRpma();
        connection = rpma.connect();
        region = rpma.peer.register(REGION_LENGTH, RpmaUsage.SEND);
        remote = rpma.peer.remoteRegion(DESCRIPTOR);
        rpma.calls.clear();
    }

    @AfterEach
    void close() {
        if (rpma != null) {
            rpma.close();
        }
    }

    private void assertPosted(final String function, final int result, final long... arguments) {
        assertEquals(RpmaError.OK, result);
        assertEquals(Arrays.stream(arguments).boxed().toList(), rpma.argumentsOf(function));
    }

    @Test
    void shouldSend() {
        assertPosted("rpma_send", connection.send(region, OFFSET, LENGTH, FLAGS, ID),
            connection.handle, region.handle(), OFFSET, LENGTH, FLAGS, ID);
    }

    @Test
    void shouldSendWithImmediate() {
        assertPosted("rpma_send_with_imm",
            connection.sendWithImmediate(region, OFFSET, LENGTH, RpmaCompletionFlags.ON_ERROR, IMMEDIATE, ID),
            connection.handle, region.handle(), OFFSET, LENGTH, RpmaCompletionFlags.ON_ERROR, IMMEDIATE, ID);
    }

    @Test
    void shouldReceive() {
        assertPosted("rpma_recv", connection.receive(region, OFFSET, LENGTH, ID),
            connection.handle, region.handle(), OFFSET, LENGTH, ID);
    }

    @Test
    void shouldRead() {
        assertPosted("rpma_read", connection.read(region, OFFSET, remote, OTHER_OFFSET, LENGTH, FLAGS, ID),
            connection.handle, region.handle(), OFFSET, remote.handle(), OTHER_OFFSET, LENGTH, FLAGS, ID);
    }

    @Test
    void shouldWrite() {
        assertPosted("rpma_write", connection.write(remote, OFFSET, region, OTHER_OFFSET, LENGTH, FLAGS, ID),
            connection.handle, remote.handle(), OFFSET, region.handle(), OTHER_OFFSET, LENGTH, FLAGS, ID);
    }

    @Test
    void shouldWriteWithImmediate() {
        assertPosted("rpma_write_with_imm",
            connection.writeWithImmediate(remote, OFFSET, region, OTHER_OFFSET, LENGTH, FLAGS, IMMEDIATE, ID),
            connection.handle, remote.handle(), OFFSET, region.handle(), OTHER_OFFSET, LENGTH, FLAGS, IMMEDIATE, ID);
    }

    @Test
    void shouldWriteEightBytesAtOnce() {
        final long value = 0x1122_3344_5566_7788L;
        rpma.answer("rpma_atomic_write", call -> ScriptedRpma.pointedTo(call[3]) == value ? 0 : RpmaError.E_UNKNOWN);

        assertEquals(RpmaError.OK, connection.atomicWrite(remote, OFFSET, value, FLAGS, ID));
        final List<Long> arguments = rpma.argumentsOf("rpma_atomic_write");
        assertEquals(List.of(connection.handle, remote.handle(), OFFSET), arguments.subList(0, 3));
        assertEquals(List.of((long) FLAGS, ID), arguments.subList(4, 6));
    }

    @Test
    void shouldFlush() {
        assertPosted("rpma_flush",
            connection.flush(remote, OFFSET, LENGTH, RpmaFlushType.VISIBILITY, FLAGS, ID),
            connection.handle, remote.handle(), OFFSET, LENGTH, RpmaFlushType.VISIBILITY, FLAGS, ID);
    }

    @Test
    void shouldReceiveForARequest() {
        try (RpmaConnectionRequest request = rpma.peer.requestConnection(
            ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT, RpmaConnectionConfiguration.DEFAULT)) {
            assertEquals(RpmaError.OK, request.receive(region, OFFSET, LENGTH, ID));
        }
        final List<Long> arguments = rpma.argumentsOf("rpma_conn_req_recv");
        assertEquals(List.of(region.handle(), OFFSET, (long) LENGTH, ID), arguments.subList(1, 5));
    }

    @Test
    void shouldReceiveForAllConnectionsOfASharedQueue() {
        try (RpmaSharedReceiveQueue queue =
            rpma.peer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT)) {
            assertPosted("rpma_srq_recv", queue.receive(region, OFFSET, LENGTH, ID),
                queue.handle(), region.handle(), OFFSET, LENGTH, ID);
        }
    }

    @Test
    void shouldPostMessagesWithoutBytes() {
        assertPosted("rpma_send", connection.send(null, 0, 0, FLAGS, 1), connection.handle, 0, 0, 0, FLAGS, 1);
        assertPosted("rpma_send_with_imm", connection.sendWithImmediate(null, 0, 0, FLAGS, 7, 2),
            connection.handle, 0, 0, 0, FLAGS, 7, 2);
        assertPosted("rpma_recv", connection.receive(null, 0, 0, 3), connection.handle, 0, 0, 0, 3);
        assertPosted("rpma_read", connection.read(null, 0, null, 0, 0, FLAGS, 4),
            connection.handle, 0, 0, 0, 0, 0, FLAGS, 4);
        assertPosted("rpma_write", connection.write(null, 0, null, 0, 0, FLAGS, 5),
            connection.handle, 0, 0, 0, 0, 0, FLAGS, 5);
        assertPosted("rpma_write_with_imm", connection.writeWithImmediate(null, 0, null, 0, 0, FLAGS, 8, 6),
            connection.handle, 0, 0, 0, 0, 0, FLAGS, 8, 6);
    }

    /** Every operation with such memory. */
    private List<IntSupplier> operations(
        final RpmaConnection by, final RpmaMemoryRegion local, final RpmaRemoteRegion other, final int length) {
        return List.of(
            () -> by.send(local, 0, length, FLAGS, ID),
            () -> by.sendWithImmediate(local, 0, length, FLAGS, IMMEDIATE, ID),
            () -> by.receive(local, 0, length, ID),
            () -> by.read(local, 0, other, 0, length, FLAGS, ID),
            () -> by.write(other, 0, local, 0, length, FLAGS, ID),
            () -> by.writeWithImmediate(other, 0, local, 0, length, FLAGS, IMMEDIATE, ID),
            () -> by.flush(other, 0, length, RpmaFlushType.PERSISTENT, FLAGS, ID),
            () -> by.atomicWrite(other, 0, 1, FLAGS, ID));
    }

    private void assertRefused(final List<IntSupplier> operations) {
        rpma.calls.clear();
        for (final IntSupplier operation : operations) {
            assertEquals(RpmaError.E_INVAL, operation.getAsInt());
        }
        assertEquals(List.of(), rpma.calls);
    }

    @Test
    void shouldPostNothingOnAClosedConnection() {
        connection.close();

        assertRefused(operations(connection, region, remote, 1));
    }

    @Test
    void shouldPostNoMemoryThatIsClosed() {
        region.close();
        remote.close();

        assertRefused(operations(connection, region, remote, 1));
    }

    @Test
    void shouldPostNoMemoryOfAnotherPeer() {
        final RpmaPeer other = rpma.newPeer();
        final RpmaMemoryRegion foreign = other.register(REGION_LENGTH, RpmaUsage.SEND);
        final RpmaRemoteRegion foreignRemote = other.remoteRegion(DESCRIPTOR);

        assertRefused(operations(connection, foreign, foreignRemote, 1));
        assertRefused(operations(connection, region, foreignRemote, 1).subList(3, 8));
        assertRefused(operations(connection, foreign, remote, 1).subList(0, 6));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE})
    void shouldPostNoNegativeLength(final int length) {
        assertRefused(operations(connection, region, remote, length).subList(0, 7));
    }

    @Test
    void shouldFlushAndWriteAtOnceToMemoryOnly() {
        assertRefused(operations(connection, region, null, 1).subList(6, 8));
    }

    @Test
    void shouldRefuseToReceiveWhereNobodyCan() {
        final RpmaSharedReceiveQueue queue =
            rpma.peer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT);
        final RpmaConnectionRequest request = rpma.peer.requestConnection(
            ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT, RpmaConnectionConfiguration.DEFAULT);
        final RpmaMemoryRegion foreign = rpma.newPeer().register(REGION_LENGTH, RpmaUsage.RECEIVE);
        assertRefused(List.of(() -> queue.receive(foreign, 0, 1, ID), () -> request.receive(foreign, 0, 1, ID),
            () -> queue.receive(region, 0, -1, ID), () -> request.receive(region, 0, -1, ID)));

        queue.close();
        request.close();
        assertRefused(List.of(() -> queue.receive(region, 0, 1, ID), () -> request.receive(region, 0, 1, ID)));
    }

    @ParameterizedTest
    @ValueSource(ints = {RpmaError.E_PROVIDER, RpmaError.E_INVAL, RpmaError.E_NOSUPP})
    void shouldReturnWhatTheLibraryReturns(final int error) {
        for (final String function : List.of("rpma_send", "rpma_send_with_imm", "rpma_recv", "rpma_read",
            "rpma_write", "rpma_write_with_imm", "rpma_flush", "rpma_atomic_write")) {
            rpma.answer(function, error);
        }

        for (final IntSupplier operation : operations(connection, region, remote, 1)) {
            assertEquals(error, operation.getAsInt());
        }
    }
}

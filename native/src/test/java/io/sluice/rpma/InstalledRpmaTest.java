package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.rpma.generated.rpma_constants;
import io.sluice.rpma.generated.rpma_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntBiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library of this machine, as far as it goes without a device. */
class InstalledRpmaTest {
    /** The bytes of a descriptor, in their order: address, length, key, usages. */
    private static final int REGION_DESCRIPTOR_LENGTH = 21;

    @BeforeEach
    void requireLibrary() {
        PresentRpma.require();
    }

    @Test
    void shouldHaveTheErrorsOfTheHeader() {
        assertEquals(rpma_constants.RPMA_E_UNKNOWN(), RpmaError.E_UNKNOWN);
        assertEquals(rpma_constants.RPMA_E_NOSUPP(), RpmaError.E_NOSUPP);
        assertEquals(rpma_constants.RPMA_E_PROVIDER(), RpmaError.E_PROVIDER);
        assertEquals(rpma_constants.RPMA_E_NOMEM(), RpmaError.E_NOMEM);
        assertEquals(rpma_constants.RPMA_E_INVAL(), RpmaError.E_INVAL);
        assertEquals(rpma_constants.RPMA_E_NO_COMPLETION(), RpmaError.E_NO_COMPLETION);
        assertEquals(rpma_constants.RPMA_E_NO_EVENT(), RpmaError.E_NO_EVENT);
        assertEquals(rpma_constants.RPMA_E_AGAIN(), RpmaError.E_AGAIN);
        assertEquals(rpma_constants.RPMA_E_SHARED_CHANNEL(), RpmaError.E_SHARED_CHANNEL);
        assertEquals(rpma_constants.RPMA_E_NOT_SHARED_CHNL(), RpmaError.E_NOT_SHARED_CHANNEL);
    }

    @Test
    void shouldHaveTheFlagsOfTheHeader() {
        assertEquals(rpma_constants.RPMA_MR_USAGE_READ_SRC(), RpmaUsage.READ_SOURCE);
        assertEquals(rpma_constants.RPMA_MR_USAGE_READ_DST(), RpmaUsage.READ_DESTINATION);
        assertEquals(rpma_constants.RPMA_MR_USAGE_WRITE_SRC(), RpmaUsage.WRITE_SOURCE);
        assertEquals(rpma_constants.RPMA_MR_USAGE_WRITE_DST(), RpmaUsage.WRITE_DESTINATION);
        assertEquals(rpma_constants.RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY(), RpmaUsage.FLUSH_VISIBILITY);
        assertEquals(rpma_constants.RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT(), RpmaUsage.FLUSH_PERSISTENT);
        assertEquals(rpma_constants.RPMA_MR_USAGE_SEND(), RpmaUsage.SEND);
        assertEquals(rpma_constants.RPMA_MR_USAGE_RECV(), RpmaUsage.RECEIVE);
        assertEquals(rpma_constants.RPMA_F_COMPLETION_ON_ERROR(), RpmaCompletionFlags.ON_ERROR);
        assertEquals(rpma_constants.RPMA_F_COMPLETION_ALWAYS(), RpmaCompletionFlags.ALWAYS);
        assertEquals(rpma_constants.RPMA_FLUSH_TYPE_PERSISTENT(), RpmaFlushType.PERSISTENT);
        assertEquals(rpma_constants.RPMA_FLUSH_TYPE_VISIBILITY(), RpmaFlushType.VISIBILITY);
        assertEquals(rpma_constants.RPMA_ATOMIC_WRITE_ALIGNMENT(), ConnectionOperations.ATOMIC_WRITE_ALIGNMENT);
        assertEquals(rpma_constants.RPMA_UTIL_IBV_CONTEXT_LOCAL(), RpmaPeer.LOCAL);
        assertEquals(rpma_constants.RPMA_UTIL_IBV_CONTEXT_REMOTE(), RpmaPeer.REMOTE);
    }

    @Test
    void shouldHaveTheEventsOfTheHeader() {
        assertEquals(RpmaConnectionEvent.ESTABLISHED,
            RpmaConnectionEvent.of(rpma_constants.RPMA_CONN_ESTABLISHED()));
        assertEquals(RpmaConnectionEvent.CLOSED, RpmaConnectionEvent.of(rpma_constants.RPMA_CONN_CLOSED()));
        assertEquals(RpmaConnectionEvent.LOST, RpmaConnectionEvent.of(rpma_constants.RPMA_CONN_LOST()));
        assertEquals(RpmaConnectionEvent.REJECTED, RpmaConnectionEvent.of(rpma_constants.RPMA_CONN_REJECTED()));
        assertEquals(RpmaConnectionEvent.UNREACHABLE,
            RpmaConnectionEvent.of(rpma_constants.RPMA_CONN_UNREACHABLE()));
        assertThrows(IllegalArgumentException.class,
            () -> RpmaConnectionEvent.of(rpma_constants.RPMA_CONN_UNDEFINED()));
    }

    @Test
    void shouldHaveTheLogLevelsOfTheHeader() {
        assertEquals(List.of(rpma_constants.RPMA_LOG_DISABLED(), rpma_constants.RPMA_LOG_LEVEL_FATAL(),
            rpma_constants.RPMA_LOG_LEVEL_ERROR(), rpma_constants.RPMA_LOG_LEVEL_WARNING(),
            rpma_constants.RPMA_LOG_LEVEL_NOTICE(), rpma_constants.RPMA_LOG_LEVEL_INFO(),
            rpma_constants.RPMA_LOG_LEVEL_DEBUG()),
            Arrays.stream(RpmaLogLevel.values()).map(RpmaLogLevel::number).toList());
    }

    /** Reads what a getter of a configuration tells. */
    private static int read(
        final long configuration, final ToIntBiFunction<MemorySegment, MemorySegment> getter) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            assertEquals(RpmaError.OK, getter.applyAsInt(MemorySegment.ofAddress(configuration), result));
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    private static RpmaConnectionConfiguration readConnection(final long configuration) {
        return new RpmaConnectionConfiguration(
            read(configuration, rpma_h::rpma_conn_cfg_get_timeout),
            read(configuration, rpma_h::rpma_conn_cfg_get_cq_size),
            read(configuration, rpma_h::rpma_conn_cfg_get_rcq_size),
            read(configuration, rpma_h::rpma_conn_cfg_get_sq_size),
            read(configuration, rpma_h::rpma_conn_cfg_get_rq_size),
            read(configuration, rpma_h::rpma_conn_cfg_get_compl_channel) != 0,
            null);
    }

    private static RpmaSharedReceiveQueueConfiguration readQueue(final long configuration) {
        return new RpmaSharedReceiveQueueConfiguration(
            read(configuration, rpma_h::rpma_srq_cfg_get_rq_size),
            read(configuration, rpma_h::rpma_srq_cfg_get_rcq_size));
    }

    @Test
    void shouldHaveTheDefaultsOfTheLibrary() {
        final RpmaLibrary library = RpmaLibrary.instance();
        final long connection = library.create(library.connCfgNew, "no configuration");
        assertEquals(RpmaConnectionConfiguration.DEFAULT, readConnection(connection));
        assertEquals(0, read(connection, rpma_h::rpma_conn_cfg_get_srq));
        library.delete(library.connCfgDelete, "it stays", connection);

        final long queue = library.create(library.srqCfgNew, "no configuration");
        assertEquals(RpmaSharedReceiveQueueConfiguration.DEFAULT, readQueue(queue));
        library.delete(library.srqCfgDelete, "it stays", queue);
        assertEquals(rpma_constants.RPMA_DEFAULT_TIMEOUT_MS(), RpmaConnectionConfiguration.DEFAULT_TIMEOUT_MS);
    }

    @Test
    void shouldTellTheLibraryAConfiguration() {
        final RpmaLibrary library = RpmaLibrary.instance();
        final RpmaConnectionConfiguration connection =
            new RpmaConnectionConfiguration(1, 2, 3, 4, Integer.MAX_VALUE, true, null);
        final RpmaSharedReceiveQueueConfiguration queue = new RpmaSharedReceiveQueueConfiguration(5, 0);

        try (NativeConfiguration first = connection.toNative(library);
             NativeConfiguration second = queue.toNative(library)) {
            assertEquals(connection, readConnection(first.handle()));
            assertEquals(queue, readQueue(second.handle()));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDescribeAPeerToAnother(final boolean isDirect) {
        final RpmaPeerConfiguration configuration = new RpmaPeerConfiguration(isDirect);
        final byte[] descriptor = configuration.descriptor();

        assertEquals(configuration, RpmaPeerConfiguration.ofDescriptor(descriptor));
        assertEquals(configuration, RpmaPeerConfiguration.ofDescriptor(Arrays.copyOf(descriptor, 100)));
    }

    @Test
    void shouldSayThatADescriptorIsTooShort() {
        final RpmaException e =
            assertThrows(RpmaException.class, () -> RpmaPeerConfiguration.ofDescriptor(new byte[0]));

        assertEquals(RpmaError.E_INVAL, e.code());
        assertEquals("rpma_peer_cfg_from_descriptor: no descriptor of a peer: length=0: incorrect size of the"
            + " descriptor: 0 bytes (should be at least 1 bytes) (RPMA_E_INVAL -100004)", e.getMessage());
    }

    /** A peer without a device, whose remote regions and log are the library's. */
    private static ScriptedRpma withRemoteRegions() {
        return new ScriptedRpma("rpma_log_set_function", "rpma_mr_remote_from_descriptor", "rpma_mr_remote_get_size",
            "rpma_mr_remote_get_flush_type", "rpma_mr_remote_delete");
    }

    @Test
    void shouldReadTheDescriptorOfARemoteRegion() {
        final byte[] descriptor = ByteBuffer.allocate(REGION_DESCRIPTOR_LENGTH).order(ByteOrder.LITTLE_ENDIAN)
            .putLong(0x7f00_0000_0000L).putLong(1L << 40).putInt(0x1234)
            .put((byte) (RpmaUsage.READ_SOURCE | RpmaUsage.FLUSH_VISIBILITY)).array();
        try (ScriptedRpma rpma = withRemoteRegions();
             RpmaRemoteRegion region = rpma.peer.remoteRegion(descriptor)) {
            assertEquals(1L << 40, region.length());
            assertEquals(RpmaUsage.FLUSH_VISIBILITY, region.flushUsages());
        } finally {
            RpmaLog.function(null);
        }
    }

    @Test
    void shouldRefuseADescriptorThatIsNone() {
        try (ScriptedRpma rpma = withRemoteRegions()) {
            final RpmaException tooShort = assertThrows(RpmaException.class,
                () -> rpma.peer.remoteRegion(new byte[REGION_DESCRIPTOR_LENGTH - 1]));
            assertEquals(RpmaError.E_INVAL, tooShort.code());
            assertTrue(tooShort.getMessage().contains(
                "no descriptor of a memory region: length=20: incorrect size of the descriptor: 20 bytes"),
                tooShort.getMessage());
            final RpmaException zeros = assertThrows(RpmaException.class,
                () -> rpma.peer.remoteRegion(new byte[REGION_DESCRIPTOR_LENGTH]));
            assertEquals(RpmaError.E_INVAL, zeros.code());
            assertTrue(zeros.getMessage().contains("usage type of memory is not set"), zeros.getMessage());
            rpma.peer.close();
        } finally {
            RpmaLog.function(null);
        }
    }

    @Test
    void shouldRefuseToPollWhatIsNone() {
        final RpmaCalls calls = RpmaLibrary.instance().calls();
        final WorkCompletions completions = new WorkCompletions(2);
        final long nothing = 0;
        final long somewhere = completions.address();

        assertEquals(RpmaError.E_INVAL, calls.getWc(nothing, 1, somewhere, somewhere));
        assertEquals(RpmaError.E_INVAL, calls.getWc(somewhere, 0, somewhere, somewhere));
        assertEquals(RpmaError.E_INVAL, calls.getWc(somewhere, -1, somewhere, somewhere));
        assertEquals(RpmaError.E_INVAL, calls.getWc(somewhere, 1, nothing, somewhere));
        assertEquals(RpmaError.E_INVAL, calls.getWc(somewhere, 2, somewhere, nothing));
        assertEquals(RpmaError.E_INVAL, calls.cqWait(nothing));
        assertEquals(RpmaError.E_INVAL, calls.connWait(nothing, somewhere, nothing));
    }

    @Test
    void shouldRefuseToPostOnWhatIsNone() {
        final RpmaCalls calls = RpmaLibrary.instance().calls();
        final int flags = RpmaCompletionFlags.ALWAYS;

        assertEquals(RpmaError.E_INVAL, calls.send(0, 0, 0, 0, flags, 1));
        assertEquals(RpmaError.E_INVAL, calls.sendWithImm(0, 0, 0, 0, flags, 0, 1));
        assertEquals(RpmaError.E_INVAL, calls.recv(0, 0, 0, 0, 1));
        assertEquals(RpmaError.E_INVAL, calls.srqRecv(0, 0, 0, 0, 1));
        assertEquals(RpmaError.E_INVAL, calls.connReqRecv(0, 0, 0, 0, 1));
        assertEquals(RpmaError.E_INVAL, calls.read(0, 0, 0, 0, 0, 0, flags, 1));
        assertEquals(RpmaError.E_INVAL, calls.write(0, 0, 0, 0, 0, 0, flags, 1));
        assertEquals(RpmaError.E_INVAL, calls.writeWithImm(0, 0, 0, 0, 0, 0, flags, 0, 1));
        assertEquals(RpmaError.E_INVAL, calls.atomicWrite(0, 0, 0, 0, flags, 1));
        assertEquals(RpmaError.E_INVAL, calls.flush(0, 0, 0, 0, RpmaFlushType.VISIBILITY, flags, 1));
    }
}

package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that the test writes as a native call would. */
class WorkCompletionsTest {
    private static final int CAPACITY = 3;

    private final WorkCompletions completions = new WorkCompletions(CAPACITY);

    /** One record differs from its neighbours in every field. */
    private void write(final int index, final int status) {
        final MemorySegment record = ibv_wc.asSlice(
            MemorySegment.ofAddress(completions.address()).reinterpret(CAPACITY * ibv_wc.sizeof()), index);
        ibv_wc.wr_id(record, Long.MIN_VALUE + index);
        ibv_wc.status(record, status);
        ibv_wc.opcode(record, WorkOpcode.RECV + index);
        ibv_wc.vendor_err(record, 0x50 + index);
        ibv_wc.byte_len(record, 4096 + index);
        ibv_wc.imm_data(record, Integer.reverseBytes(0x0102_0300 + index));
        ibv_wc.qp_num(record, 16 + index);
        ibv_wc.src_qp(record, 32 + index);
        ibv_wc.wc_flags(record, WorkFlags.WITH_IMMEDIATE << index);
        ibv_wc.pkey_index(record, (short) (0xfff0 + index));
        ibv_wc.slid(record, (short) (0xffe0 + index));
        ibv_wc.sl(record, (byte) (0xf0 + index));
        ibv_wc.dlid_path_bits(record, (byte) (0xe0 + index));
    }

    @Test
    void shouldReadEveryRecord() {
        for (int i = 0; i < CAPACITY; i++) {
            write(i, WorkStatus.SUCCESS);
        }

        assertEquals(CAPACITY, completions.capacity());
        for (int i = 0; i < CAPACITY; i++) {
            assertEquals(Long.MIN_VALUE + i, completions.workRequestId(i));
            assertEquals(WorkStatus.SUCCESS, completions.status(i));
            assertEquals(WorkOpcode.RECV + i, completions.opcode(i));
            assertEquals(0x50 + i, completions.vendorError(i));
            assertEquals(4096 + i, completions.byteLength(i));
            assertEquals(0x0102_0300 + i, completions.immediateData(i));
            assertEquals(16 + i, completions.queuePairNumber(i));
            assertEquals(WorkFlags.WITH_IMMEDIATE << i, completions.flags(i));
            assertEquals(Integer.reverseBytes(0x0102_0300 + i), completions.invalidatedKey(i), "not of the wire");
            assertEquals(32 + i, completions.sourceQueuePair(i));
            assertEquals(0xfff0 + i, completions.partitionKeyIndex(i));
            assertEquals(0xffe0 + i, completions.sourceLid(i));
            assertEquals(0xf0 + i, completions.serviceLevel(i));
            assertEquals(0xe0 + i, completions.destinationPathBits(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, WorkStatus.WR_FLUSH_ERR, WorkStatus.TM_RNDV_INCOMPLETE + 1, -1})
    void shouldReadFourFieldsOfAFailureOnly(final int status) {
        write(0, WorkStatus.SUCCESS);
        write(1, status);

        assertEquals(Long.MIN_VALUE + 1, completions.workRequestId(1));
        assertEquals(status, completions.status(1));
        assertEquals(0x51, completions.vendorError(1));
        assertEquals(17, completions.queuePairNumber(1));
        final Map<String, IntToLongFunction> others = Map.of(
            "opcode", completions::opcode, "flags", completions::flags,
            "byteLength", completions::byteLength, "immediateData", completions::immediateData,
            "invalidatedKey", completions::invalidatedKey, "sourceQueuePair", completions::sourceQueuePair,
            "partitionKeyIndex", completions::partitionKeyIndex, "sourceLid", completions::sourceLid,
            "serviceLevel", completions::serviceLevel, "destinationPathBits", completions::destinationPathBits);
        others.forEach((name, reader) -> assertEquals(
            name + " is not valid: the completion's status is " + WorkStatus.name(status),
            assertThrows(IllegalStateException.class, () -> reader.applyAsLong(1)).getMessage()));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, CAPACITY, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void shouldReadNoRecordThatIsNone(final int index) {
        final List<IntToLongFunction> readers = List.of(
            completions::workRequestId, completions::status, completions::opcode, completions::vendorError,
            completions::byteLength, completions::immediateData, completions::queuePairNumber, completions::flags,
            completions::invalidatedKey, completions::sourceQueuePair, completions::partitionKeyIndex,
            completions::sourceLid, completions::serviceLevel, completions::destinationPathBits);
        for (final IntToLongFunction reader : readers) {
            assertThrows(IndexOutOfBoundsException.class, () -> reader.applyAsLong(index));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void shouldHaveARecordAtLeast(final int capacity) {
        assertThrows(IllegalArgumentException.class, () -> new WorkCompletions(capacity));
    }
}

package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionReaders;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.CompletionBatch;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.foreign.WorkRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** The readers of both interfaces: what was not asked for or is not valid is refused, and the device is not asked. */
class ScriptedReadersTest {
    private static final int ALL_EXTENDED = 0xfff;
    private static final int LAST_STATUS = WorkStatus.TM_RNDV_INCOMPLETE;

    private ScriptedDevice device;

    /** The readers that need a field, by the names that the scripted device notes. */
    enum FieldReader {
        BYTE_LENGTH("byteLength", CompletionField.BYTE_LENGTH, CompletionQueue::byteLength, 4096),
        /** The wire's byte order is not this host's. */
        IMMEDIATE("immediateData", CompletionField.IMMEDIATE, CompletionQueue::immediateData, 0x0102_0304),
        QUEUE_PAIR("queuePairNumber", CompletionField.QUEUE_PAIR_NUMBER, CompletionQueue::queuePairNumber, 17),
        SOURCE("sourceQueuePair", CompletionField.SOURCE_QUEUE_PAIR, CompletionQueue::sourceQueuePair, 18),
        SOURCE_LID("sourceLid", CompletionField.SOURCE_LID, CompletionQueue::sourceLid, 0xfffe),
        SERVICE_LEVEL("serviceLevel", CompletionField.SERVICE_LEVEL, CompletionQueue::serviceLevel, 0x0f),
        PATH_BITS("destinationPathBits", CompletionField.DESTINATION_PATH_BITS,
            CompletionQueue::destinationPathBits, 0x7f),
        TIMESTAMP("completionTimestamp", CompletionField.COMPLETION_TIMESTAMP,
            CompletionQueue::completionTimestamp, 1L << 40),
        WALL_CLOCK("completionTimestampWallClockNs", CompletionField.COMPLETION_TIMESTAMP_WALL_CLOCK,
            CompletionQueue::completionTimestampWallClockNs, 1L << 60),
        VLAN("customerVlan", CompletionField.CUSTOMER_VLAN, CompletionQueue::customerVlan, 0x8fff),
        FLOW_TAG("flowTag", CompletionField.FLOW_TAG, CompletionQueue::flowTag, 0xff_ffff),
        TAG_MATCHING("matchedTag", CompletionField.TAG_MATCHING, CompletionQueue::matchedTag, -5);

        private final String name;
        private final int field;
        private final ToLongFunction<CompletionQueue> reader;
        private final long value;

        FieldReader(
            final String name, final int field, final ToLongFunction<CompletionQueue> reader, final long value) {
            this.name = name;
            this.field = field;
            this.reader = reader;
            this.value = value;
        }

        boolean isValidOnFailure() {
            return this == QUEUE_PAIR;
        }
    }

    @BeforeEach
    void script() {
        assumeFalse(DataPathLinker.isCritical(), "critical calls must not call Java");
        device = new ScriptedDevice().withReaders();
    }

    @AfterEach
    void close() {
        if (device != null) {
            device.close();
        }
    }

    private CompletionQueue extended(final int fields) {
        device.starts.add(Errno.OK);
        final CompletionQueue queue = device.extended(fields, 16);
        assertEquals(Errno.OK, queue.startPoll());
        return queue;
    }

    private CompletionQueue legacy(final int fields) {
        device.polls.add(1);
        final CompletionQueue queue = device.legacy(fields);
        assertEquals(Errno.OK, queue.startPoll());
        return queue;
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadTheOneFieldThatWasAskedFor(final FieldReader asked) {
        final CompletionQueue queue = extended(asked.field);
        for (final FieldReader other : FieldReader.values()) {
            if (other == asked) {
                assertEquals(asked.value, asked.reader.applyAsLong(queue));
            } else {
                final String message = assertThrows(
                    IllegalStateException.class, () -> other.reader.applyAsLong(queue)).getMessage();
                assertTrue(message.startsWith(other.name + " was not asked for"), message);
            }
        }
        assertEquals(List.of(asked.name), device.reads);
    }

    /** The others are fields that {@code ibv_wc} does not have. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = {"TIMESTAMP", "WALL_CLOCK", "VLAN", "FLOW_TAG", "TAG_MATCHING"})
    void shouldReadTheOneFieldOfARecordThatWasAskedFor(final FieldReader asked) {
        final CompletionQueue queue = legacy(asked.field);
        for (final FieldReader other : FieldReader.values()) {
            if (other == asked) {
                assertEquals(asked.value, asked.reader.applyAsLong(queue));
            } else {
                assertThrows(IllegalStateException.class, () -> other.reader.applyAsLong(queue));
            }
        }
    }

    @Test
    void shouldReadTheWordThatComesWithATag() {
        assertEquals(77, extended(CompletionField.TAG_MATCHING).matchedUserData());
        assertThrows(IllegalStateException.class, () -> extended(CompletionField.FLOW_TAG).matchedUserData());
    }

    /** An invalidated key is a number of this host, where immediate data is the wire's. */
    @Test
    void shouldReadAnInvalidatedKeyInThePlaceOfImmediateData() {
        for (final CompletionQueue queue : List.of(
            extended(CompletionField.IMMEDIATE), legacy(CompletionField.IMMEDIATE))) {
            assertEquals(0x0403_0201, queue.invalidatedKey());
        }
        for (final CompletionQueue queue : List.of(extended(0), legacy(0))) {
            assertThrows(IllegalStateException.class, queue::invalidatedKey);
        }
    }

    @Test
    void shouldReadThePartitionKeyIndexOfARecordOnly() {
        assertEquals(0xfffd, legacy(0).partitionKeyIndex());
        final CompletionQueue queue = extended(ALL_EXTENDED);

        assertTrue(assertThrows(UnsupportedOperationException.class, queue::partitionKeyIndex)
            .getMessage().contains("legacy"));
    }

    @Test
    void shouldAlwaysReadWhatNeedsNoField() {
        for (final CompletionQueue queue : List.of(extended(0), legacy(0))) {
            assertEquals(129, queue.opcode());
            assertEquals(2, queue.flags());
            assertEquals(0x55, queue.vendorError());
        }
        assertEquals(List.of("opcode", "flags", "vendorError"), device.reads);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseToMakeAQueueWhoseDeviceLacksAReader(final FieldReader asked) {
        try (ScriptedDevice bare = new ScriptedDevice().withoutNumbers()) {
            final IllegalStateException e = assertThrows(IllegalStateException.class, () ->
                bare.extended(asked.field, 16));

            assertTrue(e.getMessage().contains("no function at offset"), e.getMessage());
        }
    }

    /** Numbers of queue pairs are needed of work that has failed. */
    @Test
    void shouldRefuseToMakeAQueueWhoseDeviceLacksNumbersOfQueuePairsThoughNobodyAsksForThem() {
        try (ScriptedDevice bare = new ScriptedDevice().withReaders().withoutNumbers()) {
            assertThrows(IllegalStateException.class, () -> bare.extended(0, 16));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 10, 12, 13, LAST_STATUS, LAST_STATUS + 1, -1, Integer.MAX_VALUE})
    void shouldReadFourFieldsOfAFailureOnly(final int status) {
        device.statuses.addAll(List.of(status, status));
        refusesAllBut(extended(ALL_EXTENDED), status, ALL_EXTENDED);
        assertEquals(Set.of("queuePairNumber", "vendorError"), Set.copyOf(device.reads));
        refusesAllBut(legacy(WorkRecord.FIELDS), status, WorkRecord.FIELDS);
    }

    /** A completion to read is not there before the first batch, and behind a batch it may be gone. */
    @Test
    void shouldRefuseToReadOutsideABatch() {
        for (final CompletionQueue queue : List.of(
            device.extended(ALL_EXTENDED, 16), device.legacy(WorkRecord.FIELDS))) {
            refusesOutside(queue);
            assertEquals(Errno.ENOENT, queue.startPoll());
            refusesOutside(queue);
            device.starts.add(Errno.OK);
            device.polls.add(CompletionBatch.CAPACITY);
            assertEquals(Errno.OK, queue.startPoll());
            assertEquals(0x55, queue.vendorError());
            queue.endPoll();
            refusesOutside(queue);
            device.starts.clear();
            device.polls.clear();
        }
        assertEquals(List.of("vendorError"), device.reads);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseOutsideABatchByTheFirstReason(final FieldReader asked) {
        CompletionReaders.checkOutside(device.extended(asked.field, 16));
        CompletionReaders.checkOutside(device.legacy(asked.field & WorkRecord.FIELDS));
        assertEquals(List.of(), device.reads);
    }

    private static void refusesOutside(final CompletionQueue queue) {
        final List<ToLongFunction<CompletionQueue>> readers = new ArrayList<>(List.of(
            CompletionQueue::workRequestId, CompletionQueue::status, CompletionQueue::opcode,
            CompletionQueue::vendorError, CompletionQueue::flags, CompletionQueue::invalidatedKey));
        for (final FieldReader reader : FieldReader.values()) {
            if ((queue.fields() & reader.field) != 0) {
                readers.add(reader.reader);
            }
        }
        for (final ToLongFunction<CompletionQueue> reader : readers) {
            final String message =
                assertThrows(IllegalStateException.class, () -> reader.applyAsLong(queue)).getMessage();
            assertTrue(message.contains("outside a batch"), message);
        }
    }

    private static void refusesAllBut(final CompletionQueue queue, final int status, final int fields) {
        assertEquals(status, queue.status());
        for (final FieldReader reader : FieldReader.values()) {
            if (reader.isValidOnFailure()) {
                assertEquals(reader.value, reader.reader.applyAsLong(queue));
            } else if ((reader.field & fields) != 0) {
                refuses(queue, reader.reader, reader.name, status);
            }
        }
        refuses(queue, CompletionQueue::opcode, "opcode", status);
        refuses(queue, CompletionQueue::flags, "flags", status);
        assertEquals(0x55, queue.vendorError());
        CompletionReaders.checkFailure(queue);
    }

    private static void refuses(
        final CompletionQueue queue, final ToLongFunction<CompletionQueue> reader, final String name,
        final int status) {
        final String message =
            assertThrows(IllegalStateException.class, () -> reader.applyAsLong(queue)).getMessage();
        assertEquals(name + " is not valid: the completion's status is " + WorkStatus.name(status), message);
    }
}

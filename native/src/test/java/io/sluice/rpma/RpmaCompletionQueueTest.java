package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionReaders;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.CompletionBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two ways to poll, into records and in batches, through every answer of the library. */
class RpmaCompletionQueueTest {
    private static final int EIO = 5;
    private static final int CAPACITY = 8;
    /** A value that is none of the library's. */
    private static final int UNTOUCHED = 0x7777;

    private final WorkCompletions completions = new WorkCompletions(CAPACITY);
    private ScriptedRpma rpma;
    private RpmaConnection connection;
    private RpmaCompletionQueue queue;
    private ScriptedQueue script;

    @BeforeEach
    void connect() {
        rpma = new ScriptedRpma();
        connection = rpma.connect();
        queue = connection.completionQueue();
        script = rpma.queue(queue);
    }

    @AfterEach
    void close() {
        if (rpma != null) {
            rpma.close();
        }
    }

    @Test
    void shouldTakeCompletionsInOrder() {
        script.willTake(1, 3);

        assertEquals(1, queue.getCompletions(CAPACITY, completions));
        assertEquals(1, completions.workRequestId(0));
        assertEquals(3, queue.getCompletions(CAPACITY, completions));
        for (int i = 0; i < 3; i++) {
            assertEquals(2 + i, completions.workRequestId(i));
            assertEquals(WorkStatus.SUCCESS, completions.status(i));
            assertEquals(ScriptedQueue.OPCODE, completions.opcode(i));
            assertEquals(ScriptedQueue.BYTE_LENGTH, completions.byteLength(i));
            assertEquals(ScriptedQueue.IMMEDIATE, completions.immediateData(i));
            assertEquals(ScriptedQueue.FLAGS, completions.flags(i));
            assertEquals(ScriptedQueue.NUMBER, completions.queuePairNumber(i));
        }
        assertEquals(List.of("8 counted", "8 counted"), script.asked);
    }

    @Test
    void shouldTakeAsManyAsAreAskedForAtMost() {
        script.willTake(1, 2, CAPACITY);

        assertEquals(1, queue.getCompletions(1, completions));
        assertEquals(2, queue.getCompletions(2, completions));
        assertEquals(CAPACITY, queue.getCompletions(CAPACITY, completions));
        assertEquals(List.of("1 counted", "2 counted", "8 counted"), script.asked);
    }

    @Test
    void shouldTakeOneWithoutCounting() {
        script.willTake(1);

        assertEquals(RpmaError.OK, queue.getCompletion(completions));
        assertEquals(1, completions.workRequestId(0));
        assertEquals(RpmaError.E_NO_COMPLETION, queue.getCompletion(completions));
        assertEquals(List.of("1 uncounted", "1 uncounted"), script.asked);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void shouldRefuseToTakeLessThanOne(final int limit) {
        script.willTake(1);

        assertEquals(RpmaError.E_INVAL, queue.getCompletions(limit, completions));
        assertEquals(1, script.polls.size(), "it stays in the queue");
    }

    @Test
    void shouldNotLetTheLibraryWriteWhereNoRecordIs() {
        script.willTake(1);

        assertEquals(RpmaError.E_INVAL, queue.getCompletions(CAPACITY + 1, completions));
        assertEquals(RpmaError.E_INVAL, queue.getCompletions(1, null));
        assertEquals(RpmaError.E_INVAL, queue.getCompletion(null));
        assertEquals(List.of(), script.asked);
    }

    @ParameterizedTest
    @ValueSource(ints = {RpmaError.E_NO_COMPLETION, RpmaError.E_PROVIDER, RpmaError.E_UNKNOWN, RpmaError.E_INVAL})
    void shouldTellAnErrorAndNotTheCountBeforeIt(final int error) {
        script.willTake(3, error, error);

        assertEquals(3, queue.getCompletions(CAPACITY, completions));
        assertEquals(error, queue.getCompletions(CAPACITY, completions));
        assertEquals(error, queue.getCompletion(completions));
        assertEquals(1, completions.workRequestId(0), "the records stay");
    }

    @ParameterizedTest
    @ValueSource(ints = {WorkStatus.LOC_LEN_ERR, WorkStatus.WR_FLUSH_ERR, WorkStatus.REM_ACCESS_ERR, UNTOUCHED})
    void shouldReadFourFieldsOfAFailureOnly(final int status) {
        script.willTake(1, 1);
        script.statuses.addAll(List.of(status, status));

        assertEquals(1, queue.getCompletions(1, completions));
        assertFourFields(status, () -> completions.status(0), () -> completions.queuePairNumber(0),
            () -> completions.vendorError(0));
        assertNotValid(() -> completions.opcode(0), () -> completions.flags(0), () -> completions.byteLength(0),
            () -> completions.immediateData(0), () -> completions.invalidatedKey(0),
            () -> completions.sourceQueuePair(0), () -> completions.partitionKeyIndex(0),
            () -> completions.sourceLid(0), () -> completions.serviceLevel(0),
            () -> completions.destinationPathBits(0));
        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(2, queue.workRequestId());
        assertFourFields(status, queue::status, queue::queuePairNumber, queue::vendorError);
        CompletionReaders.checkFailure(queue);
        assertNotValid(queue::partitionKeyIndex);
        queue.endPoll();
        CompletionReaders.checkOutside(queue);
    }

    private static void assertFourFields(
        final int status, final IntSupplier read, final IntSupplier number, final IntSupplier vendorError) {
        assertEquals(status, read.getAsInt());
        assertEquals(ScriptedQueue.NUMBER, number.getAsInt());
        assertEquals(ScriptedQueue.VENDOR_ERROR, vendorError.getAsInt());
    }

    private static void assertNotValid(final IntSupplier... readers) {
        for (final IntSupplier reader : readers) {
            assertThrows(IllegalStateException.class, reader::getAsInt);
        }
    }

    @Test
    void shouldReadAllFieldsOfASuccess() {
        script.willTake(1);

        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(1, queue.workRequestId());
        assertEquals(ScriptedQueue.OPCODE, queue.opcode());
        assertEquals(ScriptedQueue.FLAGS, queue.flags());
        assertEquals(ScriptedQueue.BYTE_LENGTH, queue.byteLength());
        assertEquals(ScriptedQueue.IMMEDIATE, queue.immediateData());
        assertEquals(ScriptedQueue.INVALIDATED_KEY, queue.invalidatedKey());
        assertEquals(ScriptedQueue.NUMBER, queue.queuePairNumber());
        assertEquals(ScriptedQueue.SOURCE, queue.sourceQueuePair());
        CompletionReaders.checkSuccess(queue);
        assertEquals(0, queue.sourceLid());
        assertEquals(0, queue.serviceLevel());
        assertEquals(0, queue.destinationPathBits());
        assertEquals(0, queue.partitionKeyIndex());
        assertThrows(IllegalStateException.class, queue::completionTimestamp);
        assertEquals(CompletionField.BYTE_LENGTH, queue.fields() & CompletionField.BYTE_LENGTH);
        queue.endPoll();
    }

    private List<Long> drain() {
        final List<Long> ids = new ArrayList<>();
        while (queue.startPoll() == Errno.OK) {
            do {
                ids.add(queue.workRequestId());
            } while (queue.nextPoll() == Errno.OK);
            queue.endPoll();
        }
        return ids;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 31, 32, 33, 100})
    void shouldDrainAnyNumberInBatches(final int count) {
        for (int left = count; left > 0; left -= CompletionBatch.CAPACITY) {
            script.polls.add(Math.min(left, CompletionBatch.CAPACITY));
        }

        assertEquals(LongStream.rangeClosed(1, count).boxed().toList(), drain());
        assertTrue(script.asked.stream().allMatch("16 counted"::equals), script.asked::toString);
    }

    @Test
    void shouldNotAskAgainAfterAShortBatch() {
        script.willTake(3, 1);

        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(Errno.OK, queue.nextPoll());
        assertEquals(Errno.OK, queue.nextPoll());
        assertEquals(Errno.ENOENT, queue.nextPoll());
        assertEquals(3, queue.workRequestId(), "the last one is current still");
        queue.endPoll();
        assertEquals(1, script.asked.size());
    }

    @Test
    void shouldKeepWhatABatchLeavesBehind() {
        script.willTake(3);

        for (int id = 1; id <= 3; id++) {
            assertEquals(Errno.OK, queue.startPoll());
            assertEquals(id, queue.workRequestId());
            queue.endPoll();
        }
        assertEquals(1, script.asked.size());
        assertEquals(Errno.ENOENT, queue.startPoll());
    }

    @Test
    void shouldOweAnEndAfterAFullBatchAndAnError() {
        script.willTake(CompletionBatch.CAPACITY, RpmaError.E_PROVIDER, 1);

        assertEquals(Errno.OK, queue.startPoll());
        for (int i = 1; i < CompletionBatch.CAPACITY; i++) {
            assertEquals(Errno.OK, queue.nextPoll());
        }
        assertEquals(EIO, queue.nextPoll());
        queue.endPoll();
        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(CompletionBatch.CAPACITY + 1, queue.workRequestId());
    }

    @ParameterizedTest
    @ValueSource(ints = {RpmaError.E_NO_COMPLETION, RpmaError.E_PROVIDER, RpmaError.E_UNKNOWN, RpmaError.E_INVAL})
    void shouldOweNoEndAfterAStartThatFoundNothing(final int error) {
        script.willTake(error);

        assertEquals(switch (error) {
            case RpmaError.E_NO_COMPLETION -> Errno.ENOENT;
            case RpmaError.E_INVAL -> Errno.EINVAL;
            default -> EIO;
        }, queue.startPoll());
        assertThrows(IllegalStateException.class, queue::nextPoll);
        assertThrows(IllegalStateException.class, queue::workRequestId);
        assertThrows(IllegalStateException.class, queue::endPoll);
    }

    @Test
    void shouldRefuseToStartABatchWithinABatch() {
        script.willTake(1);

        assertEquals(Errno.OK, queue.startPoll());
        assertThrows(IllegalStateException.class, queue::startPoll);
        assertEquals(1, queue.workRequestId());
        queue.endPoll();
    }

    @Test
    void shouldNotTouchAQueueWhoseConnectionIsClosed() {
        script.willTake(2, 1, 1);
        assertEquals(Errno.OK, queue.startPoll());
        connection.close();
        rpma.calls.clear();

        assertEquals(1, queue.workRequestId(), "taken is taken");
        assertEquals(Errno.OK, queue.nextPoll());
        assertEquals(Errno.ENOENT, queue.nextPoll());
        queue.endPoll();
        assertEquals(Errno.EINVAL, queue.startPoll());
        assertEquals(RpmaError.E_INVAL, queue.getCompletions(1, completions));
        assertEquals(RpmaError.E_INVAL, queue.getCompletion(completions));
        assertEquals(RpmaError.E_INVAL, queue.await(0));
        assertEquals(0, queue.capacity());
        assertEquals(RpmaError.E_INVAL, assertThrows(RpmaException.class, queue::descriptor).code());
        queue.wake();
        queue.close();
        assertEquals(List.of(), rpma.calls);
        assertEquals(List.of(), rpma.usesOfDeleted);
    }

    @Test
    void shouldLiveUntilItsConnectionGoes() {
        queue.close();
        script.willTake(1);

        assertEquals(1, queue.getCompletions(1, completions));
        assertEquals(script.descriptor, queue.descriptor());
    }

    @Test
    void shouldDoNoneOfWhatTheLibraryHasNoCallFor() {
        assertEquals(RpmaConnectionConfiguration.DEFAULT_QUEUE_SIZE, queue.capacity());
        final VerbsException e = assertThrows(VerbsException.class, () -> queue.resize(20));
        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().contains("configure completionQueueSize=20"), e.getMessage());
        assertEquals(Errno.EOPNOTSUPP, queue.requestNotify(false));
        assertEquals(Errno.EOPNOTSUPP, queue.requestNotify(true));
        assertThrows(IllegalArgumentException.class, () -> queue.acknowledgeEvents(1));
        assertFalse(rpma.calls.contains("rpma_cq_get_wc"));
    }

    @Test
    void shouldHaveAQueueOfReceivesWhenItIsConfigured() {
        final RpmaConnectionConfiguration both =
            RpmaConnectionConfiguration.DEFAULT.withReceiveCompletionQueueSize(5);
        try (RpmaConnection other = rpma.connect(both)) {
            final RpmaCompletionQueue receives = other.receiveCompletionQueue();
            rpma.queue(receives).willTake(1);

            assertEquals(5, receives.capacity());
            assertEquals(RpmaError.E_NO_COMPLETION, other.completionQueue().getCompletion(completions));
            assertEquals(RpmaError.OK, receives.getCompletion(completions));
        }
        assertEquals(null, connection.receiveCompletionQueue());
    }
}

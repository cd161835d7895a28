package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Both ways to poll, through every path that a device's answers can make them take. */
class ScriptedCompletionQueueTest {
    private static final int EIO = 5;
    private static final int FIELDS = CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE
        | CompletionField.QUEUE_PAIR_NUMBER | CompletionField.SOURCE_QUEUE_PAIR;

    private static final int BATCH = 4;

    private ScriptedDevice device;

    @BeforeEach
    void script() {
        assumeFalse(HotCalls.isCritical(), "critical calls must not call Java");
        device = new ScriptedDevice();
    }

    @AfterEach
    void close() {
        if (device != null) {
            device.close();
        }
    }

    private ExtendedCompletionQueue extended(final int fields) {
        return new ExtendedCompletionQueue(null, device.queue(), fields, device.notifyFunction(), BATCH);
    }

    private LegacyCompletionQueue legacy(final int fields) {
        return new LegacyCompletionQueue(
            null, device.queue(), fields, device.notifyFunction(), device.pollFunction());
    }

    @Test
    void shouldOweNoEndAfterAStartThatFoundNothing() {
        final CompletionQueue queue = extended(0);
        for (final int result : new int[] {Errno.ENOENT, Errno.EBUSY, EIO}) {
            device.starts.add(result);

            assertEquals(result, queue.startPoll());
            assertThrows(IllegalStateException.class, queue::endPoll);
            assertEquals(Errno.EINVAL, queue.nextPoll());
        }
        assertEquals(List.of("start", "start", "start"), device.calls);
    }

    @Test
    void shouldDrainABatchAndEndItOnce() {
        final CompletionQueue queue = extended(0);
        device.starts.add(Errno.OK);
        device.nexts.addAll(List.of(Errno.OK, Errno.OK, Errno.ENOENT));

        assertEquals(Errno.OK, queue.startPoll());
        for (int id = 1; id <= 3; id++) {
            assertEquals(id, queue.workRequestId());
            assertEquals(id % 2, queue.status());
            assertEquals(id < 3 ? Errno.OK : Errno.ENOENT, queue.nextPoll());
        }
        queue.endPoll();

        assertThrows(IllegalStateException.class, queue::endPoll);
        assertEquals(List.of("start", "next", "next", "next", "end"), device.calls);
    }

    @Test
    void shouldOweAnEndAfterANextThatFailed() {
        final CompletionQueue queue = extended(0);
        device.starts.add(Errno.OK);
        device.nexts.add(EIO);

        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(EIO, queue.nextPoll());
        queue.endPoll();

        assertEquals(List.of("start", "next", "end"), device.calls);
    }

    /** The device has no entry back before the end: a batch that is fed as fast as it is drained must end, too. */
    @Test
    void shouldBoundABatchThatWouldNeverEnd() {
        final CompletionQueue queue = extended(0);
        device.starts.addAll(List.of(Errno.OK, Errno.OK));
        device.nexts.addAll(Collections.nCopies(100, Errno.OK));

        for (int batch = 0; batch < 2; batch++) {
            assertEquals(Errno.OK, queue.startPoll());
            for (int i = 1; i < BATCH; i++) {
                assertEquals(Errno.OK, queue.nextPoll());
            }
            assertEquals(BATCH * (batch + 1), queue.workRequestId());
            assertEquals(Errno.ENOENT, queue.nextPoll());
            assertEquals(Errno.ENOENT, queue.nextPoll());
            queue.endPoll();
        }
    }

    @Test
    void shouldReadWhatWasAskedFor() {
        device.withReaders().starts.add(Errno.OK);
        final CompletionQueue queue = extended(FIELDS);

        assertEquals(Errno.OK, queue.startPoll());
        readAll(queue);
        queue.endPoll();
    }

    private static void readAll(final CompletionQueue queue) {
        assertEquals(129, queue.opcode());
        assertEquals(0x55, queue.vendorError());
        assertEquals(2, queue.flags());
        assertEquals(4096, queue.byteLength());
        assertEquals(0x0102_0304, queue.immediateData(), "the wire's byte order is not this host's");
        assertEquals(17, queue.queuePairNumber());
        assertEquals(18, queue.sourceQueuePair());
    }

    @Test
    void shouldNeverCallAReaderThatWasNotAskedFor() {
        device.starts.add(Errno.OK);
        final CompletionQueue queue = extended(0);

        assertEquals(Errno.OK, queue.startPoll());
        refusesAllFields(queue);
        queue.endPoll();
    }

    private static void refusesAllFields(final CompletionQueue queue) {
        assertThrows(IllegalStateException.class, queue::byteLength);
        assertThrows(IllegalStateException.class, queue::immediateData);
        assertThrows(IllegalStateException.class, queue::queuePairNumber);
        assertThrows(IllegalStateException.class, queue::sourceQueuePair);
    }

    @Test
    void shouldRefuseAQueueThatLacksAReaderAskedFor() {
        assertThrows(IllegalStateException.class, () -> extended(CompletionField.BYTE_LENGTH));
    }

    @Test
    void shouldNotTouchAQueueThatHasOverrun() {
        final ExtendedCompletionQueue queue = extended(0);
        final LegacyCompletionQueue other = legacy(0);
        queue.onOverrun();
        other.onOverrun();

        assertEquals(Errno.EINVAL, queue.startPoll());
        assertEquals(Errno.EINVAL, queue.requestNotify(false));
        assertEquals(Errno.EINVAL, other.startPoll());
        assertEquals(Errno.EINVAL, other.requestNotify(true));
        assertTrue(device.calls.isEmpty());
    }

    @Test
    void shouldEndABatchInWhichTheQueueHasOverrun() {
        final ExtendedCompletionQueue queue = extended(0);
        device.starts.add(Errno.OK);
        assertEquals(Errno.OK, queue.startPoll());

        queue.onOverrun();
        queue.endPoll();

        assertEquals(List.of("start", "end"), device.calls);
    }

    @Test
    void shouldArmForAllOrForSolicitedCompletions() {
        assertEquals(Errno.OK, extended(0).requestNotify(false));
        assertEquals(Errno.OK, legacy(0).requestNotify(true));

        assertEquals(List.of("notify 0", "notify 1"), device.calls);
    }

    @Test
    void shouldTellThatALegacyQueueIsEmptyOrBroken() {
        final CompletionQueue queue = legacy(0);
        device.polls.addAll(List.of(0, -1, -22));

        assertEquals(Errno.ENOENT, queue.startPoll());
        assertThrows(IllegalStateException.class, queue::endPoll);
        assertEquals(EIO, queue.startPoll());
        assertEquals(EIO, queue.startPoll());
        assertThrows(IllegalStateException.class, queue::endPoll);
    }

    @Test
    void shouldNotAskAgainAfterAShortBatch() {
        final CompletionQueue queue = legacy(0);
        device.polls.add(3);

        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(1, queue.workRequestId());
        assertEquals(Errno.OK, queue.nextPoll());
        assertEquals(Errno.OK, queue.nextPoll());
        assertEquals(3, queue.workRequestId());
        assertEquals(1, queue.status());
        assertEquals(Errno.ENOENT, queue.nextPoll());
        queue.endPoll();

        assertEquals(Errno.ENOENT, queue.startPoll());
        assertEquals(List.of("poll 16", "poll 16"), device.calls);
    }

    @Test
    void shouldAskAgainAfterAFullBatch() {
        final CompletionQueue queue = legacy(0);
        device.polls.addAll(List.of(16, 16, 0, 1));

        assertEquals(Errno.OK, queue.startPoll());
        for (int id = 1; id < 32; id++) {
            assertEquals(id, queue.workRequestId());
            assertEquals(Errno.OK, queue.nextPoll());
        }
        assertEquals(32, queue.workRequestId());
        assertEquals(Errno.ENOENT, queue.nextPoll());
        queue.endPoll();

        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(33, queue.workRequestId());
        queue.endPoll();
    }

    @Test
    void shouldOweAnEndAfterAFullBatchAndAnError() {
        final CompletionQueue queue = legacy(0);
        device.polls.addAll(List.of(16, -1, 1));

        assertEquals(Errno.OK, queue.startPoll());
        for (int i = 1; i < 16; i++) {
            assertEquals(Errno.OK, queue.nextPoll());
        }
        assertEquals(EIO, queue.nextPoll());
        queue.endPoll();

        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(17, queue.workRequestId());
    }

    @Test
    void shouldKeepWhatABatchLeavesBehind() {
        final CompletionQueue queue = legacy(0);
        device.polls.add(3);

        for (int id = 1; id <= 3; id++) {
            assertEquals(Errno.OK, queue.startPoll());
            assertEquals(id, queue.workRequestId());
            queue.endPoll();
        }

        assertEquals(1, device.calls.size());
    }

    @Test
    void shouldReadFieldsOfALegacyQueueThatWereAskedForOnly() {
        device.polls.addAll(List.of(1, 1));
        final CompletionQueue all = legacy(FIELDS);
        final CompletionQueue none = legacy(0);

        assertEquals(Errno.OK, all.startPoll());
        readAll(all);
        assertEquals(Errno.OK, none.startPoll());
        refusesAllFields(none);
    }
}

package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.CompletionBatch;
import io.sluice.verbs.foreign.DataPathLinker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The two ways to poll, extended and legacy, through every path that a device's answers can make them take. */
class ScriptedCompletionQueueTest {
    private static final int EIO = 5;
    private static final int BATCH = 4;

    private ScriptedDevice device;

    @BeforeEach
    void script() {
        assumeFalse(DataPathLinker.isCritical(), "critical calls must not call Java");
        device = new ScriptedDevice();
    }

    @AfterEach
    void close() {
        if (device != null) {
            device.close();
        }
    }

    private ExtendedCompletionQueue extended(final int fields) {
        return device.extended(fields, BATCH);
    }

    private LegacyCompletionQueue legacy(final int fields) {
        return device.legacy(fields);
    }

    @Test
    void shouldOweNoEndAfterAStartThatFoundNothing() {
        final CompletionQueue queue = extended(0);
        for (final int result : new int[] {Errno.ENOENT, Errno.EBUSY, EIO}) {
            device.starts.add(result);

            assertEquals(result, queue.startPoll());
            assertThrows(IllegalStateException.class, queue::endPoll);
            assertThrows(IllegalStateException.class, queue::nextPoll);
        }
        assertEquals(List.of("start", "start", "start"), device.calls);
    }

    @Test
    void shouldDrainABatchAndEndItOnce() {
        final CompletionQueue queue = extended(0);
        device.starts.add(Errno.OK);
        device.nexts.addAll(List.of(Errno.OK, Errno.OK, Errno.ENOENT));
        device.statuses.addAll(List.of(1, 2, 3));

        assertEquals(Errno.OK, queue.startPoll());
        for (int id = 1; id <= 3; id++) {
            assertEquals(id, queue.workRequestId());
            assertEquals(id, queue.status());
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

    /** Some providers answer as the kernel does: mana and ionic. */
    @ParameterizedTest
    @CsvSource({"-95, 95", "95, 95", "-2, 2", "-1, 5", "0, 0"})
    void shouldTellWhyAQueueIsNotArmedByAPositiveNumber(final int answer, final int told) {
        device.notifyResult = answer;

        assertEquals(told, extended(0).requestNotify(false));
        assertEquals(told, legacy(0).requestNotify(true));
    }

    @Test
    void shouldArmOnceUntilAnEventIsTakenWhereASecondArmingUndoesTheFirst() {
        final LegacyCompletionQueue queue = legacy(0);
        queue.armOnce();
        device.notifyResult = -Errno.EINVAL;
        assertEquals(Errno.EINVAL, queue.requestNotify(false));
        device.notifyResult = 0;
        for (int i = 0; i < 2; i++) {
            assertEquals(Errno.OK, queue.requestNotify(false));
            assertEquals(Errno.OK, queue.requestNotify(false));
            queue.onEvent();
        }
        assertEquals(Errno.OK, queue.requestNotify(false));
        device.notifyResult = -Errno.EOPNOTSUPP;
        assertEquals(Errno.EOPNOTSUPP, queue.requestNotify(true), "mana has no events for solicited ones only");
        device.notifyResult = 0;
        assertEquals(Errno.OK, queue.requestNotify(false), "it is armed as before");

        queue.onOverrun();
        assertEquals(Errno.EINVAL, queue.requestNotify(false));
        assertEquals(List.of("notify 0", "notify 0", "notify 0", "notify 0", "notify 1"), device.calls);
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
        device.statuses.addAll(List.of(0, 0, WorkStatus.WR_FLUSH_ERR));

        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(1, queue.workRequestId());
        assertEquals(Errno.OK, queue.nextPoll());
        assertEquals(Errno.OK, queue.nextPoll());
        assertEquals(3, queue.workRequestId());
        assertEquals(WorkStatus.WR_FLUSH_ERR, queue.status());
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
    void shouldRefuseToStartABatchWithinABatch() {
        device.starts.add(Errno.OK);
        device.polls.add(1);
        long id = 1;
        for (final CompletionQueue queue : List.of(extended(0), legacy(0))) {
            assertEquals(Errno.OK, queue.startPoll());
            assertThrows(IllegalStateException.class, queue::startPoll);
            assertEquals(id++, queue.workRequestId(), "the first one is current still");
            queue.endPoll();
        }
        assertEquals(List.of("start", "end", "poll 16"), device.calls);
    }

    /** The device's lock may be held until the batch ends. */
    @Test
    void shouldRefuseToBeResizedOrClosedWithinABatch() {
        device.starts.add(Errno.OK);
        device.polls.add(1);
        for (final CompletionQueue queue : List.of(extended(0), legacy(0))) {
            assertEquals(Errno.OK, queue.startPoll());
            assertTrue(assertThrows(IllegalStateException.class, () -> queue.resize(8)).getMessage()
                .contains("resize within a batch"));
            assertTrue(assertThrows(IllegalStateException.class, queue::close).getMessage()
                .contains("close within a batch"));
            queue.endPoll();
        }
    }

    /** Entries that a batch holds back from the device are nobody's to count with. */
    @Test
    void shouldHaveTheCapacityOfTheDeviceWithoutThatOfABatch() {
        device.withEntries(63);
        assertEquals(63 - BATCH, extended(0).capacity());
        assertEquals(63, legacy(0).capacity());

        device.withEntries(ScriptedDevice.CAPACITY);
        assertEquals(ScriptedDevice.CAPACITY, extended(0).capacity(), "a device that has no more");
    }

    @Test
    void shouldRefuseTheNextOfALegacyBatchThatDidNotStart() {
        final CompletionQueue queue = legacy(0);
        assertThrows(IllegalStateException.class, queue::nextPoll);
        assertEquals(Errno.ENOENT, queue.startPoll());
        assertThrows(IllegalStateException.class, queue::nextPoll);

        assertEquals(List.of("poll 16"), device.calls);
    }

    @Test
    void shouldHandOutWorkRequestIdsAsTheyAre() {
        final List<Long> odd = List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 0x8000_0000L);
        device.ids.addAll(odd);
        device.ids.addAll(odd);
        device.starts.add(Errno.OK);
        device.nexts.addAll(Collections.nCopies(odd.size() - 2, Errno.OK));
        device.starts.add(Errno.OK);
        device.polls.add(odd.size());

        assertEquals(odd, drainIds(extended(0)));
        assertEquals(odd, drainIds(legacy(0)));
    }

    private static List<Long> drainIds(final CompletionQueue queue) {
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
    @ValueSource(ints = {1, 2, 7, 15, 16, 17, 31, 32, 33})
    void shouldDrainAnyNumberOfCompletions(final int count) {
        for (int left = count; left > 0; left -= CompletionBatch.CAPACITY) {
            device.polls.add(Math.min(left, CompletionBatch.CAPACITY));
        }
        for (int i = 0; i < count; i++) {
            (i % BATCH == 0 ? device.starts : device.nexts).add(Errno.OK);
            if (i == count - 1 && i % BATCH < BATCH - 1) {
                device.nexts.add(Errno.ENOENT);
            }
        }

        assertEquals(LongStream.rangeClosed(1, count).boxed().toList(), drainIds(legacy(0)));
        assertEquals(LongStream.rangeClosed(count + 1, 2 * count).boxed().toList(), drainIds(extended(0)));
    }
}

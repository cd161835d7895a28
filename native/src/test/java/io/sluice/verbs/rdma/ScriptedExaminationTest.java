package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.Allocations;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.ibv_qp;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue pairs whose states a device is asked for, and when, by a script. */
class ScriptedExaminationTest {
    private static final int MELLANOX = 0x2c9;
    private static final int EIO = 5;

    private final StoppedClock clock = new StoppedClock();
    /** Handles of queue pairs, as the device was asked for them. */
    private final List<Long> asked = new ArrayList<>();
    /** Handles of those that the device says to be in the ERROR state. */
    private final Set<Long> failed = new HashSet<>();
    private final List<ReliableQueuePair> queuePairs = new ArrayList<>();
    private int answer;
    private ScriptedManager manager;

    @BeforeEach
    void assume() {
        PresentLibraries.assume();
    }

    @AfterEach
    void close() {
        if (manager != null) {
            manager.close();
        }
    }

    private void open(final int vendor) {
        manager = new ScriptedManager(clock, RdmaDeviceOptions.DEFAULT, libraries -> {
            final var device = libraries.answer("ibv_query_device");
            libraries.answer("ibv_query_device", arguments -> {
                device.call(arguments);
                ibv_device_attr.vendor_id(segment(arguments[1], ibv_device_attr.sizeof()), vendor);
                return 0;
            });
            libraries.answer("ibv_query_qp", arguments -> {
                final long handle = ((MemorySegment) arguments[0]).address();
                asked.add(handle);
                ibv_qp_attr.qp_state(segment(arguments[1], ibv_qp_attr.sizeof()),
                    failed.contains(handle) ? rdma_constants.IBV_QPS_ERR() : rdma_constants.IBV_QPS_RTS());
                return answer;
            });
        });
    }

    private static MemorySegment segment(final Object pointer, final long length) {
        return ((MemorySegment) pointer).reinterpret(length);
    }

    private static void connect(final ReliableQueuePair queuePair) {
        queuePair.readyToReceive(queuePair.localAddress());
        queuePair.readyToSend();
    }

    private ReliableQueuePair connected() {
        final ReliableQueuePair queuePair = manager.newQueuePair();
        connect(queuePair);
        queuePairs.add(queuePair);
        return queuePair;
    }

    private void connectMany(final int count) {
        for (int i = 0; i < count; i++) {
            connected();
        }
    }

    /** Handles that are asked for from one interval to the next. */
    private List<Long> interval() {
        asked.clear();
        poll();
        poll();
        clock.nowNs += Examination.INTERVAL_NS;
        return List.copyOf(asked);
    }

    private void poll() {
        manager.device.poll((type, queue, queuePair) -> { });
    }

    private void onFailedWork(final ReliableQueuePair queuePair) {
        manager.device.queuePairs().examination().onFailedWork(manager.queue, queuePair.number());
    }

    /** The device is as soft-RoCE: a failure that neither an event nor a completion tells of is found soon. */
    @ParameterizedTest
    @ValueSource(ints = {DeviceVendor.SOFT_ROCE, DeviceVendor.RDMAVT})
    void shouldAskForTheStatesOfAFewQueuePairsAtEachIntervalInTurnWhereEventsAreNotTrusted(final int vendor) {
        open(vendor);
        connectMany(20);
        final List<Integer> counts = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            counts.add(interval().size());
        }
        assertEquals(List.of(8, 8, 4, 8), counts);
        queuePairs.forEach(queuePair -> failed.add(queuePair.handle()));
        for (int round = 0; round < 6; round++) {
            interval();
        }
        queuePairs.forEach(queuePair -> assertEquals(QueuePairState.ERROR, queuePair.state()));
    }

    /** A card's firmware has better things to do than to say again and again that all is well. */
    @Test
    void shouldAskRarelyWhereEventsTellOfFailures() {
        open(MELLANOX);
        connectMany(20);
        final int rounds = (int) (Examination.TRUSTED_TURN_NS / Examination.INTERVAL_NS);
        final Set<Long> all = new HashSet<>();
        for (int turn = 0; turn < 3; turn++) {
            int count = 0;
            for (int round = 0; round < rounds; round++) {
                final List<Long> next = interval();
                count += next.size();
                all.addAll(next);
            }
            assertEquals(turn < 2 ? Examination.AT_ONCE : 4, count);
        }
        assertEquals(20, all.size(), "each has its turn");
    }

    /** A post to irdma may be a system call from when the answer is there, and must not be critical before. */
    @ParameterizedTest
    @CsvSource({DeviceVendor.INTEL + ", 1", MELLANOX + ", 0"})
    void shouldStopAllThreadsOnceForThoseThatAreAskedAtATime(final int vendor, final int fences) {
        open(vendor);
        connectMany(20);
        clock.fences = 0;

        assertEquals(Examination.AT_ONCE, interval().size());

        assertEquals(fences, clock.fences);
    }

    @ParameterizedTest
    @ValueSource(ints = {MELLANOX, DeviceVendor.INTEL, DeviceVendor.SOFT_ROCE})
    void shouldStopAllThreadsOnceForAllThatAnOverrunFails(final int vendor) {
        open(vendor);
        connectMany(20);
        clock.fences = 0;

        manager.device.queuePairs().failThoseOf(manager.queue);

        queuePairs.forEach(queuePair -> assertEquals(QueuePairState.ERROR, queuePair.state()));
        assertEquals(1, clock.fences);
    }

    @ParameterizedTest
    @ValueSource(ints = {MELLANOX, DeviceVendor.SOFT_ROCE})
    void shouldAskFirstForTheQueuePairWhoseWorkHasFailed(final int vendor) {
        open(vendor);
        connectMany(1000);
        interval();
        for (final int index : new int[] {999, 0, 500}) {
            final ReliableQueuePair last = queuePairs.get(index);
            failed.add(last.handle());
            onFailedWork(last);

            assertEquals(last.handle(), interval().getFirst());
            assertEquals(QueuePairState.ERROR, last.state());
        }
    }

    /** Suspects for which there is no room at once come next, and none that have failed already take it from them. */
    @Test
    void shouldAskForAFewOfManyWhoseWorkHasFailedAtATimeAndLeaveNoneOut() {
        open(MELLANOX);
        connectMany(20);
        interval();
        for (final ReliableQueuePair queuePair : queuePairs) {
            failed.add(queuePair.handle());
            onFailedWork(queuePair);
        }
        for (int i = 0; i < Examination.AT_ONCE; i++) {
            queuePairs.get(i).fail();
        }
        assertEquals(Examination.AT_ONCE, interval().size());
        assertEquals(20 - 2 * Examination.AT_ONCE, interval().size());
        queuePairs.forEach(queuePair -> assertEquals(QueuePairState.ERROR, queuePair.state()));
        assertEquals(List.of(), interval());
    }

    /** A device may write the completion before it changes the state. */
    @Test
    void shouldAskOnceMoreWhenTheDeviceDoesNotKnowOfTheErrorYet() {
        open(MELLANOX);
        connectMany(3);
        interval();
        final ReliableQueuePair queuePair = queuePairs.get(1);
        onFailedWork(queuePair);
        assertEquals(List.of(queuePair.handle()), interval());
        failed.add(queuePair.handle());

        assertEquals(List.of(queuePair.handle()), interval());

        assertEquals(QueuePairState.ERROR, queuePair.state());
    }

    /** The duties do not wait for a transition, which may take a second, nor for their next turn after it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAskSoonForAQueuePairThatWasInATransitionWhenAnEventCame(final boolean isOverrun)
        throws InterruptedException {
        open(MELLANOX);
        final ReliableQueuePair queuePair = manager.newQueuePair();
        interval();
        final CountDownLatch isInTransition = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final Thread other = new Thread(() -> queuePair.readyToReceive(() -> {
            isInTransition.countDown();
            awaitQuietly(mayEnd);
        }));
        other.start();
        isInTransition.await();
        if (isOverrun) {
            manager.device.queuePairs().failThoseOf(manager.queue);
        } else {
            queuePair.onFatalEvent();
            assertEquals(0, manager.device.queuePairs().examination().ask(List.of(queuePair)));
        }
        interval();
        interval();
        assertEquals(QueuePairState.INIT, queuePair.state());
        mayEnd.countDown();
        other.join();

        interval();

        assertEquals(QueuePairState.ERROR, queuePair.state());
    }

    private static void awaitQuietly(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Eight that the device refuses to fail must not keep others waiting. */
    @Test
    void shouldComeToEachSuspectThoughOthersCannotBeFailed() {
        open(MELLANOX);
        connectMany(Examination.AT_ONCE + 1);
        interval();
        manager.refuse(rdma_constants.IBV_QPS_ERR(), EIO);
        assertThrows(VerbsException.class, () -> manager.device.queuePairs().failThoseOf(manager.queue));
        final int before = manager.states.size();
        for (int i = 0; i < 3; i++) {
            assertThrows(VerbsException.class, this::poll);
            clock.nowNs += Examination.INTERVAL_NS;
        }
        assertTrue(manager.states.size() - before > 2 * Examination.AT_ONCE);
        manager.refuse(-1, 0);
        interval();
        interval();
        queuePairs.forEach(queuePair -> assertEquals(QueuePairState.ERROR, queuePair.state()));
    }

    /** The completion may be an earlier queue pair's with the number. */
    @Test
    void shouldLetAQueuePairBeThatTheDeviceSaysToBeWell() {
        open(MELLANOX);
        final ReliableQueuePair queuePair = connected();
        interval();
        onFailedWork(queuePair);
        assertEquals(1, interval().size());
        assertEquals(1, interval().size());
        assertEquals(List.of(), interval());
        assertEquals(QueuePairState.READY_TO_SEND, queuePair.state());
    }

    @Test
    void shouldAskAgainWhenTheDeviceDidNotAnswer() {
        open(MELLANOX);
        final ReliableQueuePair queuePair = connected();
        interval();
        onFailedWork(queuePair);
        failed.add(queuePair.handle());
        answer = EIO;
        assertThrows(VerbsException.class, this::poll);
        answer = 0;
        clock.nowNs += Examination.INTERVAL_NS;
        poll();
        assertEquals(QueuePairState.ERROR, queuePair.state());
    }

    /**
     * The device is as mana, which has no ibv_query_qp(3): a completion of another queue pair would break a link that
     * is well.
     */
    @ParameterizedTest
    @CsvSource({"true, false, true, READY_TO_SEND", "false, true, true, READY_TO_SEND", "false, false, false, INIT",
        "false, false, true, ERROR"})
    void shouldTakeFailedWorkForTheErrorStateWhereTheDeviceCannotBeAsked(
        final boolean isOfAnotherQueue, final boolean isOfAnotherNumber, final boolean isConnected,
        final QueuePairState expected) {
        open(MELLANOX);
        answer = Errno.EOPNOTSUPP;
        final VerbsCompletionQueue other = (VerbsCompletionQueue) manager.device.createCompletionQueue(
            new CompletionQueueAttributes(1, 0, null));
        final ReliableQueuePair queuePair = isConnected ? connected() : manager.newQueuePair();
        interval();

        manager.device.queuePairs().examination().onFailedWork(
            isOfAnotherQueue ? other : manager.queue, queuePair.number() + (isOfAnotherNumber ? 1 : 0));
        interval();
        clock.nowNs += Examination.TRUSTED_TURN_NS;
        interval();

        assertEquals(expected, queuePair.state());
    }

    /** A number is given again before the device's tables have seen the earlier one go. */
    @Test
    void shouldFindTheQueuePairThatHasANumberNow() {
        open(MELLANOX);
        answer = Errno.EOPNOTSUPP;
        final ReliableQueuePair earlier = connected();
        final var create = manager.libraries.answer("ibv_create_qp");
        manager.libraries.answer("ibv_create_qp", arguments -> {
            final long handle = create.call(arguments);
            UnsafeApi.putInt(handle + ibv_qp.qp_num$offset(), earlier.number());
            return handle;
        });
        final ReliableQueuePair later = connected();
        earlier.close();
        interval();
        onFailedWork(later);

        interval();

        assertEquals(QueuePairState.ERROR, later.state());
    }

    @Test
    void shouldTellOfWorkOfBothQueuesOfAQueuePair() {
        open(MELLANOX);
        final VerbsCompletionQueue receives = (VerbsCompletionQueue) manager.device.createCompletionQueue(
            new CompletionQueueAttributes(1, 0, null));
        for (final VerbsCompletionQueue queue : List.of(manager.queue, receives)) {
            final ReliableQueuePair queuePair = (ReliableQueuePair) manager.domain.createQueuePair(
                new QueuePairAttributes(manager.queue, receives, 1, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0));
            queuePair.initialise(0);
            connect(queuePair);
            failed.add(queuePair.handle());
            interval();
            manager.device.queuePairs().examination().onFailedWork(queue, queuePair.number());
            interval();
            assertEquals(QueuePairState.ERROR, queuePair.state());
        }
    }

    /** Failures of either interface are told, but not flushes, which may be many, and which say nothing new. */
    @Test
    void shouldTellOfWorkThatHasFailed() {
        assumeFalse(DataPathLinker.isCritical(), "critical calls must not call Java");
        try (ScriptedDevice device = new ScriptedDevice()) {
            for (final CompletionQueue queue : List.of(device.extended(0, 16), device.legacy(0))) {
                device.failures.clear();
                device.reads.clear();
                for (final int status : new int[] {WorkStatus.SUCCESS, WorkStatus.WR_FLUSH_ERR}) {
                    complete(device, queue, status);
                }
                assertEquals(List.of(), device.failures);
                assertEquals(List.of(), device.reads, "the device is not asked for anything");
                complete(device, queue, WorkStatus.RETRY_EXC_ERR);
                assertEquals(List.of(ScriptedDevice.QUEUE_PAIR), device.failures);
            }
        }
    }

    private static void complete(final ScriptedDevice device, final CompletionQueue queue, final int status) {
        device.starts.add(Errno.OK);
        device.polls.add(1);
        device.statuses.add(status);
        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(status, queue.status());
        queue.endPoll();
        device.starts.clear();
        device.polls.clear();
    }

    @Test
    void shouldNotAllocateOnThePollerWhenWorkFails() {
        final Allocations allocations = new Allocations();
        allocations.assume();
        open(MELLANOX);
        connectMany(100);
        final int number = queuePairs.getLast().number();
        allocations.shouldBeNoneOf(() -> {
            manager.device.queuePairs().examination().onFailedWork(manager.queue, number);
            manager.device.queuePairs().examination().onFailedWork(manager.queue, -number);
        });
        interval();
        assertEquals(queuePairs.getLast().handle(), interval().getFirst(), "it was noticed");
    }
}

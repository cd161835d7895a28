package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.DataPathLinker;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.foreign.ScriptedFunctions;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.ibv_recv_wr;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import io.sluice.verbs.rdma.generated.ibv_wc;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of a queue pair of a device whose library would follow its completions to freed memory. */
class ScriptedDrainTest {
    private static final int OTHER = 99;
    private static final int EIO = 5;
    /** Fewer looks than the true clock would take. */
    private static final int PARKS_AT_ONCE = 1000;

    private final ImpatientClock clock = new ImpatientClock();
    /** Completions that polls find: number and request id. */
    private final Deque<long[]> completions = new ArrayDeque<>();
    /** Request ids of what was posted. */
    private final List<Long> sends = new ArrayList<>();
    private final List<Long> receives = new ArrayList<>();
    private boolean isFlushing = true;
    private ScriptedManager manager;
    private ReliableQueuePair queuePair;

    /** The real machine, on which nothing happens while somebody waits. One thread. */
    private static final class ImpatientClock extends ForwardingEnvironment {
        private long nowNs;

        ImpatientClock() {
            super(SystemEnvironment.instance());
        }

        @Override
        public long nanoTime() {
            return nowNs;
        }

        @Override
        public void park(final long durationNs) {
            nowNs += PARKS_AT_ONCE * durationNs;
        }
    }

    @BeforeEach
    void script() {
        PresentLibraries.assume();
        assumeFalse(DataPathLinker.isCritical(), "critical calls must not call Java");
        manager = new ScriptedManager(clock, RdmaDeviceOptions.DEFAULT, libraries -> {
            final ScriptedFunctions.Answer limits = libraries.answer("ibv_query_device");
            libraries.answer("ibv_query_device", arguments -> {
                final long result = limits.call(arguments);
                ibv_device_attr.vendor_id(segment(arguments[1], ibv_device_attr.sizeof()), DeviceVendor.QEDR);
                return result;
            });
            libraries.answer("ibv_post_send",
                arguments -> post(sends, ibv_send_wr.wr_id(segment(arguments[1], ibv_send_wr.sizeof()))));
            libraries.answer("ibv_post_recv",
                arguments -> post(receives, ibv_recv_wr.wr_id(segment(arguments[1], ibv_recv_wr.sizeof()))));
            libraries.answer("ibv_poll_cq", arguments -> poll((int) arguments[1],
                segment(arguments[2], (int) arguments[1] * ibv_wc.sizeof())));
        });
        queuePair = (ReliableQueuePair) manager.domain.createQueuePair(
            new QueuePairAttributes(manager.queue, manager.queue, 1, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0));
    }

    @AfterEach
    void close() {
        if (manager != null) {
            manager.close();
        }
    }

    private static MemorySegment segment(final Object pointer, final long length) {
        return ((MemorySegment) pointer).reinterpret(length);
    }

    private long post(final List<Long> posted, final long id) {
        posted.add(id);
        if (isFlushing) {
            complete(queuePair.number(), id);
        }
        return 0;
    }

    private void complete(final int number, final long id) {
        completions.add(new long[] {number, id});
    }

    private long poll(final int count, final MemorySegment records) {
        int taken = 0;
        while (taken < count && !completions.isEmpty()) {
            final long[] completion = completions.poll();
            final MemorySegment record = ibv_wc.asSlice(records, taken++);
            ibv_wc.qp_num(record, (int) completion[0]);
            ibv_wc.wr_id(record, completion[1]);
            ibv_wc.status(record, WorkStatus.WR_FLUSH_ERR);
        }
        return taken;
    }

    private void makeReadyToReceive() {
        queuePair.initialise(0);
        queuePair.readyToReceive(queuePair.localAddress());
    }

    private void makeReady() {
        makeReadyToReceive();
        queuePair.readyToSend();
    }

    private List<Long> polled() {
        final List<Long> ids = new ArrayList<>();
        while (manager.queue.startPoll() == Errno.OK) {
            do {
                ids.add(manager.queue.workRequestId());
            } while (manager.queue.nextPoll() == Errno.OK);
            manager.queue.endPoll();
        }
        return ids;
    }

    private boolean isDestroyed() {
        return manager.libraries.calls.getLast().equals("ibv_destroy_qp");
    }

    private List<Integer> statesFrom(final int index) {
        return manager.states.subList(index, manager.states.size());
    }

    private void assertRefused(final int errno) {
        assertEquals(errno, assertThrows(VerbsException.class, queuePair::close).errno());
        assertFalse(isDestroyed());
    }

    @Test
    void shouldDestroyItInResetAfterItsMarkers() {
        makeReady();
        complete(OTHER, 1);
        complete(queuePair.number(), 2);
        complete(OTHER, 3);

        queuePair.close();

        assertTrue(isDestroyed());
        assertEquals(sends, receives);
        assertEquals(1, sends.size());
        assertEquals(List.of(rdma_constants.IBV_QPS_ERR(), rdma_constants.IBV_QPS_RESET()), statesFrom(3));
        assertEquals(List.of(1L, 3L), polled());
    }

    @Test
    void shouldKeepWhatIsSetAsideBeforeWhatComesLater() {
        makeReady();
        final List<Long> ids = new ArrayList<>();
        for (long id = 0; id < 50; id++) {
            complete(OTHER, id);
            ids.add(id);
        }
        queuePair.close();
        for (long id = 50; id < 100; id++) {
            complete(OTHER, id);
            ids.add(id);
        }

        assertEquals(ids, polled());
    }

    @Test
    void shouldRefuseAnEndBeforeItsWorkIsFlushedAndRepeatIt() {
        makeReady();
        isFlushing = false;
        assertRefused(Errno.EBUSY);
        isFlushing = true;

        queuePair.close();

        assertTrue(isDestroyed());
        assertEquals(List.of(), polled());
    }

    /** A poller is given no marker, and knows nothing of them. */
    @Test
    void shouldNotHandALateMarkerToThePoller() {
        makeReady();
        isFlushing = false;
        assertRefused(Errno.EBUSY);
        for (int i = 0; i < 20; i++) {
            complete(queuePair.number(), sends.getFirst());
            complete(OTHER, i);
        }

        assertEquals(20, polled().size());
    }

    @Test
    void shouldNotTakeALateMarkerForTheNextOne() {
        makeReady();
        isFlushing = false;
        assertRefused(Errno.EBUSY);
        complete(queuePair.number(), sends.getFirst());
        complete(queuePair.number(), receives.getFirst());

        assertRefused(Errno.EBUSY);
    }

    @Test
    void shouldPostNoMarkerWhereTheDeviceHasNotBegunWithAQueue() {
        makeReadyToReceive();

        queuePair.close();

        assertTrue(isDestroyed());
        assertEquals(List.of(), sends);
        assertEquals(1, receives.size());
    }

    @Test
    void shouldPostNoMarkerToOneThatIsInitialised() {
        queuePair.initialise(0);

        queuePair.close();

        assertTrue(isDestroyed());
        assertEquals(List.of(), sends);
        assertEquals(List.of(), receives);
    }

    @Test
    void shouldChangeNothingOfOneInReset() {
        queuePair.close();

        assertTrue(isDestroyed());
        assertEquals(List.of(), manager.states);
    }

    @Test
    void shouldGoOnWhereAFullQueueHasNoPlaceForAMarker() {
        makeReady();
        manager.libraries.answer("ibv_post_send", -Errno.ENOMEM);

        queuePair.close();

        assertTrue(isDestroyed());
    }

    @Test
    void shouldRefuseAnEndWithoutAMarker() {
        makeReady();
        manager.libraries.answer("ibv_post_send", -EIO);

        assertRefused(EIO);
    }

    @Test
    void shouldRefuseAnEndWhenTheDeviceDoesNotFailIt() {
        makeReady();
        manager.refuse(rdma_constants.IBV_QPS_ERR(), EIO);
        assertRefused(EIO);
        manager.refuse(-1, 0);

        queuePair.close();

        assertTrue(isDestroyed());
    }

    /** Completions that it has left, or that come late, are followed by no poll. */
    @Test
    void shouldNotWaitForADeviceThatIsGoneNorPollItsQueueAnyMore() {
        makeReady();
        isFlushing = false;
        complete(OTHER, 1);
        manager.device.context().presence().onRemoved();

        queuePair.close();

        assertTrue(isDestroyed());
        assertEquals(Collections.emptyList(), sends);
        assertNeverPolled();
    }

    private void assertNeverPolled() {
        manager.libraries.calls.clear();
        complete(queuePair.number(), 2);
        assertEquals(Errno.EINVAL, manager.queue.startPoll());
        assertEquals(List.of(), manager.libraries.calls);
    }

    @Test
    void shouldReleaseADeviceThoughMoreIsThereThanTheQueueHolds() {
        makeReady();
        completeTooMany();

        manager.device.release();

        assertTrue(manager.libraries.calls.contains("ibv_destroy_qp"));
        assertTrue(manager.libraries.calls.contains("ibv_close_device"));
    }

    private void completeTooMany() {
        for (int i = 0; i < 2 * manager.queue.capacity(); i++) {
            complete(OTHER, i);
        }
    }

    /** A device that has lost its completions never flushes it: its queue is given up then, as one that has overrun. */
    @Test
    void shouldEndAQueuePairWhoseWorkIsNeverFlushed() {
        makeReady();
        final ReliableQueuePair other = manager.newQueuePair();
        isFlushing = false;
        for (int i = 1; i < QueuePairDrain.ATTEMPTS; i++) {
            assertRefused(Errno.EBUSY);
            assertEquals(Errno.ENOENT, manager.queue.startPoll());
        }

        queuePair.close();

        assertTrue(isDestroyed());
        assertNeverPolled();
        final List<String> events = new ArrayList<>();
        manager.device.poll((type, completionQueue, pair) -> {
            assertSame(manager.queue, completionQueue);
            events.add(type.name());
        });
        assertEquals(List.of("CQ_ERR"), events);
        assertEquals(QueuePairState.ERROR, other.state());
        manager.device.poll((type, completionQueue, pair) -> events.add(type.name()));
        assertEquals(1, events.size(), "told once");
        other.close();
        manager.queue.close();
        manager.domain.close();
        manager.device.close();
    }

    @Test
    void shouldCountRefusalsOfEachQueuePairForItself() {
        makeReady();
        isFlushing = false;
        assertRefused(Errno.EBUSY);
        assertRefused(Errno.EBUSY);
        queuePair = (ReliableQueuePair) manager.domain.createQueuePair(
            new QueuePairAttributes(manager.queue, manager.queue, 1, 1, 0, 0, 0, 0, 0).withReadAtomic(0, 0));
        makeReady();

        assertRefused(Errno.EBUSY);

        assertEquals(Errno.ENOENT, manager.queue.startPoll());
    }

    @Test
    void shouldEndAQueuePairWhenNobodyPollsForTheOthers() {
        makeReady();
        completeTooMany();
        for (int i = 1; i < QueuePairDrain.ATTEMPTS; i++) {
            assertRefused(Errno.EBUSY);
        }

        queuePair.close();

        assertTrue(isDestroyed());
        assertNeverPolled();
    }

    /** The device may refuse even then, and is asked again. */
    @Test
    void shouldStayAsLongAsTheDeviceRefusesToDestroyIt() {
        makeReady();
        isFlushing = false;
        for (int i = 1; i < QueuePairDrain.ATTEMPTS; i++) {
            assertRefused(Errno.EBUSY);
        }
        manager.libraries.answer("ibv_destroy_qp", EIO);
        assertEquals(EIO, assertThrows(VerbsException.class, queuePair::close).errno());
        assertEquals(Errno.EINVAL, manager.queue.startPoll());
        manager.libraries.answer("ibv_destroy_qp", Errno.OK);

        queuePair.close();

        assertTrue(isDestroyed());
    }

    @Test
    void shouldNotWaitForAQueueThatHasOverrun() {
        makeReady();
        isFlushing = false;
        manager.queue.onOverrun();

        queuePair.close();

        assertTrue(isDestroyed());
        assertEquals(Collections.emptyList(), sends);
    }

    @Test
    void shouldDestroyAQueuePairOfAnotherDeviceAsItIs() {
        try (ScriptedManager other = new ScriptedManager()) {
            other.newQueuePair().close();

            assertEquals(List.of(rdma_constants.IBV_QPS_INIT()), other.states);
        }
    }

    /** A queue that is large enough for all work never has so many completions. */
    @Test
    void shouldSetNoMoreAsideThanTheQueueHolds() {
        makeReady();
        final int many = 2 * manager.queue.capacity();
        for (int i = 0; i < many; i++) {
            complete(OTHER, i);
        }
        assertRefused(Errno.EBUSY);

        assertEquals(many, polled().size());

        queuePair.close();
        assertTrue(isDestroyed());
    }
}

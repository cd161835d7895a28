package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_cq_init_attr_ex;
import io.sluice.verbs.rdma.generated.ibv_device_attr;
import io.sluice.verbs.rdma.generated.ibv_port_attr;
import io.sluice.verbs.rdma.generated.ibv_qp_attr;
import io.sluice.verbs.rdma.generated.ibv_srq_init_attr;
import io.sluice.verbs.rdma.generated.rdma_constants;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each trait of the cards, by a use that it forbids: without that a suite that passes would tell nothing. */
class ModelTraitsTest {
    private static final int PLAIN = CompletionQueueFlags.NONE;
    private static final int EIO = 5;
    private static final int READ_PLACES = 128;
    private DirectDevice device;

    @AfterEach
    void close() {
        if (device != null) {
            device.close();
        }
    }

    private DirectDevice open(final ModelCard card) {
        device = new DirectDevice(card);
        return device;
    }

    private void assertViolated(final String part) {
        final String found = device.violations();
        assertTrue(found.contains(part), "found: " + found);
    }

    private void assertSafe() {
        assertEquals("", device.violations());
    }

    /** Within a batch from now on. */
    private void startBatch(final long queue, final long queuePair) {
        assertEquals(Errno.OK, device.write(queuePair, WorkFlags.NONE));
        assertEquals(Errno.OK, device.polls.startPoll(queue, 0));
    }

    private static void onAnotherThread(final Runnable action) throws InterruptedException {
        final Thread thread = new Thread(action);
        thread.start();
        thread.join();
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeSaidOfSomeCardWithItsSource(final Trait trait) {
        assertTrue(ModelCard.all().stream().anyMatch(card -> card.has(trait)), trait.name());
        ModelCard.all().forEach(card -> card.traits().values().forEach(
            source -> assertTrue(source.matches(".+/.+\\.[ch](:\\d+.*)?"), card + " " + source)));
    }

    @Test
    void shouldFindASecondPollerOfALockedBatch() throws InterruptedException {
        final long queue = open(ModelCard.MLX5).queue(PLAIN);
        startBatch(queue, device.link(queue));

        device.polls.startPoll(queue, 0);
        assertViolated("this thread holds since ibv_start_poll");
        onAnotherThread(() -> device.polls.pollQueue(queue, 0, 0));
        assertViolated("another thread holds since ibv_start_poll");
    }

    @Test
    void shouldFindASecondPollerOfAQueueForASingleThread() {
        final long queue = open(ModelCard.MLX5).queue(CompletionQueueFlags.SINGLE_THREADED);
        startBatch(queue, device.link(queue));

        device.polls.startPoll(queue, 0);

        assertViolated("which a single thread polls");
    }

    @Test
    void shouldNotLockABatchOfACardThatPollsOneByOne() {
        final long queue = open(ModelCard.IONIC).queue(PLAIN);
        startBatch(queue, device.link(queue));

        device.polls.startPoll(queue, 0);

        assertSafe();
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeTheQueuesLockForAPostThatIsOneTooMany(final Flags flags) {
        final long queue = open(ModelCard.MLX5).queue(flags.bits);
        final long queuePair = device.link(queue);
        for (int i = 1; i < DirectDevice.PLACES; i++) {
            device.write(queuePair, WorkFlags.NONE);
        }
        assertEquals(Errno.OK, device.write(queuePair, WorkFlags.NONE));
        assertEquals(Errno.ENOMEM, device.write(queuePair, WorkFlags.NONE));
        assertSafe();
        device.polls.startPoll(queue, 0);
        assertEquals(Errno.OK, device.write(queuePair, WorkFlags.NONE));
        assertSafe();

        assertEquals(Errno.ENOMEM, device.write(queuePair, WorkFlags.NONE));

        if (flags == Flags.NONE) {
            assertViolated("ibv_post_send takes the lock of completion queue");
        } else {
            assertSafe();
        }
    }

    /** Flags of a completion queue. */
    enum Flags {
        NONE(CompletionQueueFlags.NONE),
        SINGLE_THREADED(CompletionQueueFlags.SINGLE_THREADED);

        private final int bits;

        Flags(final int bits) {
            this.bits = bits;
        }
    }

    @Test
    void shouldRemoveTheEntriesOfAQueuePairThatIsDestroyed() {
        final long queue = open(ModelCard.MLX5).queue(PLAIN);
        final long queuePair = device.link(queue);
        device.write(queuePair, WorkFlags.NONE);

        device.queues.destroyQp(queuePair);

        assertEquals(-1, device.status(queue));
        assertSafe();
    }

    @Test
    void shouldKeepTheEntriesOfAQueuePairThatTheKernelDestroys() {
        final long queue = open(ModelCard.RXE).queue(PLAIN);
        final long queuePair = device.link(queue);
        device.write(queuePair, WorkFlags.NONE);

        device.queues.destroyQp(queuePair);

        assertEquals(WorkStatus.SUCCESS, device.status(queue));
    }

    @Test
    void shouldNotPollWhileAQueuePairThatPollsFollowIsDestroyed() {
        for (final ModelCard card : new ModelCard[] {ModelCard.ERDMA, ModelCard.QEDR, ModelCard.BNXT, ModelCard.RXE}) {
            final long queue = open(card).queue(PLAIN);
            final long other = device.queue(PLAIN);
            final long queuePair = device.link(queue);
            device.queues.onDestroy(() -> device.status(other));
            device.queues.destroyQp(device.link(queue));
            assertSafe();
            device.queues.onDestroy(() -> device.status(queue));

            device.queues.destroyQp(queuePair);

            if (card.has(Trait.FOLLOWS_QUEUE_PAIRS)) {
                assertViolated("may follow a pointer to a queue pair that is being freed");
            } else {
                assertSafe();
            }
            assertEquals(-1, device.status(queue));
            assertSafe();
            device.close();
        }
        device = null;
    }

    @Test
    void shouldNotMeetACompletionOfAFreedQueuePairWherePollsFollowIt() {
        for (final ModelCard card : new ModelCard[] {ModelCard.QEDR, ModelCard.ERDMA}) {
            final long queue = open(card).queue(PLAIN);
            final long queuePair = device.link(queue);
            device.write(queuePair, WorkFlags.NONE);
            device.write(queuePair, WorkFlags.NONE);
            assertEquals(WorkStatus.SUCCESS, device.status(queue));
            assertSafe();

            device.queues.destroyQp(queuePair);
            assertSafe();

            device.status(queue);
            if (card.has(Trait.FOLLOWS_FREED_QUEUE_PAIRS)) {
                assertViolated("ibv_poll_cq follows a completion to queue pair");
            } else {
                assertSafe();
            }
            device.close();
        }
        device = null;
    }

    @Test
    void shouldWaitForTheEndOfABatchToDestroyAQueuePair() throws InterruptedException {
        final long queue = open(ModelCard.MLX5).queue(PLAIN);
        final long queuePair = device.link(queue);
        startBatch(queue, queuePair);
        final Thread destroyer = new Thread(() -> device.queues.destroyQp(queuePair));
        destroyer.start();
        while (destroyer.getState() != Thread.State.TIMED_WAITING && destroyer.isAlive()) {
            Thread.yield();
        }

        device.polls.endPoll(queue);
        destroyer.join();

        assertSafe();
    }

    @Test
    void shouldNotDestroyAQueuePairWithinABatchOfTheSameThread() {
        final long queue = open(ModelCard.MLX5).queue(PLAIN);
        final long queuePair = device.link(queue);
        startBatch(queue, queuePair);

        device.queues.destroyQp(queuePair);

        assertViolated("ibv_destroy_qp takes the lock");
    }

    @Test
    void shouldNotDestroyAQueuePairUnderASingleThreadedPoller() throws InterruptedException {
        final long queue = open(ModelCard.MLX5).queue(CompletionQueueFlags.SINGLE_THREADED);
        final long queuePair = device.link(queue);
        startBatch(queue, queuePair);

        onAnotherThread(() -> device.queues.destroyQp(queuePair));

        assertViolated("ibv_destroy_qp takes a queue pair from completion queue");
    }

    @Test
    void shouldNotPollWhileAResizeHoldsTheLock() throws InterruptedException {
        final long queue = open(ModelCard.MLX5).queue(PLAIN);
        final CountDownLatch isInside = new CountDownLatch(1);
        final CountDownLatch mayLeave = new CountDownLatch(1);
        device.queues.onResize(() -> {
            isInside.countDown();
            try {
                mayLeave.await();
            } catch (final InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        final Thread resizer = new Thread(() -> device.queues.resizeCq(queue, 2 * DirectDevice.PLACES));
        resizer.start();
        isInside.await();

        device.polls.startPoll(queue, 0);
        mayLeave.countDown();
        resizer.join();

        assertViolated("ibv_start_poll takes the lock of completion queue 2, which another thread holds since"
            + " ibv_resize_cq");
    }

    @Test
    void shouldResizeOnlyWhereTheProviderDoes() {
        open(ModelCard.HNS);

        assertEquals(Errno.EOPNOTSUPP, device.queues.resizeCq(device.queue(PLAIN), 2));
        device.close();
        open(ModelCard.RXE);
        assertEquals(Errno.OK, device.queues.resizeCq(device.queue(PLAIN), 2));
    }

    @Test
    void shouldNotTellStatesWithoutAQuery() {
        final long queue = open(ModelCard.MANA).queue(PLAIN);
        final MemorySegment attributes = device.struct(ibv_qp_attr.layout());

        final int result = device.queues.queryQp(device.link(queue), attributes.address(), 1, 0);

        assertEquals(Errno.EOPNOTSUPP, result);
    }

    @Test
    void shouldSendInlineBytesAsTheyWereAtThePost() {
        final long queue = open(ModelCard.MLX5).queue(PLAIN);
        device.send(1);
        device.write(device.link(queue), WorkFlags.INLINE);
        device.send(2);

        assertEquals(WorkStatus.SUCCESS, device.status(queue));
        assertEquals(1, device.written());
    }

    @Test
    void shouldSendLaterBytesWhereTheInlineFlagIsIgnored() {
        final long queue = open(ModelCard.MANA).queue(PLAIN);
        device.send(1);
        device.write(device.link(queue), WorkFlags.INLINE);
        device.send(2);

        assertEquals(WorkStatus.SUCCESS, device.status(queue));
        assertEquals(2, device.written());
    }

    @Test
    void shouldGrantNoMoreInlineBytesThanTheCardHas() {
        for (final ModelCard card : ModelCard.all()) {
            open(card);
            final long queue = device.queue(PLAIN);
            final int type = card.has(Trait.LACKS_CONNECTIONS)
                ? rdma_constants.IBV_QPT_UD() : rdma_constants.IBV_QPT_RC();
            assertNotEquals(0, device.pair(queue, type, card.maxInlineBytes(), 1), card.name());
            assertEquals(card.has(Trait.GRANTS_LESS_INLINE),
                device.pair(queue, type, card.maxInlineBytes() + 1, 1) != 0, card.name());
            assertEquals(0, device.pair(queue, type, 0, card.maxScatterEntries() + 1), card.name());
            device.close();
        }
        device = null;
    }

    @Test
    void shouldWriteIntoTheLastRequestByTheBuilderOfAFullQueue() {
        final long queue = open(ModelCard.MLX5).queue(PLAIN);
        final long queuePair = device.link(queue);
        for (int i = 0; i < DirectDevice.PLACES; i++) {
            device.build(queuePair);
            assertEquals(Errno.OK, device.builder.complete(queuePair));
        }
        assertSafe();

        device.build(queuePair);

        assertEquals(Errno.ENOMEM, device.builder.complete(queuePair));
        assertViolated("writes into the request");
    }

    @Test
    void shouldPollUnderTheLockOfTheBuilder() {
        final long queue = open(ModelCard.IONIC).queue(PLAIN);
        final long queuePair = device.link(queue);
        device.write(queuePair, WorkFlags.NONE);
        device.build(queuePair);

        device.polls.startPoll(queue, 0);

        assertViolated("ibv_start_poll takes the lock of the send queue");
    }

    @Test
    void shouldHoldTheQueuesLockWhileARequestIsBuilt() throws InterruptedException {
        final long queue = open(ModelCard.IONIC).queue(PLAIN);
        final long built = device.link(queue);
        final long other = device.link(queue);
        device.build(built);

        device.polls.pollQueue(queue, 0, 0);
        assertViolated("ibv_poll_cq takes the lock of completion queue");
        onAnotherThread(() -> device.write(other, WorkFlags.NONE));
        assertViolated("ibv_post_send takes the lock of completion queue");
        onAnotherThread(() -> device.builder.start(other));
        assertViolated("ibv_wr_start takes the lock of completion queue");
    }

    @Test
    void shouldLetGoOfTheQueueWhenARequestIsBuilt() {
        final long queue = open(ModelCard.IONIC).queue(PLAIN);
        final long queuePair = device.link(queue);
        device.build(queuePair);

        assertEquals(Errno.OK, device.builder.complete(queuePair));

        assertEquals(Errno.ENOENT, device.polls.startPoll(queue, 0));
        assertSafe();
    }

    @Test
    void shouldHaveNoConnectionsAndNoLidOnEfa() {
        open(ModelCard.EFA);
        final MemorySegment port = device.struct(ibv_port_attr.layout());
        device.device.queryPort(device.context, (byte) 1, port.address());

        assertEquals(0, device.connectedPair(device.queue(PLAIN)));
        assertEquals(rdma_constants.IBV_LINK_LAYER_UNSPECIFIED(), ibv_port_attr.link_layer(port));
        assertEquals(0, ibv_port_attr.lid(port));
    }

    @Test
    void shouldConnectAndNeverDeliverWithoutTheRouteThatIsRequired() {
        final long queue = open(ModelCard.MLX5_VF).queue(PLAIN);
        final MemorySegment port = device.struct(ibv_port_attr.layout());
        device.device.queryPort(device.context, (byte) 1, port.address());
        assertEquals(1, ibv_port_attr.flags(port));

        device.write(device.link(queue), WorkFlags.NONE);
        assertEquals(WorkStatus.SUCCESS, device.status(queue));
        device.lacksRoute = true;
        device.write(device.link(queue), WorkFlags.NONE);

        assertEquals(WorkStatus.RETRY_EXC_ERR, device.status(queue));
    }

    @Test
    void shouldHaveSharedReceivesAndAtomicsOnlyWhereTheProviderDoes() {
        for (final ModelCard card : ModelCard.all()) {
            open(card);
            final MemorySegment limits = device.struct(ibv_device_attr.layout());
            device.device.queryDevice(device.context, limits.address());
            assertEquals(card.has(Trait.ATOMICS), ibv_device_attr.atomic_cap(limits) != 0, card.name());
            assertEquals(card.has(Trait.SHARED_RECEIVES), ibv_device_attr.max_srq(limits) != 0, card.name());
            assertEquals(card.has(Trait.SHARED_RECEIVES), device.objects.createSrq(
                device.domain, device.struct(ibv_srq_init_attr.layout()).address()) != 0, card.name());
            if (!card.has(Trait.LACKS_CONNECTIONS)) {
                assertEquals(card.has(Trait.ATOMICS) ? Errno.OK : Errno.EINVAL, device.post(
                    device.link(device.queue(PLAIN)), Work.FETCH_ADD, 0, Long.BYTES, 1), card.name());
            }
            device.close();
        }
        device = null;
    }

    @Test
    void shouldOfferTheFunctionsThatTheProviderHas() {
        for (final ModelCard card : ModelCard.all()) {
            open(card);
            assertEquals(card.has(Trait.EXTENDED_QUEUES), has(verbs_context.create_cq_ex$offset()), card.name());
            assertEquals(card.has(Trait.BUILDER), has(verbs_context.create_qp_ex$offset()), card.name());
            assertEquals(card.has(Trait.PARENT_DOMAINS), has(verbs_context.alloc_td$offset()), card.name());
            assertEquals(card.has(Trait.READS_CLOCK), has(verbs_context.query_rt_values$offset()), card.name());
            device.close();
        }
        device = null;
    }

    private boolean has(final long offset) {
        return UnsafeApi.getLong(device.context - verbs_context.context$offset() + offset) != 0;
    }

    @Test
    void shouldRefuseFieldsAndFlagsThatTheProviderDoesNotHave() {
        open(ModelCard.IRDMA);
        final MemorySegment asked = device.struct(ibv_cq_init_attr_ex.layout());
        ibv_cq_init_attr_ex.cqe(asked, 1);
        ibv_cq_init_attr_ex.wc_flags(asked, CompletionField.DESTINATION_PATH_BITS);

        assertEquals(0, device.queues.createExtendedQueue(device.context, asked.address()));
        assertEquals(0, device.queue(CompletionQueueFlags.IGNORE_OVERRUN));
        assertNotEquals(0, device.queue(PLAIN));
    }

    @Test
    void shouldLockAQueueForASingleThreadWhereThatIsIgnored() {
        final long queue = open(ModelCard.IRDMA).queue(CompletionQueueFlags.SINGLE_THREADED);
        startBatch(queue, device.link(queue));

        device.polls.startPoll(queue, 0);

        assertViolated("this thread holds since ibv_start_poll");
    }

    @Test
    void shouldGrantLessInlineBytesOrRefuse() {
        final long queue = open(ModelCard.HNS).queue(PLAIN);
        final int max = ModelCard.HNS.maxInlineBytes();

        assertNotEquals(0, device.pair(queue, rdma_constants.IBV_QPT_RC(), max + 1, 1));
        assertEquals(max, device.grantedInline());
        assertEquals(Errno.EINVAL, device.post(device.link(queue), Work.WRITE, WorkFlags.INLINE, max + 1, 1));
    }

    @Test
    void shouldEnterTheKernelForAPostInError() throws InterruptedException {
        final long queue = open(ModelCard.IRDMA).queue(PLAIN);
        final long queuePair = device.link(queue);
        device.fail(queuePair);

        // where no plain call was before it
        onAnotherThread(() -> device.write(queuePair, WorkFlags.NONE));

        assertViolated("is a system call");
    }

    @Test
    void shouldEnterTheKernelForEachSendOfSoftRoce() throws InterruptedException {
        final long queue = open(ModelCard.RXE).queue(PLAIN);
        final long queuePair = device.link(queue);

        onAnotherThread(() -> device.write(queuePair, WorkFlags.NONE));

        assertViolated("a post of a send is a system call");
    }

    @Test
    void shouldRefusePostsToAQueuePairThatACallHasFailed() {
        final long queue = open(ModelCard.ERDMA).queue(PLAIN);
        final long queuePair = device.link(queue);
        assertEquals(Errno.OK, device.write(queuePair, WorkFlags.NONE));
        assertEquals(Errno.OK, device.receive(queuePair, 1));
        device.fail(queuePair);

        assertEquals(-EIO, device.write(queuePair, WorkFlags.NONE));
        assertEquals(-EIO, device.receive(queuePair, 2));
    }

    /** Posts are refused as soon as {@code ibv_query_qp} finds the state, and not before. */
    @Test
    void shouldRefusePostsToAQueuePairThatAQueryHasFoundInError() {
        final long queue = open(ModelCard.ERDMA).queue(PLAIN);
        final long queuePair = device.link(queue);
        device.post(queuePair, Work.READ, 0, DirectDevice.LENGTH, 1);
        assertEquals(Errno.OK, device.write(queuePair, WorkFlags.NONE));

        assertEquals(Errno.OK,
            device.queues.queryQp(queuePair, device.struct(ibv_qp_attr.layout()).address(), 1, 0));

        assertEquals(-EIO, device.write(queuePair, WorkFlags.NONE));
    }

    @ParameterizedTest
    @EnumSource
    void shouldFlushReceivesBeforeOrAfterTheError(final Order order) {
        final long queue = open(order.card).queue(PLAIN);
        final long queuePair = device.link(queue);
        device.receive(queuePair, 1);

        device.post(queuePair, Work.READ, 0, DirectDevice.LENGTH, 1);

        assertEquals(order.first, device.status(queue));
        assertEquals(order.second, device.status(queue));
    }

    /** Order of the completions of a queue pair that has failed, here since its peer grants no reads. */
    enum Order {
        BEFORE(ModelCard.IRDMA, WorkStatus.WR_FLUSH_ERR, WorkStatus.REM_INV_REQ_ERR),
        AFTER(ModelCard.MLX5, WorkStatus.REM_INV_REQ_ERR, WorkStatus.WR_FLUSH_ERR);

        private final ModelCard card;
        private final int first;
        private final int second;

        Order(final ModelCard card, final int first, final int second) {
            this.card = card;
            this.first = first;
            this.second = second;
        }
    }

    @Test
    void shouldFreePlacesWhenDoneOrWhenPolled() {
        for (final ModelCard card : new ModelCard[] {ModelCard.RXE, ModelCard.BNXT}) {
            open(card);
            final long queuePair = device.link(device.queue(PLAIN));
            for (int i = 0; i < DirectDevice.PLACES; i++) {
                assertEquals(Errno.OK, device.write(queuePair, WorkFlags.NONE));
            }
            assertEquals(card.has(Trait.FREES_PLACES_WHEN_DONE) ? Errno.OK : Errno.ENOMEM,
                device.write(queuePair, WorkFlags.NONE), card.name());
            device.close();
        }
        device = null;
    }

    @Test
    void shouldAnswerAFullQueueWithANegativeErrorWhereTheProviderDoes() {
        for (final ModelCard card : new ModelCard[] {ModelCard.QEDR, ModelCard.ERDMA, ModelCard.BNXT}) {
            open(card);
            final int sign = card.has(Trait.ANSWERS_NEGATIVE_ERRORS) ? -1 : 1;
            final long queuePair = device.link(device.queue(PLAIN));
            for (int i = 0; i < DirectDevice.PLACES; i++) {
                assertEquals(Errno.OK, device.write(queuePair, WorkFlags.NONE));
                assertEquals(Errno.OK, device.receive(queuePair, i));
            }
            assertEquals(sign * Errno.ENOMEM, device.write(queuePair, WorkFlags.NONE), card.name());
            assertEquals(sign * Errno.ENOMEM, device.receive(queuePair, 0), card.name());
            device.close();
        }
        device = null;
    }

    @Test
    void shouldCallAReadInvalidForWhichTheRingHasNoPlace() {
        for (final ModelCard card : new ModelCard[] {ModelCard.MANA, ModelCard.BNXT}) {
            open(card);
            final long queuePair = device.waitingPair(device.queue(PLAIN), 2 * READ_PLACES);
            for (int i = 0; i < READ_PLACES; i++) {
                assertEquals(Errno.OK, device.post(queuePair, Work.READ, 0, Long.BYTES, 1));
            }

            assertEquals(card.has(Trait.READS_IN_A_RING) ? Errno.EINVAL : Errno.OK,
                device.post(queuePair, Work.READ, 0, Long.BYTES, 1), card.name());
            assertEquals(Errno.OK, device.write(queuePair, WorkFlags.NONE), card.name());
            device.close();
        }
        device = null;
    }

    @Test
    void shouldArmForSolicitedCompletionsOnlyWhereTheProviderDoes() {
        for (final ModelCard card : ModelCard.all()) {
            open(card);
            final long queue = device.announcedQueue();
            final int sign = card.has(Trait.ARMS_WITH_NEGATIVE_ERRORS) ? -1 : 1;
            assertEquals(card.has(Trait.LACKS_SOLICITED_EVENTS) ? sign * Errno.EOPNOTSUPP : Errno.OK,
                device.polls.requestNotify(queue, 1), card.name());
            assertEquals(Errno.OK, device.polls.requestNotify(queue, 0), card.name());
            assertSafe();
            device.close();
        }
        device = null;
    }

    @Test
    void shouldNotArmAQueueWithoutAChannel() {
        for (final ModelCard card : new ModelCard[] {ModelCard.IONIC, ModelCard.EFA}) {
            open(card);
            final int sign = card.has(Trait.ARMS_WITH_NEGATIVE_ERRORS) ? -1 : 1;

            assertEquals(sign * Errno.ENOENT, device.polls.requestNotify(device.queue(PLAIN), 0), card.name());

            assertViolated("which has no channel");
            device.close();
        }
        open(ModelCard.RXE);
        assertEquals(Errno.OK, device.polls.requestNotify(device.queue(PLAIN), 0));
        assertSafe();
    }

    @ParameterizedTest
    @EnumSource
    void shouldLoseTheArmingOfAnEmptyQueueThatIsRepeated(final Repeated repeated) {
        final long queue = open(repeated.card).announcedQueue();
        final long queuePair = device.link(queue);
        for (int i = 0; i < repeated.armings; i++) {
            assertEquals(Errno.OK, device.polls.requestNotify(queue, 0));
        }

        device.write(queuePair, WorkFlags.NONE);

        assertEquals(repeated.isAnnounced, device.hasEvent());
        device.status(queue);
        assertEquals(Errno.OK, device.polls.requestNotify(queue, 0));
        device.write(queuePair, WorkFlags.NONE);
        assertTrue(device.hasEvent(), "one was polled before");
    }

    /** The times that a queue is armed in which nothing is. */
    enum Repeated {
        ONCE(ModelCard.MANA, 1, true),
        TWICE(ModelCard.MANA, 2, false),
        ELSEWHERE(ModelCard.BNXT, 2, true);

        private final ModelCard card;
        private final int armings;
        private final boolean isAnnounced;

        Repeated(final ModelCard card, final int armings, final boolean isAnnounced) {
            this.card = card;
            this.armings = armings;
            this.isAnnounced = isAnnounced;
        }
    }

    @Test
    void shouldFindAnObjectThatIsGone() {
        open(ModelCard.RXE);
        final long queue = device.queue(PLAIN);
        final SetupCall endPoll = SetupCall.at("ibv_end_poll", device.fabric.stubs.of(device.polls, "endPoll"),
            FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
        endPoll.invoke(queue);
        assertSafe();
        device.fabric.handles.remove(queue);

        endPoll.invoke(queue);

        assertViolated("the model has no object like this: ModelCompletionQueue at 0x" + Long.toHexString(queue));
    }
}

package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.rdma.PostingInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No call that is linked as critical waits for a lock that is held across a system call, nor makes one, on any card: a
 * safepoint would wait as long. A model tells such a call as a violation, and lets a plain one wait.
 */
class CriticalCallsTest extends OpenedModelTests {
    private QueuePair left;
    private QueuePair right;

    /**
     * A card and how sends are posted to it.
     *
     * @param card    below the provider.
     * @param posting interface.
     */
    record Case(ModelCard card, PostingInterface posting) {
    }

    private static Stream<Case> cases() {
        return ModelCard.all().stream().filter(card -> !card.has(Trait.LACKS_CONNECTIONS)).flatMap(card ->
            Stream.of(PostingInterface.values()).filter(posting ->
                posting == PostingInterface.WORK_REQUESTS || ModelCardsTest.canBuild(card))
                .map(posting -> new Case(card, posting)));
    }

    private static Stream<Case> resizingCases() {
        return cases().filter(one -> ModelCardsTest.canResize(one.card));
    }

    private static Stream<Case> queryCases() {
        return cases().filter(one -> !one.card.has(Trait.LACKS_STATE_QUERY));
    }

    private void open(final Case one) {
        open(one.card, one.posting, 16 * WORK);
        left = keep(queuePair());
        right = keep(queuePair());
        link(left, right);
    }

    private QueuePair queuePair() {
        return domain.createQueuePair(new QueuePairAttributes(queue, queue, WORK, WORK, 0, 0, 12, 6, 14));
    }

    private int write(final int length) {
        return left.postWrite(1, WorkFlags.SIGNALED, region.address(), region.localKey(), length,
            region.address() + length, region.remoteKey());
    }

    /** Result of the first post that is refused. */
    private int fillSends() {
        int result = Errno.OK;
        for (int i = 0; i < 2 * WORK && result == Errno.OK; i++) {
            result = write(Long.BYTES);
        }
        return result;
    }

    private int fillReceives() {
        int result = Errno.OK;
        for (int i = 0; i < 2 * WORK && result == Errno.OK; i++) {
            result = left.postReceive(1, region.address(), region.localKey(), Long.BYTES);
        }
        return result;
    }

    @ParameterizedTest
    @MethodSource("resizingCases")
    void shouldNotWaitForAResize(final Case one) throws InterruptedException {
        open(one);
        final boolean isFullAtOnce =
            !one.card.has(Trait.FREES_PLACES_WHEN_DONE) || one.posting == PostingInterface.BUILDER;
        assertEquals(isFullAtOnce ? Errno.ENOMEM : Errno.OK, fillSends());
        assertEquals(Errno.ENOMEM, fillReceives());
        final AtomicInteger calls = new AtomicInteger();
        final List<Thread> threads = new ArrayList<>();
        model.onResize(aside(() -> {
            assertEquals(Errno.EBUSY, poll());
            calls.incrementAndGet();
            assertEquals(isFullAtOnce ? Errno.ENOMEM : Errno.OK, write(Long.BYTES));
            calls.incrementAndGet();
            assertEquals(Errno.ENOMEM, left.postReceive(1, region.address(), region.localKey(), Long.BYTES));
            calls.incrementAndGet();
        }, threads));

        queue.resize(32 * WORK);

        join(threads);
        assertEquals(3, calls.get());
        assertEquals(List.of(), model.violations().take());
    }

    /** A destruction walks through the queue under its lock, for which a post waits that finds no room, or any. */
    @ParameterizedTest
    @MethodSource("cases")
    void shouldNotWaitForTheEndOfAnotherQueuePair(final Case one) throws InterruptedException {
        open(one);
        final QueuePair other = keep(queuePair());
        final boolean isFullAtOnce =
            !one.card.has(Trait.FREES_PLACES_WHEN_DONE) || one.posting == PostingInterface.BUILDER;
        final AtomicInteger calls = new AtomicInteger();
        final List<Thread> threads = new ArrayList<>();
        model.onClean(aside(() -> {
            assertEquals(Errno.OK, write(Long.BYTES));
            calls.incrementAndGet();
            assertEquals(isFullAtOnce ? Errno.ENOMEM : Errno.OK, fillSends());
            calls.incrementAndGet();
            assertEquals(Errno.ENOMEM, fillReceives());
            calls.incrementAndGet();
        }, threads));

        other.close();

        join(threads);
        model.onClean(() -> { });
        assertEquals(3, calls.get());
        assertEquals(List.of(), model.violations().take());
    }

    /** The lock is that of either completion queue of the queue pair that goes. */
    @ParameterizedTest
    @MethodSource("cases")
    void shouldNotWaitForTheEndOfAQueuePairThatReceivesWhereOthersSend(final Case one) throws InterruptedException {
        open(one);
        final CompletionQueue sends = keep(device.createCompletionQueue(
            new CompletionQueueAttributes(WORK, CompletionField.QUEUE_PAIR_NUMBER, null)));
        final QueuePair other = keep(domain.createQueuePair(
            new QueuePairAttributes(sends, queue, WORK, WORK, 0, 0, 12, 6, 14)));
        fillSends();
        final List<Thread> threads = new ArrayList<>();
        model.onClean(aside(() -> write(Long.BYTES), threads));

        other.close();

        join(threads);
        model.onClean(() -> { });
        assertEquals(List.of(), model.violations().take());
    }

    /** A resize of bnxt polls under its lock, for which a poll of another queue waits: it is refused, and not tried. */
    @Test
    void shouldRefuseToResizeWherePollsWaitForOtherQueues() {
        open(new Case(ModelCard.BNXT, PostingInterface.WORK_REQUESTS));
        model.onResize(() -> {
            throw new AssertionError("it is resized");
        });

        assertFalse(device.attributes().completionQueueResizing());
        assertEquals(Errno.EOPNOTSUPP,
            assertThrows(VerbsException.class, () -> queue.resize(32 * WORK)).errno());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldNotWaitForAQueuePairThatIsFailed(final Case one) throws InterruptedException {
        open(one);
        final AtomicInteger calls = new AtomicInteger();
        final List<Thread> threads = new ArrayList<>();
        model.onFail(aside(() -> {
            write(Long.BYTES);
            calls.incrementAndGet();
            left.postReceive(1, region.address(), region.localKey(), Long.BYTES);
            calls.incrementAndGet();
            poll();
            calls.incrementAndGet();
        }, threads));

        left.fail();

        join(threads);
        model.onFail(() -> { });
        assertEquals(3, calls.get());
        assertEquals(List.of(), model.violations().take());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldEnterTheKernelPlainlyForWhatIsPostedInError(final Case one) {
        open(one);
        left.fail();
        assertEquals(QueuePairState.ERROR, left.state());

        write(Long.BYTES);
        left.postReceive(1, region.address(), region.localKey(), Long.BYTES);

        assertEquals(List.of(), model.violations().take());
    }

    /** Some providers flush such posts only when the library has been told, be it by a query; then by a system call. */
    @ParameterizedTest
    @MethodSource("cases")
    void shouldFlushWhatIsPostedAfterTheDeviceHasFailedItByItself(final Case one) {
        open(one);
        assertEquals(Errno.OK, write(2 * LENGTH));
        awaitError(left);
        assertEquals(Errno.OK, left.state() == QueuePairState.ERROR ? drain() : Errno.EINVAL);

        assertFlushes(one, left);
        assertEquals(List.of(), model.violations().take());
    }

    /** The library keeps what a query tells: a post that comes before the answer is used may be a system call. */
    @ParameterizedTest
    @MethodSource("queryCases")
    void shouldPostPlainlyWhenAQueryHasToldTheLibrary(final Case one) throws InterruptedException {
        open(one);
        final List<Thread> threads = new ArrayList<>();
        model.onFind(aside(() -> {
            write(Long.BYTES);
            left.postReceive(1, region.address(), region.localKey(), Long.BYTES);
        }, threads));
        assertEquals(Errno.OK, write(2 * LENGTH));

        awaitError(left);

        assertNotEquals(List.of(), threads);
        join(threads);
        model.onFind(() -> { });
        assertEquals(List.of(), model.violations().take());
    }

    /** An event is enough to know by, but not for the library. */
    @ParameterizedTest
    @MethodSource("cases")
    void shouldFlushWhatIsPostedAfterAnEventOfFailure(final Case one) {
        open(one);
        assertEquals(Errno.OK, left.postWrite(1, WorkFlags.SIGNALED, region.address(), region.localKey(), Long.BYTES,
            region.address() + 2 * LENGTH, region.remoteKey()));
        awaitError(right);
        drain();

        assertFlushes(one, right);
        assertEquals(List.of(), model.violations().take());
    }

    private void awaitError(final QueuePair queuePair) {
        final AsyncEventHandler ignored = (type, completionQueue, pair) -> { };
        while (queuePair.state() != QueuePairState.ERROR) {
            poll();
            device.poll(ignored);
        }
    }

    private int drain() {
        int result = Errno.OK;
        while (result == Errno.OK) {
            result = poll();
        }
        return result == Errno.ENOENT ? Errno.OK : result;
    }

    private void assertFlushes(final Case one, final QueuePair failed) {
        final boolean isRefused =
            one.card.has(Trait.REFUSES_POSTS_IN_ERROR) || one.card.has(Trait.CALLS_POSTS_IN_ERROR_INVALID);
        final int sent = failed.postWrite(1, WorkFlags.SIGNALED, region.address(), region.localKey(), Long.BYTES,
            region.address(), region.remoteKey());
        final int received = failed.postReceive(1, region.address(), region.localKey(), Long.BYTES);
        assertEquals(isRefused, sent != Errno.OK);
        assertEquals(isRefused, received != Errno.OK);
        for (int i = isRefused ? 2 : 0; i < 2; i++) {
            assertEquals(Errno.OK, queue.startPoll());
            assertEquals(WorkStatus.WR_FLUSH_ERR, queue.status());
            queue.endPoll();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldEnterTheKernelPlainlyWhenAnErrorIsPolled(final Case one) {
        open(one);
        assertEquals(Errno.OK, write(2 * LENGTH));

        assertEquals(Errno.OK, queue.startPoll());
        assertNotEquals(WorkStatus.SUCCESS, queue.status());
        queue.endPoll();

        assertEquals(List.of(), model.violations().take());
    }
}

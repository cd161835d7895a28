package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.rdma.PostingInterface;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A batch in which the thread does something else than read, post and arm: each model tells it as a violation. */
class ModelBatchesTest extends OpenedModelTests {
    private static final AsyncEventHandler IGNORED = (type, completionQueue, pair) -> { };

    private QueuePair left;
    private QueuePair right;
    private CompletionQueue other;

    /**
     * Something that is no business of a batch.
     *
     * @param name   of the call that tells it.
     * @param action of the test.
     */
    private record Use(String name, Consumer<ModelBatchesTest> action) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Use> forbidden() {
        return Stream.of(
            new Use("ibv_start_poll", test -> test.other.startPoll()),
            new Use("ibv_create_qp", test -> test.keep(test.queuePair(test.other))),
            new Use("ibv_modify_qp", test -> test.right.fail()),
            new Use("ibv_query_qp", test -> test.device.poll(IGNORED)),
            new Use("ibv_reg_mr", test -> test.keep(test.domain.allocateRegion(LENGTH, ACCESS))),
            new Use("ibv_create_cq_ex", test -> test.keep(test.newQueue())),
            new Use("ibv_resize_cq", test -> test.other.resize(2 * WORK)),
            new Use("ibv_destroy_cq", test -> test.other.close()),
            new Use("ibv_alloc_pd", test -> test.keep(test.device.allocateProtectionDomain())));
    }

    private void open(final ModelCard card) {
        open(card, PostingInterface.WORK_REQUESTS, 16 * WORK);
        other = keep(newQueue());
        left = keep(queuePair(queue));
        right = keep(queuePair(queue));
        link(left, right);
    }

    private CompletionQueue newQueue() {
        return device.createCompletionQueue(
            new CompletionQueueAttributes(WORK, CompletionField.QUEUE_PAIR_NUMBER, null));
    }

    private QueuePair queuePair(final CompletionQueue completions) {
        return domain.createQueuePair(new QueuePairAttributes(completions, completions, WORK, WORK, 0, 0, 12, 6, 14));
    }

    private int write() {
        return left.postWrite(1, WorkFlags.SIGNALED, region.address(), region.localKey(), Long.BYTES,
            region.address() + Long.BYTES, region.remoteKey());
    }

    private void startBatch() {
        assertEquals(Errno.OK, write());
        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(List.of(), model.violations().take());
    }

    @ParameterizedTest
    @MethodSource("forbidden")
    void shouldTellWhatIsDoneWithinABatch(final Use use) {
        open(ModelCard.MLX5);
        startBatch();

        use.action.accept(this);

        queue.endPoll();
        final String found = String.join("\n", model.violations().take());
        assertTrue(found.startsWith(use.name) && found.contains("within a batch of completion queue"), found);
    }

    @ParameterizedTest
    @MethodSource("forbidden")
    void shouldTellNothingWhenTheBatchIsOver(final Use use) {
        open(ModelCard.MLX5);
        startBatch();
        queue.endPoll();

        use.action.accept(this);

        assertEquals(List.of(), model.violations().take());
    }

    @Test
    void shouldTellAQueuePairThatGoesWithinABatchOfAnotherQueue() {
        open(ModelCard.MLX5);
        final QueuePair idle = queuePair(other);
        startBatch();

        idle.close();

        queue.endPoll();
        assertTrue(model.violations().take().getFirst().startsWith("ibv_destroy_qp within a batch"));
    }

    @Test
    void shouldTellAnotherQueueThatIsPolledWholeWithinABatch() {
        try (DirectDevice direct = new DirectDevice(ModelCard.MLX5)) {
            final long first = direct.queue(0);
            final long second = direct.announcedQueue();
            direct.write(direct.link(first), WorkFlags.NONE);
            direct.polls.startPoll(first, 0);

            direct.status(second);

            assertEquals("ibv_poll_cq of completion queue 3 within a batch of completion queue 2, which this thread has"
                + " not ended", direct.violations());
        }
    }

    @Test
    void shouldPostAndArmWithinABatch() {
        open(ModelCard.MLX5);
        startBatch();

        assertEquals(Errno.OK, write());
        assertEquals(Errno.OK, left.postReceives(1, 1));
        assertEquals(Errno.OK, queue.requestNotify(false));

        queue.endPoll();
        assertEquals(List.of(), model.violations().take());
    }

    @Test
    void shouldLetOtherThreadsBe() throws InterruptedException {
        open(ModelCard.MLX5);
        startBatch();
        final AtomicInteger result = new AtomicInteger(Errno.OK);
        final Thread thread = new Thread(() -> {
            device.poll(IGNORED);
            result.set(other.startPoll());
        });
        thread.start();
        thread.join();

        queue.endPoll();
        assertEquals(Errno.ENOENT, result.get());
        assertEquals(List.of(), model.violations().take());
    }
}

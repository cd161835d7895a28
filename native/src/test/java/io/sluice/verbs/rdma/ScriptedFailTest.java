package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue pair that is to be failed while another thread makes a transition of it, which may take a second. */
class ScriptedFailTest extends ScriptedManagerTests {
    private static final long PATIENCE_MS = 10_000;
    private static final int EIO = 5;

    private final CountDownLatch isInTransition = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final List<VerbsException> refusals = new ArrayList<>();
    private ReliableQueuePair queuePair;
    private Thread other;

    @AfterEach
    void end() {
        mayEnd.countDown();
    }

    /** A thread stays in a transition, at the end of which something is done. */
    private void stayInTransition(final Runnable end) throws InterruptedException {
        queuePair = manager.newQueuePair();
        other = new Thread(() -> attempt(() -> queuePair.readyToReceive(() -> {
            isInTransition.countDown();
            awaitQuietly(mayEnd);
            end.run();
        })));
        other.start();
        isInTransition.await();
    }

    private void attempt(final Runnable transition) {
        try {
            transition.run();
        } catch (final VerbsException e) {
            refusals.add(e);
        }
    }

    private static void awaitQuietly(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An agent that serves others, too, does not stay. */
    private void fail() throws InterruptedException {
        final Thread agent = new Thread(queuePair::fail);
        agent.setDaemon(true);
        agent.start();
        agent.join(PATIENCE_MS);
        assertFalse(agent.isAlive(), "it waits for the transition");
    }

    private void endTransition() throws InterruptedException {
        mayEnd.countDown();
        other.join();
    }

    @Test
    void shouldBeFailedByTheEndOfATransition() throws InterruptedException {
        stayInTransition(() -> { });
        fail();
        assertEquals(QueuePairState.INIT, queuePair.state());

        endTransition();

        assertEquals(QueuePairState.ERROR, queuePair.state());
        assertEquals(rdma_constants.IBV_QPS_ERR(), manager.states.getLast());
        assertEquals(List.of(), refusals);
    }

    @Test
    void shouldBeFailedByTheEndOfATransitionThatTheDeviceRefuses() throws InterruptedException {
        stayInTransition(() -> {
            throw new VerbsException("ibv_modify_qp", EIO, "refused");
        });
        fail();

        endTransition();

        assertEquals(QueuePairState.ERROR, queuePair.state());
        assertEquals(EIO, refusals.getFirst().errno());
    }

    /** One that has waited for the end of the first. */
    @Test
    void shouldBeginNoOtherTransition() throws InterruptedException {
        stayInTransition(() -> { });
        final Thread next = new Thread(() -> attempt(queuePair::readyToSend));
        next.start();
        while (next.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        fail();

        endTransition();
        next.join();

        assertEquals(Errno.EINVAL, refusals.getFirst().errno());
        assertFalse(manager.states.contains(rdma_constants.IBV_QPS_RTS()));
        assertEquals(QueuePairState.ERROR, queuePair.state());
    }

    /** The device's duties alone hear then what the device says. */
    @Test
    void shouldBeFailedByTheDutiesWhereTheDeviceRefusesAtFirst() throws InterruptedException {
        stayInTransition(() -> { });
        fail();
        manager.refuse(rdma_constants.IBV_QPS_ERR(), EIO);
        endTransition();
        assertEquals(QueuePairState.READY_TO_RECEIVE, queuePair.state());
        assertEquals(EIO, assertThrows(VerbsException.class, this::awaitWork).errno());
        manager.refuse(-1, 0);

        awaitWork();

        assertEquals(QueuePairState.ERROR, queuePair.state());
    }

    private void awaitWork() {
        while (queuePair.state() != QueuePairState.ERROR) {
            manager.device.poll((type, completionQueue, pair) -> { });
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldNotBeFailedWhenItIsClosed() throws InterruptedException {
        stayInTransition(() -> { });
        fail();
        endTransition();
        queuePair.close();
        final List<Integer> before = List.copyOf(manager.states);

        queuePair.fail();

        assertEquals(before, manager.states);
    }
}

package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CloseWhileInUseTest extends VerbsSuite {
    private static final int ROUNDS = 40;
    private static final int WORK = 256;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean isStopping = new AtomicBoolean();

    private Thread start(final Runnable body) {
        final Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (final RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            }
        });
        thread.start();
        return thread;
    }

    private void join(final Thread... threads) throws InterruptedException {
        for (final Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    private void pollUntilStopped(final CompletionQueue queue) {
        while (!isStopping.get()) {
            if (queue.startPoll() == Errno.OK) {
                do {
                    final int status = queue.status();
                    assertTrue(status >= WorkStatus.SUCCESS && status <= WorkStatus.GENERAL_ERR, "status=" + status);
                } while (queue.nextPoll() == Errno.OK);
                queue.endPoll();
            } else {
                Thread.yield();
            }
        }
    }

    @Test
    void shouldCloseQueuePairsWhileOthersPostAndPoll() throws InterruptedException {
        final int capacity = Math.min(1 << 15, rig.first.attributes().maxCompletionQueueEntries());
        final CompletionQueue sends = rig.queueOnFirst(capacity, null);
        final CompletionQueue receives = rig.queueOnSecond(capacity, null);
        final CompletionQueue unused = rig.queueOnFirst(capacity, null);
        final CompletionQueue alsoUnused = rig.queueOnSecond(capacity, null);
        final Thread sendPoller = start(() -> pollUntilStopped(sends));
        final Thread receivePoller = start(() -> pollUntilStopped(receives));
        for (int round = 0; round < ROUNDS; round++) {
            final Endpoint left = new Endpoint(rig.first, rig.firstDomain,
                new EndpointOptions().queues(sends, unused).sendWork(WORK).receiveWork(WORK));
            final Endpoint right = new Endpoint(rig.second, rig.secondDomain,
                new EndpointOptions().queues(alsoUnused, receives).sendWork(WORK).receiveWork(WORK));
            Endpoint.connect(left, right);
            final CountDownLatch posting = new CountDownLatch(2);
            final Thread writer = start(() -> postUntilClosed(left, right, posting));
            final Thread receiver = start(() -> receiveUntilClosed(right, posting));
            posting.await();
            (round % 2 == 0 ? left : right).queuePair.close();
            (round % 2 == 0 ? right : left).queuePair.close();
            join(writer, receiver);
            left.close();
            right.close();
        }
        isStopping.set(true);
        join(sendPoller, receivePoller);
    }

    private static void postUntilClosed(final Endpoint left, final Endpoint right, final CountDownLatch posting) {
        int result = Errno.OK;
        for (int i = 0; result != Errno.EINVAL; i++) {
            result = left.writeImmediate(i, WorkFlags.SIGNALED, 0, 512, right, i);
            if (i == 2 * WORK) {
                posting.countDown();
            }
        }
    }

    private static void receiveUntilClosed(final Endpoint right, final CountDownLatch posting) {
        int result = Errno.OK;
        for (int i = 0; result != Errno.EINVAL; i++) {
            result = right.queuePair.postReceives(i, 8);
            if (i == WORK) {
                posting.countDown();
            }
        }
    }

    @Test
    void shouldCloseARegionWhilePeersWriteToIt() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final Rig.Link link = rig.link();
            final Endpoint left = link.left();
            final MemoryRegion region = rig.secondDomain.allocateRegion(1 << 16, Endpoint.REGION_ACCESS);
            final CountDownLatch posting = new CountDownLatch(1);
            final Thread writer = start(() -> assertEquals(WorkStatus.REM_ACCESS_ERR,
                writeUntilFailed(left, left.region, region, posting)));
            posting.await();
            region.close();
            join(writer);
            rig.awaitState(link.right().queuePair, QueuePairState.ERROR);
        }
    }

    @Test
    void shouldCloseALocalRegionWhileItIsWrittenFrom() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final Rig.Link link = rig.link();
            final MemoryRegion region = rig.firstDomain.allocateRegion(1 << 16, Endpoint.REGION_ACCESS);
            final CountDownLatch posting = new CountDownLatch(1);
            final Thread writer = start(() -> {
                final int status = writeUntilFailed(link.left(), region, link.right().region, posting);
                if (rig.has(DeviceFixture.Ability.NAMES_LOCAL_FAULTS)) {
                    assertEquals(WorkStatus.LOC_PROT_ERR, status);
                }
            });
            posting.await();
            region.close();
            join(writer);
        }
    }

    /** Status of the first write that fails. */
    private static int writeUntilFailed(
        final Endpoint left, final MemoryRegion from, final MemoryRegion to, final CountDownLatch posting) {
        final CompletionQueue queue = left.sendQueue;
        for (int i = 0; ; i++) {
            assertEquals(Errno.OK, left.queuePair.postWrite(
                i, WorkFlags.SIGNALED, from.address(), from.localKey(), 1 << 14, to.address(), to.remoteKey()));
            final Backoff backoff = new Backoff();
            while (queue.startPoll() != Errno.OK) {
                backoff.idle();
            }
            final int status = queue.status();
            queue.endPoll();
            if (status != WorkStatus.SUCCESS) {
                return status;
            }
            if (i == 100) {
                posting.countDown();
            }
        }
    }

    @Test
    void shouldFailAQueuePairWhileOthersPostAndPoll() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final Rig.Link link = rig.link(
                new EndpointOptions().sendWork(WORK), new EndpointOptions().receiveWork(WORK));
            final CountDownLatch posting = new CountDownLatch(1);
            final int[] arrived = new int[1];
            final Thread writer = start(() -> sendUntilRefusedByFailure(link, posting));
            final Thread poller = start(() -> arrived[0] = receiveUntilAllFlushed(link.right()));
            posting.await();
            link.right().queuePair.fail();
            join(writer, poller);
            assertTrue(arrived[0] > 0);
        }
    }

    private static void sendUntilRefusedByFailure(final Rig.Link link, final CountDownLatch posting) {
        link.right().queuePair.postReceives(1, WORK);
        posting.countDown();
        for (int i = 0; i < WORK; i++) {
            final int result = link.left().writeImmediate(i, WorkFlags.NONE, 0, 64, link.right(), i);
            assertTrue(result == Errno.OK || result == Errno.ENOMEM, "result=" + result);
        }
    }

    /** Counts completions until each of the receives has had one, in order: what arrived, then what was flushed. */
    private int receiveUntilAllFlushed(final Endpoint right) {
        int arrived = 0;
        int flushed = 0;
        while (arrived + flushed < WORK) {
            if (right.receiveQueue.startPoll() == Errno.OK) {
                do {
                    if (right.receiveQueue.status() == WorkStatus.SUCCESS) {
                        assertEquals(0, flushed, "an arrival after a flush");
                        final int immediate = right.receiveQueue.immediateData();
                        assertTrue(immediate == arrived || immediate < arrived
                            && !rig.has(DeviceFixture.Ability.DELIVERS_ONCE_WHILE_FAILING),
                            "immediate=" + immediate + " arrived=" + arrived);
                        arrived++;
                    } else {
                        assertEquals(WorkStatus.WR_FLUSH_ERR, right.receiveQueue.status());
                        flushed++;
                    }
                } while (right.receiveQueue.nextPoll() == Errno.OK);
                right.receiveQueue.endPoll();
            } else {
                Thread.yield();
            }
        }
        assertEquals(WORK, arrived + flushed);
        assertEquals(Errno.ENOENT, right.receiveQueue.startPoll(), "more completions than receives");
        return arrived + flushed;
    }
}

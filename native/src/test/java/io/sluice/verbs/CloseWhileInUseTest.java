package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CloseWhileInUseTest extends VerbsSuite {
    private static final int ROUNDS = Integer.parseInt(System.getProperty("sluice.verbs.rounds", "40"));
    private static final int WORK = 256;

    private final AtomicBoolean isStopping = new AtomicBoolean();

    private void pollUntilStopped(final CompletionQueue queue) {
        while (!isStopping.get() && rig.workers.mayGoOn()) {
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
        final Thread sendPoller = rig.workers.start(() -> pollUntilStopped(sends));
        final Thread receivePoller = rig.workers.start(() -> pollUntilStopped(receives));
        for (int round = 0; round < ROUNDS; round++) {
            final Endpoint left = new Endpoint(rig.first, rig.firstDomain,
                new EndpointOptions().queues(sends, unused).sendWork(WORK).receiveWork(WORK));
            final Endpoint right = new Endpoint(rig.second, rig.secondDomain,
                new EndpointOptions().queues(alsoUnused, receives).sendWork(WORK).receiveWork(WORK));
            Endpoint.connect(left, right);
            final CountDownLatch posting = new CountDownLatch(2);
            final Thread writer = rig.workers.start(() -> postUntilClosed(left, right, posting));
            final Thread receiver = rig.workers.start(() -> receiveUntilClosed(right, posting));
            rig.workers.await(posting);
            (round % 2 == 0 ? left : right).queuePair.close();
            (round % 2 == 0 ? right : left).queuePair.close();
            rig.workers.join(writer, receiver);
            left.close();
            right.close();
        }
        isStopping.set(true);
        rig.workers.join(sendPoller, receivePoller);
    }

    private void postUntilClosed(final Endpoint left, final Endpoint right, final CountDownLatch posting) {
        int result = Errno.OK;
        for (int i = 0; result != Errno.EINVAL && rig.workers.mayGoOn(); i++) {
            result = left.writeImmediate(i, WorkFlags.SIGNALED, 0, 512, right, i);
            if (i == 2 * WORK) {
                posting.countDown();
            }
        }
        // mana answers as for a closed one when it has failed, which may be sooner
        posting.countDown();
    }

    private void receiveUntilClosed(final Endpoint right, final CountDownLatch posting) {
        int result = Errno.OK;
        for (int i = 0; result != Errno.EINVAL && rig.workers.mayGoOn(); i++) {
            result = right.queuePair.postReceives(i, 8);
            if (i == WORK) {
                posting.countDown();
            }
        }
        posting.countDown();
    }

    @Test
    void shouldCloseARegionWhilePeersWriteToIt() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final Rig.Link link = rig.link();
            final Endpoint left = link.left();
            final MemoryRegion region = rig.secondDomain.allocateRegion(1 << 16, Endpoint.REGION_ACCESS);
            final CountDownLatch posting = new CountDownLatch(1);
            final Thread writer = rig.workers.start(() -> assertEquals(WorkStatus.REM_ACCESS_ERR,
                writeUntilFailed(left, left.region, region, posting)));
            rig.workers.await(posting);
            region.close();
            rig.workers.join(writer);
            rig.awaitState(link.right().queuePair, QueuePairState.ERROR);
        }
    }

    @Test
    void shouldCloseALocalRegionWhileItIsWrittenFrom() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final Rig.Link link = rig.link();
            final MemoryRegion region = rig.firstDomain.allocateRegion(1 << 16, Endpoint.REGION_ACCESS);
            final CountDownLatch posting = new CountDownLatch(1);
            final Thread writer = rig.workers.start(() -> {
                final int status = writeUntilFailed(link.left(), region, link.right().region, posting);
                if (rig.has(DeviceFixture.Ability.NAMES_LOCAL_FAULTS)) {
                    assertEquals(WorkStatus.LOC_PROT_ERR, status);
                }
            });
            rig.workers.await(posting);
            region.close();
            rig.workers.join(writer);
        }
    }

    /** Status of the first write that fails. */
    private int writeUntilFailed(
        final Endpoint left, final MemoryRegion from, final MemoryRegion to, final CountDownLatch posting) {
        final CompletionQueue queue = left.sendQueue;
        for (int i = 0; ; i++) {
            assertEquals(Errno.OK, left.queuePair.postWrite(
                i, WorkFlags.SIGNALED, from.address(), from.localKey(), 1 << 14, to.address(), to.remoteKey()));
            final Backoff backoff = new Backoff();
            while (queue.startPoll() != Errno.OK) {
                rig.workers.idle(backoff);
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
            final Thread writer = rig.workers.start(() -> sendUntilRefusedByFailure(link, posting));
            final Thread poller = rig.workers.start(() -> arrived[0] = receiveUntilAllFlushed(link.right()));
            rig.workers.await(posting);
            link.right().queuePair.fail();
            rig.workers.join(writer, poller);
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
        final Backoff backoff = new Backoff();
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
                rig.workers.idle(backoff);
            }
        }
        assertEquals(WORK, arrived + flushed);
        assertEquals(Errno.ENOENT, right.receiveQueue.startPoll(), "more completions than receives");
        return arrived + flushed;
    }
}

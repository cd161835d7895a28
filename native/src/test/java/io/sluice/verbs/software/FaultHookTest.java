package io.sluice.verbs.software;

import static io.sluice.verbs.software.SoftwareLink.assertEmpty;
import static io.sluice.verbs.software.SoftwareLink.takeImmediate;
import static io.sluice.verbs.software.SoftwareLink.takeStatus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultHookTest {
    private final TemporaryFabric fabric = new TemporaryFabric();
    private final ScriptedHook hook = new ScriptedHook();
    private SoftwareLink link;

    @BeforeEach
    void open() {
        link = SoftwareLink.open(SystemEnvironment.instance(), fabric.path(), hook);
        link.rightPair.postReceives(1, SoftwareLink.WORK);
        link.leftRegion.buffer().setMemory(0, SoftwareLink.REGION_LENGTH, (byte) 7);
    }

    @AfterEach
    void close() {
        link.close();
        fabric.close();
    }

    @Test
    void shouldPassByDefaultAndTellWhatIsPosted() {
        link.write(41, 0, 24, 5);
        link.leftPair.postSend(42, WorkFlags.NONE, 0, 0, 0);

        assertEquals(5, takeImmediate(link.rightReceives));
        assertEquals(
            List.of(
                link.leftPair.number() + " WRITE_WITH_IMMEDIATE 41 24 5", link.leftPair.number() + " SEND 42 0 0"),
            hook.seen);
    }

    @Test
    void shouldDropWhatThePosterBelievesSent() {
        hook.verdict = FaultHook.DROP;
        assertEquals(Errno.OK, link.write(1, 0, 64, 1));
        hook.verdict = FaultHook.PASS;
        assertEquals(Errno.OK, link.write(2, 64, 64, 2));

        assertEquals(WorkStatus.SUCCESS, takeStatus(link.leftSends));
        assertEquals(WorkStatus.SUCCESS, takeStatus(link.leftSends));
        assertEquals(2, takeImmediate(link.rightReceives));
        assertEmpty(link.rightReceives);
        assertEquals(0, link.rightRegion.buffer().getByte(0));
        assertEquals(7, link.rightRegion.buffer().getByte(64));
    }

    @Test
    void shouldFailOneEndOnly() {
        hook.verdict = FaultHook.fail(WorkStatus.RETRY_EXC_ERR);

        assertEquals(Errno.OK, link.write(1, 0, 64, 1));

        assertEquals(WorkStatus.RETRY_EXC_ERR, takeStatus(link.leftSends));
        assertEquals(QueuePairState.ERROR, link.leftPair.state());
        assertEquals(QueuePairState.READY_TO_SEND, link.rightPair.state());
        assertEmpty(link.rightReceives);
        assertEquals(0, link.rightRegion.buffer().getByte(0));
        assertThrows(IllegalArgumentException.class, () -> FaultHook.fail(WorkStatus.SUCCESS));
    }

    @Test
    void shouldDeferWithTheOrderOfOneQueuePairKept() {
        hook.verdict = FaultHook.DEFER;
        link.write(1, 0, 8, 1);
        hook.verdict = FaultHook.PASS;
        hook.deferred = true;
        link.write(2, 8, 8, 2);
        link.write(3, 16, 8, 3);
        assertEmpty(link.rightReceives);
        assertEmpty(link.leftSends);
        link.duties();
        assertEmpty(link.rightReceives);

        hook.deferred = false;
        link.duties();

        assertEquals(1, takeImmediate(link.rightReceives));
        assertEquals(2, takeImmediate(link.rightReceives));
        assertEquals(3, takeImmediate(link.rightReceives));
    }

    @Test
    void shouldReleaseTheDeferredByPollingTheSendQueue() {
        hook.verdict = FaultHook.DEFER;
        link.write(1, 0, 8, 1);
        hook.verdict = FaultHook.PASS;

        assertEquals(WorkStatus.SUCCESS, takeStatus(link.leftSends));

        assertEquals(1, takeImmediate(link.rightReceives));
    }

    @Test
    void shouldReleaseTheDeferredByTheNextPost() {
        hook.verdict = FaultHook.DEFER;
        link.write(1, 0, 8, 1);
        hook.verdict = FaultHook.PASS;

        link.write(2, 0, 8, 2);

        assertEquals(1, takeImmediate(link.rightReceives));
        assertEquals(2, takeImmediate(link.rightReceives));
    }

    @Test
    void shouldLetOtherQueuePairsOvertakeTheDeferred() {
        final QueuePair from = link.newPair(link.leftDomain, link.leftSends, link.leftSends, 0);
        final QueuePair to = link.newPair(link.rightDomain, link.rightReceives, link.rightReceives, 0);
        SoftwareLink.connect(from, to);
        to.postReceives(2, 1);
        hook.verdict = FaultHook.DEFER;
        link.write(1, 0, 8, 1);
        hook.verdict = FaultHook.PASS;

        from.postWriteWithImmediate(2, WorkFlags.NONE, 0, 0, 0, 0, 0, 2);

        assertEquals(2, takeImmediate(link.rightReceives));
        link.duties();
        assertEquals(1, takeImmediate(link.rightReceives));
    }

    @Test
    void shouldFlushTheDeferredOnFailure() {
        hook.verdict = FaultHook.DEFER;
        link.write(1, 0, 8, 1);
        link.write(2, 0, 8, 2);

        link.leftPair.fail();

        assertEquals(WorkStatus.WR_FLUSH_ERR, takeStatus(link.leftSends));
        assertEquals(WorkStatus.WR_FLUSH_ERR, takeStatus(link.leftSends));
        assertEmpty(link.rightReceives);
    }

    @Test
    void shouldSplitACopy() {
        final List<String> inside = new ArrayList<>();
        hook.verdict = FaultHook.SPLIT;
        hook.onCopy = () -> inside.add(link.rightRegion.buffer().getByte(499) + " "
            + link.rightRegion.buffer().getByte(500));

        link.write(1, 0, 1000, 1);

        assertEquals(List.of("7 0"), inside);
        assertEquals(7, link.rightRegion.buffer().getByte(999));
        assertEquals(1, takeImmediate(link.rightReceives));
    }

    @Test
    void shouldCallInsideACopyThatIsNotNeeded() {
        final MemoryRegion shared =
            link.keep(link.rightDomain.openShared(
                link.leftRegion.shareToken(), SoftwareLink.REGION_LENGTH, SoftwareLink.ACCESS));
        final int[] calls = new int[1];
        hook.verdict = FaultHook.SPLIT;
        hook.onCopy = () -> calls[0]++;

        link.leftPair.postWriteWithImmediate(1, WorkFlags.NONE, link.leftRegion.address(), link.leftRegion.localKey(),
            100, shared.address(), shared.remoteKey(), 3);

        assertEquals(1, calls[0]);
        assertEquals(3, takeImmediate(link.rightReceives));
    }

    @Test
    void shouldCallInsideACompletionThatIsNotValidYet() {
        final int[] calls = new int[1];
        hook.onCompletion = () -> {
            calls[0]++;
            assertEmpty(link.rightReceives);
        };

        link.write(1, 0, 8, 4);

        assertEquals(1, calls[0]);
        assertEquals(4, takeImmediate(link.rightReceives));
    }

    /** A writer that stops for ever inside an entry holds up nothing but its own link. */
    @Test
    void shouldServeOtherQueuePairsWhileAWriterIsStuckInsideACompletion() throws InterruptedException {
        final QueuePair from = link.newPair(link.leftDomain, link.leftSends, link.leftSends, 0);
        final QueuePair to = link.newPair(link.rightDomain, link.rightReceives, link.rightReceives, 0);
        SoftwareLink.connect(from, to);
        to.postReceives(2, SoftwareLink.WORK);
        final CountDownLatch isInside = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        hook.onCompletion = () -> {
            hook.onCompletion = () -> { };
            isInside.countDown();
            awaitQuietly(mayGoOn);
        };
        final Thread writer = new Thread(() -> link.write(1, 0, 8, 1));
        writer.start();
        isInside.await();

        for (int i = 0; i < SoftwareLink.WORK; i++) {
            assertEquals(Errno.OK, from.postWriteWithImmediate(i, WorkFlags.NONE, 0, 0, 0, 0, 0, 100 + i));
            assertEquals(100 + i, takeImmediate(link.rightReceives));
        }
        assertEmpty(link.rightReceives);
        mayGoOn.countDown();
        writer.join();
        assertEquals(1, takeImmediate(link.rightReceives));
    }

    /** The peer gives the link up while its writer is stuck; what the writer does afterwards reaches nobody. */
    @Test
    void shouldNotBeReachedByAWriterThatWakesUpAfterTheLinkIsGone() throws InterruptedException {
        final CountDownLatch isInside = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        hook.verdict = FaultHook.SPLIT;
        hook.onCopy = () -> {
            isInside.countDown();
            awaitQuietly(mayGoOn);
        };
        final Thread writer = new Thread(() -> link.write(1, 0, 1000, 1));
        writer.start();
        isInside.await();
        link.rightPair.close();
        link.rightRegion.close();
        final MemoryRegion successor = link.keep(link.rightDomain.allocateRegion(
            SoftwareLink.REGION_LENGTH, SoftwareLink.ACCESS));

        mayGoOn.countDown();
        writer.join();

        assertEmpty(link.rightReceives);
        for (int i = 0; i < 2000; i++) {
            assertEquals(0, successor.buffer().getByte(i));
        }
    }

    /** Memory stays mapped under a thread that does not come back from a post. */
    @Test
    void shouldAbandonTheMemoryOfAPostThatDoesNotReturn() throws InterruptedException {
        final CountDownLatch isInside = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        hook.verdict = FaultHook.SPLIT;
        hook.onCopy = () -> {
            isInside.countDown();
            awaitQuietly(mayGoOn);
        };
        final int[] result = new int[1];
        final Thread writer = new Thread(() -> result[0] = link.write(1, 0, 1000, 1));
        writer.start();
        isInside.await();

        link.leftPair.close();
        assertTrue(link.left.abandonedMappings() > 0);
        mayGoOn.countDown();
        writer.join();

        assertEquals(Errno.OK, result[0]);
        assertEquals(Errno.EINVAL, link.write(2, 0, 8, 2));
    }

    @Test
    void shouldDecideTheFateOfReadsAndAtomics() {
        final int access = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
        final QueuePair poster = link.newPair(link.leftDomain, link.leftSends, link.leftSends, 0);
        final QueuePair owner = link.newPair(link.rightDomain, link.rightReceives, link.rightReceives, 0);
        poster.initialise(access);
        owner.initialise(access);
        poster.readyToReceive(owner.localAddress());
        owner.readyToReceive(poster.localAddress());
        poster.readyToSend();
        final MemoryRegion region = link.keep(link.rightDomain.allocateRegion(64, access));
        region.buffer().putLong(8, 40);
        hook.verdict = FaultHook.DROP;
        postsAll(poster, region);
        for (int i = 0; i < 3; i++) {
            assertEquals(WorkStatus.SUCCESS, takeStatus(link.leftSends));
        }
        assertEquals(40, region.buffer().getLong(8));
        assertEquals(0x0707_0707_0707_0707L, link.leftRegion.buffer().getLong(0));

        hook.verdict = FaultHook.PASS;
        hook.deferred = true;
        postsAll(poster, region);
        assertEmpty(link.leftSends);
        hook.deferred = false;
        link.duties();

        for (int i = 0; i < 3; i++) {
            assertEquals(WorkStatus.SUCCESS, takeStatus(link.leftSends));
        }
        assertEquals(40, link.leftRegion.buffer().getLong(0));
        assertEquals(40, link.leftRegion.buffer().getLong(8));
        assertEquals(41, link.leftRegion.buffer().getLong(16));
        assertEquals(43, region.buffer().getLong(8));
        assertEquals(List.of(poster.number() + " READ 1 8 0", poster.number() + " COMPARE_AND_SWAP 2 8 0",
            poster.number() + " FETCH_AND_ADD 3 8 0"), hook.seen.subList(0, 3));
    }

    private void postsAll(final QueuePair poster, final MemoryRegion region) {
        final long local = link.leftRegion.address();
        final int key = link.leftRegion.localKey();
        final long remote = region.address() + 8;
        assertEquals(
            Errno.OK, poster.postRead(1, WorkFlags.SIGNALED, local, key, 8, remote, region.remoteKey()));
        assertEquals(Errno.OK, poster.postCompareAndSwap(
            2, WorkFlags.SIGNALED, local + 8, key, remote, region.remoteKey(), 40, 41));
        assertEquals(Errno.OK, poster.postFetchAdd(
            3, WorkFlags.SIGNALED, local + 16, key, remote, region.remoteKey(), 2));
    }

    private static void awaitQuietly(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static final class ScriptedHook extends FaultHook {
        private final List<String> seen = new ArrayList<>();
        private volatile int verdict = PASS;
        private volatile boolean deferred;
        private volatile Runnable onCopy = () -> { };
        private volatile Runnable onCompletion = () -> { };

        @Override
        public int onOperation(
            final int queuePairNumber,
            final Operation operation,
            final long workRequestId,
            final int length,
            final int immediate) {
            synchronized (seen) {
                seen.add(queuePairNumber + " " + operation + " " + workRequestId + " " + length + " " + immediate);
            }
            return deferred ? DEFER : verdict;
        }

        @Override
        public void insideCopy(
            final int queuePairNumber, final long workRequestId, final int copied, final int length) {
            assertEquals(length / 2, copied);
            onCopy.run();
        }

        @Override
        public void insideCompletion(final int queuePairNumber, final long workRequestId) {
            onCompletion.run();
        }
    }
}

package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SoftwareCloseTest {
    private final TemporaryFabric fabric = new TemporaryFabric();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @AfterEach
    void close() {
        fabric.close();
    }

    private SoftwareDevice open() {
        return SoftwareDevice.open(SystemEnvironment.instance(), fabric.path());
    }

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

    @Test
    void shouldCloseACompletionQueueWhileItIsPolledAndArmed() throws InterruptedException {
        try (SoftwareDevice device = open()) {
            for (int round = 0; round < 50; round++) {
                final CompletionQueue queue =
                    device.createCompletionQueue(new CompletionQueueAttributes(16, 0, null));
                final CountDownLatch polling = new CountDownLatch(2);
                final AtomicInteger last = new AtomicInteger();
                final Thread poller = start(() -> {
                    polling.countDown();
                    int result = queue.startPoll();
                    while (result == Errno.ENOENT) {
                        result = queue.startPoll();
                    }
                    last.set(result);
                });
                final Thread armer = start(() -> {
                    polling.countDown();
                    while (queue.requestNotify(false) == Errno.OK) {
                        Thread.onSpinWait();
                    }
                });
                polling.await();
                queue.close();
                poller.join();
                armer.join();
                assertEquals(Errno.EINVAL, last.get());
            }
            assertEquals(0, device.abandonedMappings());
        }
        assertNull(failure.get());
    }

    /** Posts of many threads overlap: there may be no moment without one, and each of them is short. */
    @Test
    void shouldUnmapARegionAlthoughThereIsAlwaysAThreadInsideAPost() throws InterruptedException {
        final SteppedEnvironment environment = new SteppedEnvironment();
        final HeldPosts posts = new HeldPosts();
        final SoftwareLink link = SoftwareLink.open(environment, fabric.path(), posts);
        final QueuePair another = link.newPair(link.leftDomain, link.leftSends, link.leftSends, 0);
        SoftwareLink.connect(
            another, link.newPair(link.rightDomain, link.rightReceives, link.rightReceives, 0));
        final QueuePair[] pairs = {link.leftPair, another};
        final MemoryRegion region = link.leftDomain.allocateRegion(4096, SoftwareLink.ACCESS);
        final AtomicInteger turn = new AtomicInteger();
        final List<Thread> posters = new ArrayList<>();
        posters.add(posts.begin(link, pairs[0]));
        environment.onPark(() -> {
            environment.advance(SoftwareLimits.QUIESCE_TIMEOUT_NS / 10);
            final int now = turn.incrementAndGet();
            posters.add(posts.begin(link, pairs[now % 2]));
            posts.end(pairs[(now + 1) % 2], posters.get(now - 1));
        });

        region.close();

        assertEquals(0, link.left.abandonedMappings());
        environment.onPark(() -> { });
        posts.end(pairs[turn.get() % 2], posters.getLast());
        link.close();
    }

    /** Two threads close, and a third one is inside a post that uses both. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldUnmapNothingUnderAPostOfAQueuePairThatIsBeingClosed(final boolean isRegion) {
        final SteppedEnvironment environment = new SteppedEnvironment();
        final HeldPosts posts = new HeldPosts();
        final SoftwareLink link = SoftwareLink.open(environment, fabric.path(), posts);
        final List<String> steps = new ArrayList<>();
        final Thread poster = posts.begin(link, link.leftPair);
        final Runnable letGo = () -> {
            environment.onPark(() -> { });
            steps.add("left");
            posts.end(link.leftPair, poster);
        };
        environment.onPark(() -> {
            environment.onPark(letGo);
            if (isRegion) {
                link.leftRegion.close();
            } else {
                link.leftSends.close();
            }
            steps.add("unmapped");
        });

        link.leftPair.close();

        assertEquals(List.of("left", "unmapped"), steps);
        assertEquals(0, link.left.abandonedMappings());
        link.close();
    }

    /** Fill a queue beyond its capacity and find out, as its poller does. */
    private static void overrun(final SoftwareLink link, final CompletionQueue queue) {
        queue.resize(1);
        link.rightPair.postReceives(1, 2);
        link.write(1, 0, 8, 1);
        link.write(2, 0, 8, 2);
        assertEquals(Errno.EINVAL, queue.startPoll());
    }

    /** Two queue pairs, so that the next one that is attached lets time pass. */
    private static CompletionQueue queueOfTwo(final SoftwareLink link) {
        final CompletionQueue queue = link.newQueue(link.right);
        link.newPair(link.rightDomain, queue, queue, 0);
        link.newPair(link.rightDomain, queue, queue, 0);
        return queue;
    }

    /** The queue of its receives knows it already, the one of its sends does not. */
    @Test
    void shouldFailAQueuePairThatIsBeingMade() {
        final SteppedEnvironment environment = new SteppedEnvironment();
        try (SoftwareLink link = SoftwareLink.open(environment, fabric.path())) {
            final CompletionQueue sends = queueOfTwo(link);
            environment.onPark(() -> {
                environment.onPark(() -> { });
                overrun(link, link.rightReceives);
            });

            final QueuePair queuePair = link.newPair(link.rightDomain, sends, link.rightReceives, 0);

            assertEquals(QueuePairState.ERROR, queuePair.state());
            assertEquals(QueuePairState.ERROR, link.rightPair.state());
            assertThrows(VerbsException.class, () -> queuePair.initialise(0));
        }
    }

    /** The queue fails those that it knows, and this one comes too late for that. */
    @Test
    void shouldMakeNoQueuePairAtAQueueThatOverrunsMeanwhile() {
        final SteppedEnvironment environment = new SteppedEnvironment();
        try (SoftwareLink link = SoftwareLink.open(environment, fabric.path())) {
            final CompletionQueue queue = link.rightReceives;
            link.newPair(link.rightDomain, queue, queue, 0);
            environment.onPark(() -> {
                environment.onPark(() -> { });
                overrun(link, queue);
            });

            assertEquals(Errno.EINVAL, assertThrows(VerbsException.class,
                () -> link.newPair(link.rightDomain, queue, queue, 0)).errno());
        }
    }

    /** Memory of a queue pair stays while a thread polls it that does not come back, though it could not be made. */
    @Test
    void shouldUnmapNoQueuePairThatCannotBeMadeUnderAPoll() {
        final SteppedEnvironment environment = new SteppedEnvironment();
        final HeldPosts posts = new HeldPosts();
        final SoftwareLink link = SoftwareLink.open(environment, fabric.path(), posts);
        posts.verdict = FaultHook.DEFER;
        posts.end(link.leftPair, posts.begin(link, link.leftPair));
        final CompletionQueue overrun = link.newQueue(link.left);
        overrun.close();
        posts.verdict = FaultHook.DROP;
        final Thread poller = posts.begin(link.leftSends::startPoll);

        assertThrows(VerbsException.class, () -> link.newPair(link.leftDomain, overrun, link.leftSends, 0));

        assertEquals(1, link.left.abandonedMappings());
        posts.end(link.leftPair, poller);
        link.close();
    }

    /** The device is taken away meanwhile, which forgets what it does not know yet. */
    @Test
    void shouldLeaveNothingOfAQueuePairThatIsMadeWhileTheDeviceGoes() {
        final SteppedEnvironment environment = new SteppedEnvironment();
        try (SoftwareLink link = SoftwareLink.open(environment, fabric.path())) {
            final CompletionQueue sends = queueOfTwo(link);
            environment.onPark(() -> {
                environment.onPark(() -> { });
                link.right.remove();
                assertThrows(VerbsException.class, link.right::release, "its queue has a queue pair");
            });

            assertThrows(VerbsException.class, () -> link.newPair(link.rightDomain, sends, link.rightReceives, 0));

            link.right.release();
            assertEquals(Errno.EINVAL, link.rightReceives.startPoll());
            assertEquals(0, link.right.abandonedMappings());
        }
    }

    /** Keeps each thread that posts inside until it is let go, by its queue pair. */
    private static final class HeldPosts extends FaultHook {
        private static final long PATIENCE_S = 60;

        private volatile int verdict = DROP;
        private final Semaphore entered = new Semaphore(0);
        private final Map<Integer, Semaphore> mayLeave = new ConcurrentHashMap<>();

        private static void take(final Semaphore semaphore) {
            try {
                assertTrue(semaphore.tryAcquire(PATIENCE_S, TimeUnit.SECONDS));
            } catch (final InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private Semaphore mayLeave(final int number) {
            return mayLeave.computeIfAbsent(number, ignored -> new Semaphore(0));
        }

        @Override
        public int onOperation(
            final int queuePairNumber,
            final Operation operation,
            final long workRequestId,
            final int length,
            final int immediate) {
            entered.release();
            take(mayLeave(queuePairNumber));
            return verdict;
        }

        /** A thread that is inside a post of a queue pair. */
        Thread begin(final SoftwareLink link, final QueuePair queuePair) {
            return begin(() -> queuePair.postWrite(1, 0, link.leftRegion.address(),
                link.leftRegion.localKey(), Long.BYTES, link.rightRegion.address(), link.rightRegion.remoteKey()));
        }

        /** A thread that carries out what was posted. */
        Thread begin(final Runnable call) {
            final Thread thread = new Thread(call);
            thread.start();
            take(entered);
            return thread;
        }

        /** Let the thread leave. */
        void end(final QueuePair queuePair, final Thread thread) {
            mayLeave(queuePair.number()).release();
            try {
                thread.join();
            } catch (final InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Each opening cleans up after the dead; none may take one that is just being born for dead. */
    @Test
    void shouldOpenAndCloseManyDevicesAtOnce() throws InterruptedException {
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            final int index = i;
            threads.add(start(() -> {
                for (int round = 0; round < 15; round++) {
                    try (SoftwareDevice device = open()) {
                        final MemoryRegion region =
                            device.allocateProtectionDomain().allocateRegion(4096, SoftwareLink.ACCESS);
                        device.listen("ipc/" + index, 1).close();
                        region.close();
                    }
                }
            }));
        }
        for (final Thread thread : threads) {
            thread.join();
        }
        assertNull(failure.get());
    }

    @Test
    void shouldFailThePeersOfADeviceThatIsClosedUnderThem() {
        final SteppedEnvironment environment = new SteppedEnvironment();
        final SoftwareLink link = SoftwareLink.open(environment, fabric.path());
        link.leftPair.postReceives(1, 1);
        link.right.close();

        environment.advance(SoftwareLimits.LIVENESS_INTERVAL_NS);
        link.duties();

        assertEquals(QueuePairState.ERROR, link.leftPair.state());
        assertEquals(WorkStatus.WR_FLUSH_ERR, SoftwareLink.takeStatus(link.leftSends));
        link.close();
    }

    @Test
    void shouldRaiseAnOverrunOnceHoweverItIsFound() {
        final SteppedEnvironment environment = new SteppedEnvironment();
        try (SoftwareLink link = SoftwareLink.open(environment, fabric.path())) {
            link.rightReceives.resize(4);
            link.rightPair.postReceives(1, 5);
            for (int i = 0; i < 5; i++) {
                link.write(i, 0, 8, i);
            }
            assertEquals(Errno.EINVAL, link.rightReceives.startPoll());
            for (int i = 0; i < 3; i++) {
                environment.advance(SoftwareLimits.LIVENESS_INTERVAL_NS);
                link.duties();
            }
            assertEquals(1, link.events.stream().filter(type -> type == AsyncEventType.CQ_ERR).count());
            assertEquals(QueuePairState.ERROR, link.rightPair.state());
        }
    }
}

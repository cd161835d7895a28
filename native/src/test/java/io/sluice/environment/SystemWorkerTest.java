package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemWorkerTest {
    private static final String ROLE_NAME = "test-role";
    private static final ErrorHandler NO_ERRORS = t -> fail("no error expected", t);

    private final Environment environment = SystemEnvironment.instance();
    private final CountDownLatch worked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger closings = new AtomicInteger();
    private volatile Thread workThread;
    private volatile Thread closeThread;

    @Test
    void shouldRunTheAgentOnADaemonThreadWithItsRoleName() throws InterruptedException {
        try (Worker _ = start(new RecordingAgent(), NO_ERRORS)) {
            worked.await();
            assertEquals(ROLE_NAME, workThread.getName());
            assertTrue(workThread.isDaemon());
            assertNotSame(Thread.currentThread(), workThread);
        }
    }

    @Test
    void shouldRunOnCloseOnTheWorkersThreadBeforeCloseReturns() throws InterruptedException {
        final Worker worker = start(new RecordingAgent(), NO_ERRORS);
        worked.await();
        worker.close();
        assertSame(workThread, closeThread);
    }

    @Test
    void shouldRunOnCloseOnTheWorkersThreadEvenIfClosedAtOnce() {
        for (int i = 0; i < 200; i++) {
            closeThread = null;
            start(new RecordingAgent(), NO_ERRORS).close();
            assertEquals(ROLE_NAME, closeThread.getName());
        }
        assertEquals(200, closings.get());
    }

    @Test
    void shouldCloseOnlyOnce() {
        final Worker worker = start(new RecordingAgent(), NO_ERRORS);
        worker.close();
        worker.close();
        assertEquals(1, closings.get());
    }

    @Test
    void shouldLetEveryClosingThreadWaitUntilTheAgentHasClosed() throws Exception {
        final CountDownLatch mayClose = new CountDownLatch(1);
        final Worker worker = start(new RecordingAgent() {
            @Override
            public void onClose() {
                awaitUninterrupted(mayClose);
                super.onClose();
            }
        }, NO_ERRORS);
        final FutureTask<Integer> first = new FutureTask<>(() -> closeAndCount(worker));
        final FutureTask<Integer> second = new FutureTask<>(() -> closeAndCount(worker));
        final Thread firstThread = Thread.ofPlatform().start(first);
        final Thread secondThread = Thread.ofPlatform().start(second);
        while (!isWaiting(firstThread) || !isWaiting(secondThread)) {
            Thread.yield();
        }
        mayClose.countDown();
        assertEquals(1, first.get());
        assertEquals(1, second.get());
    }

    @Test
    void shouldWaitAndKeepTheInterruptWhenAnInterruptedThreadCloses() {
        final AtomicInteger interrupts = new AtomicInteger();
        final Worker worker = start(new RecordingAgent() {
            @Override
            public void onClose() {
                interrupts.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                super.onClose();
            }
        }, NO_ERRORS);
        Thread.currentThread().interrupt();
        worker.close();
        assertTrue(Thread.interrupted(), "the caller's interrupt is kept");
        assertEquals(1, closings.get());
        assertEquals(0, interrupts.get(), "and not passed on to the agent");
    }

    @Test
    void shouldRefuseToBeClosedByItsOwnAgent() throws Exception {
        final FutureTask<Worker> started = new FutureTask<>(() -> null);
        final Worker[] self = new Worker[1];
        final AtomicBoolean current = new AtomicBoolean();
        final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
        final Semaphore reported = new Semaphore(0);
        final Worker worker = start(new RecordingAgent() {
            @Override
            public int doWork() throws Exception {
                started.get();
                current.set(self[0].isCurrent());
                self[0].close();
                return 0;
            }
        }, t -> {
            errors.add(t);
            reported.release();
        });
        self[0] = worker;
        started.run();
        reported.acquire();
        assertTrue(current.get());
        assertFalse(worker.isCurrent());
        worker.close();
        assertTrue(errors.peek().getMessage().contains(ROLE_NAME), errors.peek().getMessage());
        assertEquals(1, closings.get());
    }

    @Test
    void shouldWakeAParkedAgent() throws InterruptedException {
        final Semaphore idling = new Semaphore(0);
        final IdleStrategy parking = new ParkingStrategy(idling);
        try (Worker worker = environment.startWorker(new RecordingAgent(), parking, NO_ERRORS)) {
            for (int i = 0; i < 100; i++) {
                idling.acquire();
                worker.wake();
            }
        }
        assertEquals(1, closings.get());
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, AssertionError.class, InterruptedException.class})
    void shouldReportWhatTheAgentThrowsAndGoOn(final Class<? extends Throwable> type) throws Exception {
        final Throwable thrown = type.getConstructor().newInstance();
        final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
        final CountDownLatch wentOn = new CountDownLatch(3);
        try (Worker _ = start(new RecordingAgent() {
            @Override
            public int doWork() throws Exception {
                wentOn.countDown();
                return SystemWorkerTest.<Exception>raise(thrown);
            }
        }, errors::add)) {
            wentOn.await();
        }
        assertTrue(errors.size() >= 2);
        assertSame(thrown, errors.peek());
        assertEquals(1, closings.get());
    }

    @Test
    void shouldGoOnWhenTheErrorHandlerThrowsToo() throws InterruptedException {
        final CountDownLatch wentOn = new CountDownLatch(3);
        final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
        final IllegalStateException fromAgent = new IllegalStateException("from agent");
        final IllegalStateException fromHandler = new IllegalStateException("from handler");
        try (Worker _ = start(new RecordingAgent() {
            @Override
            public void onStart() {
                Thread.currentThread().setUncaughtExceptionHandler((thread, t) -> uncaught.add(t));
            }

            @Override
            public int doWork() {
                wentOn.countDown();
                throw fromAgent;
            }
        }, t -> {
            throw fromHandler;
        })) {
            wentOn.await();
        }
        assertSame(fromHandler, uncaught.peek());
        assertSame(fromAgent, fromHandler.getSuppressed()[0]);
        assertEquals(1, closings.get());
    }

    @Test
    void shouldCloseTheAgentThatCannotStart() {
        final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
        final Error thrown = new AssertionError("cannot start");
        start(new RecordingAgent() {
            @Override
            public void onStart() {
                throw thrown;
            }
        }, errors::add).close();
        assertEquals(1, errors.size());
        assertSame(thrown, errors.peek().getCause());
        assertEquals(1, closings.get());
        assertEquals(1, worked.getCount(), "an agent that did not start does not work");
    }

    @Test
    void shouldLeaveAnAgentAloneThatDoesNotComeBackAndTellWhereItIs() throws InterruptedException {
        final AtomicBoolean mayReturn = new AtomicBoolean();
        final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
        final Worker worker = start(new RecordingAgent() {
            @Override
            public int doWork() throws Exception {
                super.doWork();
                while (!mayReturn.get()) {
                    LockSupport.parkNanos(1_000_000);
                }
                return 0;
            }
        }, errors::add);
        worked.await();
        assertFalse(worker.closeOrAbandon(1_000_000));
        assertTrue(errors.remove().getMessage().contains("roleName=" + ROLE_NAME));
        assertEquals(0, closings.get());
        mayReturn.set(true);
        closed.await();
        worker.close();
        assertSame(workThread, closeThread);
    }

    @Test
    void shouldInterruptAnAgentThoughTheErrorHandlerThrows() throws InterruptedException {
        final Worker worker = start(new InterruptibleAgent(), error -> {
            throw new IllegalStateException("of the error handler");
        });
        worked.await();
        while (!worker.closeOrAbandon(1_000_000)) {
            Thread.onSpinWait();
        }
        assertEquals(1, closings.get());
    }

    @Test
    void shouldEndAnAgentThatIsWellThoughTheCallerIsInterrupted() throws InterruptedException {
        final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
        final Worker worker = start(new RecordingAgent(), errors::add);
        worked.await();

        Thread.currentThread().interrupt();

        assertTrue(worker.closeOrAbandon(TimeUnit.MINUTES.toNanos(1)));
        assertTrue(Thread.interrupted(), "the interrupt is kept");
        assertEquals(1, closings.get());
        assertEquals(List.of(), List.copyOf(errors));
    }

    @Test
    void shouldEndAnAgentThatComesBackWhenInterrupted() throws InterruptedException {
        final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
        final Worker worker = start(new InterruptibleAgent(), errors::add);
        worked.await();
        while (!worker.closeOrAbandon(1_000_000)) {
            Thread.onSpinWait();
        }
        assertEquals(1, closings.get());
    }

    @Test
    void shouldEndTheAgentThatSaysSo() throws InterruptedException {
        final Worker worker = start(new RecordingAgent() {
            @Override
            public int doWork() {
                throw new AgentTerminationException(true);
            }
        }, NO_ERRORS);
        closed.await();
        worker.close();
        assertEquals(1, closings.get());
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, AssertionError.class, InterruptedException.class})
    void shouldCloseTheAgentWhateverItsIdleStrategyThrows(final Class<? extends Throwable> type) throws Exception {
        final Throwable thrown = type.getConstructor().newInstance();
        final IdleStrategy throwing = new ParkingStrategy(new Semaphore(0)) {
            @Override
            public void idle() {
                Thread.currentThread().setUncaughtExceptionHandler((thread, t) -> { });
                SystemWorkerTest.<RuntimeException>raise(thrown);
            }
        };
        final Worker worker = environment.startWorker(new RecordingAgent(), throwing, t -> assertSame(thrown, t));
        worked.await();
        worker.close();
        assertEquals(1, closings.get());
        assertSame(workThread, closeThread);
    }

    /** An agent whose work lasts until its thread is interrupted. */
    private final class InterruptibleAgent extends RecordingAgent {
        @Override
        public int doWork() throws Exception {
            super.doWork();
            new CountDownLatch(1).await();
            return 0;
        }
    }

    private Worker start(final Agent agent, final ErrorHandler errorHandler) {
        return environment.startWorker(agent, YieldingIdleStrategy.INSTANCE, errorHandler);
    }

    private int closeAndCount(final Worker worker) {
        worker.close();
        return closings.get();
    }

    /** True of a thread that has ended as well, so that a close that does not wait fails the test and not its wait. */
    private static boolean isWaiting(final Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.TERMINATED;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> int raise(final Throwable throwable) throws T {
        throw (T) throwable;
    }

    private static void awaitUninterrupted(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private class RecordingAgent implements Agent {
        @Override
        public int doWork() throws Exception {
            workThread = Thread.currentThread();
            worked.countDown();
            return 0;
        }

        @Override
        public void onClose() {
            closeThread = Thread.currentThread();
            closings.incrementAndGet();
            closed.countDown();
        }

        @Override
        public String roleName() {
            return ROLE_NAME;
        }
    }

    private static class ParkingStrategy implements IdleStrategy {
        private final Semaphore idling;

        ParkingStrategy(final Semaphore idling) {
            this.idling = idling;
        }

        @Override
        public void idle(final int workCount) {
            idle();
        }

        @Override
        public void idle() {
            idling.release();
            LockSupport.park();
        }

        @Override
        public void reset() {
        }
    }

    @Test
    void shouldRunOnAThreadOfTheFactoryUnderTheNameOfItsRole() {
        final AtomicReference<Thread> made = new AtomicReference<>();
        final RecordingAgent agent = new RecordingAgent();
        try (Worker worker = environment.startWorker(agent, YieldingIdleStrategy.INSTANCE, NO_ERRORS, task -> {
            made.set(Thread.ofPlatform().daemon().unstarted(task));
            return made.get();
        })) {
            assertEquals(agent.roleName(), made.get().getName());
            assertFalse(worker.isCurrent());
        }
        assertFalse(made.get().isAlive());
    }

    @Test
    void shouldTellWhichAgentHasNoThreadOfAFactory() {
        final RecordingAgent agent = new RecordingAgent();
        final String message = assertThrows(IllegalStateException.class, () -> environment.startWorker(
            agent, YieldingIdleStrategy.INSTANCE, NO_ERRORS, task -> null)).getMessage();
        assertTrue(message.contains("roleName=" + agent.roleName()), message);
    }
}

package io.sluice.transport.agent;

import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Runs tasks one after the other, in order: the set-up thread for verbs that may block, those for callbacks and
 * listeners, which are user code, and the conductor's own inbox. Any thread may submit; one thread runs.
 */
public final class TaskAgent implements Agent {
    /** Tasks run per duty cycle, so that the agent's other work is not kept waiting. */
    private static final int TASK_LIMIT = 64;

    private final ManyToOneConcurrentLinkedQueue<Runnable> tasks = new ManyToOneConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final String roleName;
    private final int capacity;
    private final ErrorHandler errorHandler;
    private volatile Runnable waker = () -> { };

    /**
     * Creates an agent without tasks.
     *
     * @param roleName     of the agent.
     * @param capacity     tasks that may wait, by {@link #offer(Runnable)}.
     * @param errorHandler told of everything that a task throws.
     */
    public TaskAgent(final String roleName, final int capacity, final ErrorHandler errorHandler) {
        this.roleName = roleName;
        this.capacity = capacity;
        this.errorHandler = errorHandler;
    }

    /**
     * Submit a task that must not be lost. Whoever submits sees to it that only a bounded number waits: one for each
     * link or callback, say, and not one for each message.
     *
     * @param task to run.
     */
    public void submit(final Runnable task) {
        waiting.incrementAndGet();
        tasks.add(task);
        waker.run();
    }

    /**
     * Submit a look that comes round again and again, and counts as no work: whoever runs the agent goes on to rest.
     *
     * @param task that looks.
     */
    void submitLook(final Runnable task) {
        submit(new Look(task));
    }

    /**
     * Sets the action that wakes the agent's thread when it sleeps.
     *
     * @param newWaker called from any thread.
     */
    public void waker(final Runnable newWaker) {
        waker = newWaker;
    }

    /**
     * Submit a task if there is room.
     *
     * @param task to run.
     * @return false when the queue is full.
     */
    public boolean offer(final Runnable task) {
        return offer(task, capacity);
    }

    /** {@return false when more wait already} Submit a task for which a part of the queue is enough. */
    boolean offer(final Runnable task, final int maxWaiting) {
        if (waiting.get() >= maxWaiting) {
            return false;
        }
        submit(task);
        return true;
    }

    /**
     * Whether nothing waits and nothing runs. Any thread.
     *
     * @return true when every submitted task has ended.
     */
    public boolean isIdle() {
        return waiting.get() == 0;
    }

    @Override
    public int doWork() {
        int work = 0;
        for (int count = 0; count < TASK_LIMIT; count++) {
            final Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
            work += task instanceof Look ? 0 : 1;
            try {
                task.run();
            } catch (final Throwable ex) {
                tell(ex);
            } finally {
                waiting.decrementAndGet();
            }
        }
        return work;
    }

    /**
     * Tells the error handler; what that throws itself goes where the thread's uncaught exceptions go, not to it once
     * more.
     */
    private void tell(final Throwable error) {
        try {
            errorHandler.onError(error);
        } catch (final Throwable ex) {
            if (ex != error) {
                ex.addSuppressed(error);
            }
            final Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, ex);
        }
    }

    @Override
    public String roleName() {
        return roleName;
    }

    /** A look that comes round again and again. */
    private record Look(Runnable task) implements Runnable {
        @Override
        public void run() {
            task.run();
        }
    }
}

package io.sluice.transport.agent;

import io.sluice.transport.status.ErrorKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Hands work from one agent of the transport to another: to the conductor, which must not block, to the set-up agent,
 * which may, and to the agent of image handlers, which are user code. Any thread.
 */
public final class Tasks {
    private final TaskAgent inbox;
    private final TaskAgent setup;
    private final TaskAgent callbacks;
    private final Failures failures;
    private volatile Runnable waker = () -> { };

    /**
     * A transport's.
     *
     * @param inbox     of the conductor.
     * @param setup     runs what may block.
     * @param callbacks runs image handlers.
     * @param failures  told of what cannot be released.
     */
    public Tasks(final TaskAgent inbox, final TaskAgent setup, final TaskAgent callbacks, final Failures failures) {
        this.inbox = inbox;
        this.setup = setup;
        this.callbacks = callbacks;
        this.failures = failures;
    }

    /**
     * Run something on the conductor, which is woken for it.
     *
     * @param task to run.
     */
    public void execute(final Runnable task) {
        inbox.submit(task);
        wake();
    }

    /** Wake the conductor's thread if it sleeps. */
    public void wake() {
        waker.run();
    }

    /**
     * Call the waker, from any thread, whenever the conductor has to run soon.
     *
     * @param newWaker called from any thread.
     */
    public void waker(final Runnable newWaker) {
        waker = newWaker;
    }

    /**
     * Run something that may block on the set-up agent; what it throws goes to the conductor.
     *
     * @param task   to run.
     * @param failed told when the task has thrown.
     */
    public void setUp(final Runnable task, final Consumer<Throwable> failed) {
        setup.submit(() -> run(task, failed));
    }

    /**
     * Run something that comes round again and again on the set-up agent: as {@link #setUp}, but it counts as no work.
     *
     * @param task   to run.
     * @param failed told when the task has thrown.
     */
    public void lookAround(final Runnable task, final Consumer<Throwable> failed) {
        setup.submitLook(() -> run(task, failed));
    }

    private void run(final Runnable task, final Consumer<Throwable> failed) {
        try {
            task.run();
        } catch (final Throwable ex) {
            execute(() -> failed.accept(ex));
        }
    }

    /**
     * Run something on the set-up agent, after what it does now has been heard of.
     *
     * @param task to run.
     */
    public void setUpLater(final Runnable task) {
        execute(() -> setUp(task,
            error -> failures.report(ErrorKind.INTERNAL, "a task of the set-up agent has failed", error)));
    }

    /**
     * Run an image handler, or what must come after it.
     *
     * @param task to run.
     */
    public void callBack(final Runnable task) {
        callbacks.submit(task);
    }

    /**
     * Release something on the set-up agent, where it may block; nothing when it is null.
     *
     * @param resource to close, or null.
     */
    public void release(final AutoCloseable resource) {
        if (resource != null) {
            releaseAll(List.of(resource));
        }
    }

    /**
     * Release things in order, not stopping at the first failure.
     *
     * @param resources to close.
     */
    public void releaseAll(final List<? extends AutoCloseable> resources) {
        final List<AutoCloseable> copy = new ArrayList<>(resources);
        if (resources instanceof ArrayList) {
            resources.clear();
        }
        setup.submit(() -> {
            for (final AutoCloseable resource : copy) {
                try {
                    resource.close();
                } catch (final Throwable ex) {
                    failures.report(ErrorKind.INTERNAL, "cannot release what is used no more", ex);
                }
            }
        });
    }
}

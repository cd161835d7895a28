package io.sluice.transport;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The thread that runs a transport's agents, and all handlers with them, in INVOKER mode: one at a time claims it. Any
 * thread.
 */
final class InvokingThread {
    private final AtomicReference<Thread> inside = new AtomicReference<>();

    /** Claims it for a duty cycle, or throws when somebody has it. */
    void enter() {
        final Thread other = inside.compareAndExchange(null, Thread.currentThread());
        if (other != null) {
            throw new ReentrantCallException("doWork() is under way, and called once more by a handler or listener that"
                + " it runs, or by a second thread: return from the handler instead; who must wait in a handler polls,"
                + " with controlledPoll and ABORT for example, or uses threadingMode=DEDICATED: thread="
                + Thread.currentThread().getName() + " inside=" + other.getName());
        }
    }

    /** {@return whether nobody had it, and the caller has it now} */
    boolean tryEnter() {
        return inside.compareAndSet(null, Thread.currentThread());
    }

    /** Claims it for a close, or throws when somebody has it. */
    void enterToClose() {
        check(inside.compareAndExchange(null, Thread.currentThread()));
    }

    /** Throws when somebody has it, whom a close would wait for. */
    void checkOutside() {
        check(inside.get());
    }

    private static void check(final Thread other) {
        if (other != null) {
            throw reentrantClose("doWork() on " + other.getName());
        }
    }

    void leave() {
        inside.setRelease(null);
    }

    /** The exception of a close that would wait for what calls it. */
    static ReentrantCallException reentrantClose(final String within) {
        return new ReentrantCallException("a transport cannot be closed by its own handler, listener or error"
            + " handler: close it from another thread, which waits until this one has returned, or after the"
            + " return: thread=" + Thread.currentThread().getName() + " inside=" + within);
    }
}

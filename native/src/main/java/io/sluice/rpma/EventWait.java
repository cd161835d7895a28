package io.sluice.rpma;

import io.sluice.environment.Environment;
import io.sluice.verbs.foreign.ChannelWait;
import io.sluice.verbs.foreign.Guard;
import io.sluice.verbs.foreign.SystemCalls;
import java.util.function.IntSupplier;

/**
 * Waits on a descriptor of librpma for one thread at a time. The library's own waits have no end and cannot be
 * interrupted, so the descriptor is made non-blocking, and the library asked when there is something: and only then,
 * as it calls a descriptor without anything an error, and logs it.
 */
final class EventWait {
    /**
     * The longest time in nanoseconds for which an interrupt may go unnoticed: it does not end a wait in native code.
     */
    private static final long LONGEST_WAIT_NS = 50_000_000;

    private final Environment environment;
    private final int descriptor;
    private final ChannelWait waiting;
    private final Guard guard = new Guard();
    private volatile boolean isShut;

    EventWait(final Environment environment, final int descriptor) {
        this.environment = environment;
        this.descriptor = descriptor;
        SystemCalls.setNonBlocking(descriptor);
        waiting = new ChannelWait(descriptor);
    }

    int descriptor() {
        return descriptor;
    }

    Guard guard() {
        return guard;
    }

    /**
     * Wait until the library has something to take.
     *
     * @param timeoutNs longest wait; 0 or less does not wait.
     * @param nothing   what {@code take} answers while there is nothing.
     * @param take      asks the library.
     * @return another answer; {@code nothing} after the timeout, when the thread is interrupted, and when somebody woke
     * it; {@link RpmaError#E_INVAL} when this is shut, {@link RpmaError#E_PROVIDER} when the descriptor is in error.
     */
    int await(final long timeoutNs, final int nothing, final IntSupplier take) {
        guard.enter();
        try {
            final long limitNs = Math.max(0, timeoutNs);
            final long startNs = environment.nanoTime();
            while (!isShut) {
                final long remainingNs = limitNs - (environment.nanoTime() - startNs);
                final boolean isLast = remainingNs <= 0 || Thread.currentThread().isInterrupted();
                if (waiting.await(isLast ? 0 : Math.min(remainingNs, LONGEST_WAIT_NS))) {
                    if (waiting.takeWakeUp()) {
                        return isShut ? RpmaError.E_INVAL : nothing;
                    }
                    final int result = take.getAsInt();
                    if (result != nothing) {
                        return result;
                    }
                    if (!waiting.isReadable()) {
                        // it would be ready again at once, and for ever
                        return RpmaError.E_PROVIDER;
                    }
                }
                if (isLast) {
                    return nothing;
                }
            }
            return RpmaError.E_INVAL;
        } finally {
            guard.leave();
        }
    }

    /** End this wait or the next one. Any thread. */
    void wake() {
        waiting.wake();
    }

    /** Whether {@link #shut()} was called: no thread waits any more, or its wait is about to end. */
    boolean isShut() {
        return isShut;
    }

    /** Let no thread wait any more, and end the wait of one that does. */
    void shut() {
        isShut = true;
        waiting.wake();
    }

    /** Close the event descriptor that wakes the waiting thread; no thread waits any more. */
    void close() {
        waiting.close();
    }
}

package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.transport.conductor.Conductor;
import org.agrona.LangUtil;

/**
 * The first part of a transport's close, while its agents still run: deliver, say goodbye, release. On the thread that
 * closes; in INVOKER mode it runs the agents, and goes on when one of them throws.
 */
final class ShutDown implements AutoCloseable {
    /** Pause between looks. */
    private static final long PARK_NS = 100_000L;
    /** The time for what follows the linger: releasing memory, goodbyes, a handler that is still running. */
    private static final long GRACE_NS = 2_000_000_000L;

    private final Context context;
    private final Environment environment;
    private final Conductor conductor;
    private final Runnable dutyCycle;
    private Throwable failure;

    ShutDown(final Context context, final Conductor conductor, final Runnable dutyCycle) {
        this.context = context;
        environment = context.environment();
        this.conductor = conductor;
        this.dutyCycle = dutyCycle;
    }

    @Override
    public void close() {
        conductor.beginShutDown();
        if (!awaitDeliveries(Math.max(context.timeouts().lingerTimeoutNs(), conductor.longestLingerNs()))) {
            conductor.execute(conductor::abandonDeliveries);
            awaitDeliveries(context.timeouts().lingerTimeoutNs() + GRACE_NS);
        }
        conductor.execute(conductor::shutDown);
        final long deadlineNs = environment.nanoTime() + GRACE_NS;
        while (!conductor.isShutDown() && environment.nanoTime() - deadlineNs < 0) {
            step();
        }
        if (failure != null) {
            LangUtil.rethrowUnchecked(failure);
        }
    }

    private boolean awaitDeliveries(final long timeoutNs) {
        final long deadlineNs = environment.nanoTime() + timeoutNs;
        while (!conductor.isShutDownReady() && environment.nanoTime() - deadlineNs < 0) {
            step();
        }
        return conductor.isShutDownReady();
    }

    private void step() {
        if (context.threadingMode() != ThreadingMode.INVOKER) {
            environment.park(PARK_NS);
            return;
        }
        try {
            dutyCycle.run();
        } catch (final Throwable ex) {
            // the first one is thrown at the end
            if (failure == null) {
                failure = ex;
            }
        }
    }
}

package io.sluice.samples.selftest;

import io.sluice.verbs.VerbsException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The end of one thing that may hang, on a thread of its own.
 *
 * @param result  of it, or null.
 * @param failure of it, or null.
 * @param isHung  whether it has not ended.
 */
record Step<T>(T result, Throwable failure, boolean isHung) {
    /** Run it, and wait so long; without an end its thread goes on, and does not keep the process. */
    static <T> Step<T> run(final String name, final long boundNs, final Callable<T> action) {
        final FutureTask<T> task = new FutureTask<>(action);
        Thread.ofPlatform().name("selftest-" + name).daemon().start(task);
        try {
            return new Step<>(task.get(boundNs, TimeUnit.NANOSECONDS), null, false);
        } catch (final ExecutionException e) {
            return new Step<>(null, e.getCause(), false);
        } catch (final TimeoutException e) {
            return new Step<>(null, e, true);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Step<>(null, e, true);
        }
    }

    /** The failure in words. */
    String cause() {
        return failure instanceof VerbsException || failure instanceof CheckFailure
            || failure instanceof IllegalStateException ? failure.getMessage() : failure.toString();
    }
}

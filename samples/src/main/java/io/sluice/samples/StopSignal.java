package io.sluice.samples;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a program end cleanly on Ctrl-C and on SIGTERM: loops ask {@link #isRequested()}, and the JVM waits with its
 * exit until this is closed. Any thread may ask and request; whoever opened it closes it after everything else.
 * <p>
 * The exit code is then the JVM's own, 130 for Ctrl-C.
 */
final class StopSignal implements AutoCloseable {
    /**
     * The time in seconds that an end may take: longer than transports linger by default; a program that hangs must
     * still end.
     */
    private static final long LIMIT_SECONDS = 15;

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stopAndWait, "stop-signal");
    private volatile boolean isRequested;

    StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    boolean isRequested() {
        return isRequested;
    }

    void request() {
        isRequested = true;
        requested.countDown();
    }

    /**
     * Wait for the request.
     *
     * @param timeoutMs how long at most, in milliseconds.
     * @return whether it came.
     */
    boolean await(final long timeoutMs) throws InterruptedException {
        return requested.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    private void stopAndWait() {
        request();
        try {
            if (!finished.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("sluice: not everything ended within " + LIMIT_SECONDS + " s; exiting all the same");
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (final IllegalStateException e) {
            // The JVM is shutting down, and runs the hook or has run it: as it should be.
            request();
        }
    }
}

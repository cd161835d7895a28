package io.sluice.samples.selftest;

/** A thread of a check beside the one that runs it. The process may end without it. */
final class Helper {
    private final Thread thread;

    private Helper(final Thread thread) {
        this.thread = thread;
    }

    static Helper start(final String name, final Runnable work) {
        return new Helper(Thread.ofPlatform().name(name).daemon().start(work));
    }

    /** Wait for its end; when that does not come, the check's own time ends. */
    void await() {
        try {
            thread.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CheckFailure("interrupted");
        }
    }
}

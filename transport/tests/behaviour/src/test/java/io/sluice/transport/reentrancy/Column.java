package io.sluice.transport.reentrancy;

import io.sluice.transport.ThreadingMode;

/** The threads that run the agents, and the way in which bytes arrive. */
enum Column {
    DEDICATED_MEMORY(ThreadingMode.DEDICATED, "shared"),
    DEDICATED_QUEUE(ThreadingMode.DEDICATED, "shared|completion=queue"),
    DEDICATED_COPIED(ThreadingMode.DEDICATED, "copied"),
    INVOKER_MEMORY(ThreadingMode.INVOKER, "shared"),
    INVOKER_QUEUE(ThreadingMode.INVOKER, "shared|completion=queue"),
    INVOKER_COPIED(ThreadingMode.INVOKER, "copied");

    private final ThreadingMode threadingMode;
    private final String log;

    Column(final ThreadingMode threadingMode, final String log) {
        this.threadingMode = threadingMode;
        this.log = log;
    }

    ThreadingMode threadingMode() {
        return threadingMode;
    }

    /** {@return the value of the channel key, with what follows it} */
    String log() {
        return log;
    }
}

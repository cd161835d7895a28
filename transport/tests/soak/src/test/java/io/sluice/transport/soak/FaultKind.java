package io.sluice.transport.soak;

import java.util.Locale;

/**
 * The kinds of faults that a soak does to its processes.
 */
enum FaultKind {
    /** kill -9, and a new process in its place. */
    KILL_PUBLISHER(true, false),
    KILL_SUBSCRIBER(false, true),
    KILL_BOTH(true, true),
    /** SIGSTOP for a moment: nobody may be given up. */
    STOP_PUBLISHER(true, false),
    STOP_SUBSCRIBER(false, true),
    /** SIGSTOP for longer than liveness: given up, and taken back as a new image. */
    FREEZE_PUBLISHER(true, false),
    FREEZE_SUBSCRIBER(false, true),
    /** The consumer stands still after every message. */
    SLOW_CONSUMER(false, true),
    /** A write of data or of feedback fails. */
    FAIL_DATA(true, false),
    FAIL_FEEDBACK(false, true),
    /** A write is held until its retries are exhausted, with everything behind it. */
    DROP_DATA(true, false),
    /** A write is held for a moment, with everything behind it. */
    DELAY_DATA(true, false),
    /** The control connection of two processes breaks, and with it all their links. */
    LINK_FAILURE(true, false),
    /** A subscription is closed and another one opened in the same process. */
    REOPEN_SUBSCRIPTION(false, true),
    /** Everything is delivered, the process ends, and a new one begins. */
    RESTART_PUBLISHER(true, false),
    RESTART_SUBSCRIBER(false, true),
    /** A subscriber is restarted so, and a completion queue of the new process overruns. */
    OVERRUN_SUBSCRIBER(false, true),
    /** A second subscription of the process is too slow, and is taken out. */
    EVICT_SUBSCRIPTION(false, true),
    /** Two dozen publications of the process are linked to one poller, and close again. */
    LINK_CHURN(true, true),
    /** A process with another key wants to subscribe. */
    WRONG_KEY(true, false),
    /** A process comes again with a handshake that it has recorded. */
    REPLAYED_HANDSHAKE(true, false),
    /** A process whose address is not on the list wants to publish. */
    FOREIGN_ADDRESS(false, true),
    /** A process with the key writes random bytes where messages are read. */
    RANDOM_BYTES(false, true);

    private final boolean hitsPublisher;
    private final boolean hitsSubscriber;

    FaultKind(final boolean hitsPublisher, final boolean hitsSubscriber) {
        this.hitsPublisher = hitsPublisher;
        this.hitsSubscriber = hitsSubscriber;
    }

    boolean hitsPublisher() {
        return hitsPublisher;
    }

    boolean hitsSubscriber() {
        return hitsSubscriber;
    }

    /** Whether an operation is held, or a stranger comes by ways that only the software device has. */
    boolean needsSoftware() {
        return switch (this) {
            case DROP_DATA, DELAY_DATA, REPLAYED_HANDSHAKE, FOREIGN_ADDRESS, RANDOM_BYTES -> true;
            default -> false;
        };
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}

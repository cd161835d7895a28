package io.sluice.transport.connection;

/**
 * The application's thread that polls a subscription: no other one may, so when it has ended, nobody will ever consume,
 * and the subscription would hold its publications up for ever. It is closed when the thread has been dead for the
 * liveness timeout, as a peer that is silent for so long is given up: a program that is about to close it itself is not
 * disturbed. The thread says who it is; the conductor looks.
 */
final class PollingThread {
    private static final long NEVER = Long.MIN_VALUE;

    private final SubscriptionState subscription;
    private volatile Thread thread;
    private long deadSinceNs = NEVER;

    PollingThread(final SubscriptionState subscription) {
        this.subscription = subscription;
    }

    void is(final Thread newThread) {
        thread = newThread;
    }

    void look(final long nowNs) {
        final Thread known = thread;
        if (known == null || known.isAlive() || subscription.isClosed()) {
            return;
        }
        if (deadSinceNs == NEVER) {
            deadSinceNs = nowNs;
        } else if (nowNs - deadSinceNs > subscription.services().parameters().livenessTimeoutNs()) {
            subscription.services().failures().reportOnce("subscription closed: the thread that polled it has"
                + " ended, and no other one may: thread=\"" + known.getName() + "\" #" + known.threadId()
                + " streamId=" + subscription.streamId()
                + " channel=" + subscription.channel());
            subscription.close();
        }
    }
}

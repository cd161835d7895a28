package io.sluice.transport.stream;

import io.sluice.transport.agent.Services;
import io.sluice.transport.status.ErrorKind;
import java.util.function.BooleanSupplier;

/**
 * The application's thread that polls a subscription: no other one may, so when it has ended, nobody will ever consume,
 * and the subscription would hold its publications up for ever. It is closed when the thread has been dead for the
 * liveness timeout, as a peer that is silent for so long is given up: a program that is about to close it itself is not
 * disturbed. The thread says who it is; the conductor looks.
 */
final class PollingThread {
    private static final long NEVER = Long.MIN_VALUE;

    private final Services services;
    private final String place;
    private final BooleanSupplier isClosed;
    private final Runnable close;
    private volatile Thread thread;
    private long deadSinceNs = NEVER;

    /**
     * A thread that has not polled yet.
     *
     * @param services of the transport.
     * @param place    stream and channel of the subscription, for people.
     * @param isClosed whether the subscription is, so that nobody need poll it.
     * @param close    closes it.
     */
    PollingThread(
        final Services services, final String place, final BooleanSupplier isClosed, final Runnable close) {
        this.services = services;
        this.place = place;
        this.isClosed = isClosed;
        this.close = close;
    }

    void is(final Thread newThread) {
        thread = newThread;
    }

    void look(final long nowNs) {
        final Thread known = thread;
        if (known == null || known.isAlive() || isClosed.getAsBoolean()) {
            return;
        }
        if (deadSinceNs == NEVER) {
            deadSinceNs = nowNs;
        } else if (nowNs - deadSinceNs > services.parameters().durations().livenessTimeoutNs()) {
            services.failures().reportOnce(ErrorKind.CONSUMER_LEFT, "subscription closed: the thread that polled it has"
                + " ended, and no other one may: thread=\"" + known.getName() + "\" #" + known.threadId()
                + " " + place);
            close.run();
        }
    }
}

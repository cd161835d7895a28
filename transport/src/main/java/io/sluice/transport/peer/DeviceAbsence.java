package io.sluice.transport.peer;

import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.RdmaDevice;
import java.util.ArrayList;

/**
 * Absence of a medium's device, which is taken away or breaks: its links and connections break at once, everything
 * that was made from the device is given back, so that it can go, and the device is looked for until it is there again.
 * Then peers are met as at the beginning, and links resume that have not given up meanwhile. Other media go on.
 * Conductor only; what may block runs on the set-up agent, behind what was asked of it before.
 * <pre>
 *   there ──told──→ away, held ──release──→ away, released ──reopen──→ there
 * </pre>
 * <table>
 *   <caption>What moves it, and the thread that the work is done on before</caption>
 *   <tr><td>there</td><td>the device tells that it is broken or removed: all sessions end</td><td>conductor</td></tr>
 *   <tr><td>away, held</td><td>all that was made from it is given back; while something is not, it is tried
 *     again</td><td>set-up</td></tr>
 *   <tr><td>away, released</td><td>the device is found and opened anew; while it is not, it is looked for
 *     again</td><td>set-up</td></tr>
 * </table>
 * The device is let go of at once, if it lets. Later tries come after 100 ms at first, then after twice as long each
 * time, up to 2 s. Links do not wait longer for it: their resume and liveness timeouts go on meanwhile.
 */
final class DeviceAbsence {
    /** Pause between the first two looks whether the device can be let go of, or is back: a driver's reset is quick. */
    static final long MIN_RETRY_INTERVAL_NS = 100_000_000L;
    /** The longest time in nanoseconds between two attempts, within which it is noticed that the device is back. */
    static final long MAX_RETRY_INTERVAL_NS = 2_000_000_000L;

    private final RdmaDevice device;
    private final ControlSessions sessions;
    private final Links links;
    private final Services services;
    private final Tasks tasks;
    private final Failures failures;
    /** Event of the device that was not acted on yet; null for none. */
    private AsyncEventType news;
    /**
     * Whether there is no device to work with: nobody is met, and links cannot be made. Other objects of the device,
     * queues for example, are closed by the device when it is let go of.
     */
    private boolean isAway;
    /** Whether the device was let go of, and is looked for; means something only while it is away. */
    private boolean isReleased;
    /** Whether the set-up agent is at it. */
    private boolean isTrying;
    /** Whether the transport closes, for good: a device that is away stays so. */
    private boolean isClosed;
    /** The time to the next try, in nanoseconds; doubles with each that was in vain. */
    private long intervalNs;
    /** The time of the conductor's clock from which on the next try is due. */
    private long nextTryNs;

    DeviceAbsence(final RdmaDevice device, final ControlSessions sessions, final SessionContext context) {
        this.device = device;
        this.sessions = sessions;
        links = context.links();
        services = context.services();
        tasks = services.tasks();
        failures = services.failures();
    }

    /** Learns from the device that it is broken or removed, perhaps while links are looked at: nothing is done yet. */
    void onTold(final AsyncEventType type) {
        news = type;
    }

    /** Whether there is no device to work with. */
    boolean isAway() {
        return isAway;
    }

    /** Ends the looks for the device, as the transport closes. */
    void close() {
        isClosed = true;
    }

    /**
     * Starts an absence that was told, and tries to end it. Each duty cycle, before the medium looks for peers.
     *
     * @param nowNs time of the conductor's clock.
     * @return how much was begun.
     */
    int doWork(final long nowNs) {
        int work = 0;
        // what is told before it is let go of is the same news; what comes after is that it has gone once more
        if (news != null && !isAway) {
            begin(nowNs);
            work++;
        }
        if (isAway && !isTrying && !isClosed && nowNs - nextTryNs >= 0) {
            isTrying = true;
            tasks.setUp(isReleased ? this::reopen : this::release, this::onRefused);
            work++;
        }
        return work;
    }

    /** Breaks everything at once: nobody is to wait for completions and answers that may never come. */
    private void begin(final long nowNs) {
        isAway = true;
        isReleased = false;
        intervalNs = MIN_RETRY_INTERVAL_NS;
        nextTryNs = nowNs;
        services.counters().increment(TransportCounter.DEVICE_EVENTS);
        failures.report(ErrorKind.DEVICE_FAILED, subject(), news.name(), "device " + name()
            + (news == AsyncEventType.DEVICE_FATAL ? " is broken (DEVICE_FATAL)" : " was removed")
            + ": its links are broken, and resume when it is back within their timeouts; nobody is met over it before");
        news = null;
        breakLinks();
    }

    /** Breaks links before the connections are closed, which would only tell them that their peers are silent. */
    private void breakLinks() {
        for (final ControlSession session : new ArrayList<>(sessions.all())) {
            links.onBroken(session.peer(), BreakReason.DEVICE);
            session.close();
        }
    }

    /**
     * Lets go of the device, on the set-up thread. Links' queue pairs are destroyed there before, as they were asked to
     * be when the links broke. What the device tells up to here is of the old absence.
     */
    private void release() {
        device.release();
        tasks.execute(() -> {
            isTrying = false;
            isReleased = true;
            news = null;
            nextTryNs = services.nowNs() + intervalNs;
        });
    }

    /**
     * Looks for the device, on the set-up thread. Nothing is made from it here: peers are met and links resume as at
     * any other time.
     */
    private void reopen() {
        final boolean isBack = device.reopen();
        tasks.execute(() -> {
            isTrying = false;
            if (isBack) {
                isAway = false;
                failures.recovered(subject());
            } else {
                backOff();
            }
        });
    }

    /** Reports why the device cannot be had back, each reason once: the device may say the same for long. */
    private void onRefused(final Throwable error) {
        isTrying = false;
        backOff();
        failures.report(ErrorKind.DEVICE_FAILED, subject(), error);
    }

    private void backOff() {
        nextTryNs = services.nowNs() + intervalNs;
        intervalNs = Math.min(2 * intervalNs, MAX_RETRY_INTERVAL_NS);
    }

    private String subject() {
        return "device " + name() + " that is away";
    }

    private String name() {
        return device.name();
    }
}

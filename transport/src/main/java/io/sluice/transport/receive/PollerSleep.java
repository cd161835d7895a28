package io.sluice.transport.receive;

import io.sluice.environment.Environment;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import java.util.Arrays;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.IdleStrategy;

/**
 * Lets a poller leave its core without losing a wake-up. After a cycle without work, and for an adaptive poller after
 * its time of spinning, each of these is a cycle of its own:
 * <pre>
 *  arm     take old events, arm all completion queues
 *  drain   once more: what arrived before the arming makes no event
 *  sleep   on the completion channel, if there was still nothing; outside of the poller's guard
 * </pre>
 * A sleep ends with a completion, with whoever adds a ring or a command (they look whether the poller sleeps after they
 * have added, and it looks for them after it has said that it sleeps), or after a bounded time. Nobody rings when a
 * consumer moves on. So the poller does not sleep while the walk or a report, which a publication may be waiting for,
 * is held up: it parks, at first for a microsecond, and never for longer than it has been held up already. What can
 * wait, events on the ring or the rest of a report, bounds the sleep.
 * <p>
 * The poller's thread, but for {@link #wake()}, {@link #stop()} and {@link #add}.
 */
final class PollerSleep implements IdleStrategy {
    /**
     * The longest sleep, with nothing left to do: whatever nobody thought of is noticed ten times a second, which costs
     * nothing.
     */
    static final long LONGEST_SLEEP_NS = 100_000_000L;
    /** The first sleep with events on the ring or the rest of a report to write: as fine as the devices' clocks are. */
    static final long MAINTENANCE_SLEEP_MIN_NS = 1_000_000L;
    /** The longest sleep with such work left; the end of an image, for example, is told so late. */
    static final long MAINTENANCE_SLEEP_MAX_NS = 16_000_000L;
    /** The time between two looks while held up: at first this long, later on up to {@link #PARK_MAX_NS}. */
    private static final long PARK_MIN_NS = 1_000L;
    private static final long PARK_MAX_NS = 1_000_000L;
    /** The longest wait on one channel where there are several, since a thread waits on one at a time. */
    private static final long TURN_NS = 1_000_000L;
    /** Empty cycles between two looks at the clock while spinning, a power of two: reading it takes as long as one. */
    private static final int CLOCK_INTERVAL = 64;
    /**
     * Empty cycles between two offers of the core to others while spinning, a power of two: where more threads spin
     * than there are cores, the peer may be waiting for this one.
     */
    private static final int YIELD_INTERVAL = 16;

    private static final CompletionEventChannel[] NO_CHANNELS = {};

    /** The queues of all rings of a poller, with the rings. The poller's thread. */
    interface Queues {
        /** {@return whether the last look at every queue found it empty, or dead} */
        boolean isDrained();

        /** {@return whether a publication may be waiting for what only a consumer can bring on} */
        boolean isHeldUp();

        /** {@return whether there is anything left to reclaim or to report, which can wait until idle} */
        boolean isIdleMaintenanceDue();

        /** {@return false when a queue cannot announce anything: it is dead} */
        boolean arm();

        /** Reports all that is left to report. */
        void report();
    }

    /**
     * The phase of a poller between two duty cycles; the poller's own thread moves it on, and others only end a wait.
     * <pre>
     *   POLLING ──→ HELD_UP ──→ ARMED ──→ SLEEPY ──→ SLEPT ──→ POLLING      any of them ──work──→ POLLING
     * </pre>
     * <table>
     *   <caption>What moves it, what follows, and the part of the poller's thread that does</caption>
     *   <tr><td>POLLING</td><td>a cycle without work, after the time of spinning</td><td>HELD_UP</td><td>poller (end of
     *     cycle)</td></tr>
     *   <tr><td>HELD_UP</td><td>no publication waits for a consumer: the queues are armed, in the cycle that finds this
     *     out; never again once waiting has failed or was stopped</td><td>ARMED, POLLING</td><td>poller (end of
     *     cycle)</td></tr>
     *   <tr><td>ARMED</td><td>a cycle without work; back to POLLING when a queue could not be looked into</td>
     *     <td>SLEEPY, POLLING</td><td>poller (end of cycle)</td></tr>
     *   <tr><td>SLEEPY</td><td>the idle strategy is asked, and waits</td><td>SLEPT, POLLING</td><td>poller (between
     *     cycles)</td></tr>
     *   <tr><td>SLEPT</td><td>the next cycle, whatever has ended the wait</td><td>POLLING</td><td>poller (begin of
     *     cycle)</td></tr>
     * </table>
     */
    private enum Phase {
        /** The poller is at work, or spins. */
        POLLING,
        /** Something waits for a consumer. */
        HELD_UP,
        /** The queues are armed, and are to be drained once more. */
        ARMED,
        /** The queues are armed and drained. */
        SLEEPY,
        /** The poller is awake again, which others do not know yet. */
        SLEPT
    }

    private final Environment environment;
    private final long spinTimeNs;
    private final ErrorHandler errorHandler;
    /** The channels, one for each device; replaced as a whole and never changed, so that the poller takes them once. */
    private volatile CompletionEventChannel[] channels = NO_CHANNELS;
    /**
     * Whether whoever brings something must wake the poller. Written by the poller, before it arms the queues: whoever
     * brings something later sees it, and what was brought before is found by the cycle that drains once more.
     */
    private volatile boolean toBeWoken;
    /** Whether the thread is about to be ended, and must not sleep any more. Any thread sets it, for good. */
    private volatile boolean stopped;
    private Phase phase = Phase.POLLING;
    /** Cycles without work since the last one with any; an adaptive poller counts them while it spins. */
    private int emptyCycles;
    /** Whether the time of spinning is over; holds until there is work again, so that the clock is read no more. */
    private boolean hasSpun;
    /**
     * The time of the first look at the clock since the last work, some cycles after that; of an adaptive poller only.
     */
    private long idleSinceNs;
    /** Whether there was anything left to reclaim or report when the queues were armed, which bounds the sleep. */
    private boolean isMaintenanceDue;
    /**
     * Whether the poller has slept since its last work, and not reported since: the rest of its reports is then due at
     * once. A poller that spins counts its cycles for that, and one that sleeps has too few.
     */
    private boolean hasSlept;
    /**
     * Whether waiting for events has failed: the poller then only parks, for good, since to lose a wake-up is worse.
     */
    private boolean failed;
    /** The next park while held up: it doubles from one to the next, until there is work. */
    private long parkNs = PARK_MIN_NS;
    /** The next sleep with the rest of a report or of events left: it doubles likewise. */
    private long maintenanceSleepNs = MAINTENANCE_SLEEP_MIN_NS;
    /** The number of the channel, where there are several, that was waited on last. */
    private int turn;

    /**
     * Creates a strategy whose poller is awake.
     *
     * @param environment  to park in, with the clock.
     * @param spinTimeNs   how long it spins after the last work, 0 when it is to wait for events at once.
     * @param errorHandler told once when there is no waiting for events, so that it only parks.
     */
    PollerSleep(final Environment environment, final long spinTimeNs, final ErrorHandler errorHandler) {
        this.environment = environment;
        this.spinTimeNs = spinTimeNs;
        this.errorHandler = errorHandler;
    }

    /** Adds a channel to wait on. Any thread, one at a time. */
    void add(final CompletionEventChannel channel) {
        final CompletionEventChannel[] next = Arrays.copyOf(channels, channels.length + 1);
        next[channels.length] = channel;
        channels = next;
    }

    CompletionEventChannel[] channels() {
        return channels;
    }

    /**
     * Wakes the poller if it sleeps: something was brought before this call. Any thread; a system call when the poller
     * sleeps.
     */
    void wake() {
        if (toBeWoken) {
            for (final CompletionEventChannel channel : channels) {
                channel.wake();
            }
        }
    }

    /** Ends sleeping for good. Any thread. */
    void stop() {
        stopped = true;
        wake();
    }

    /** Notes that a duty cycle begins, inside of the poller's guard. */
    void onCycleBegin() {
        if (phase == Phase.SLEEPY || phase == Phase.SLEPT) {
            stayAwake();
        }
    }

    /**
     * Notes that a duty cycle ends, inside of the poller's guard, and chooses what the idle strategy does afterwards.
     */
    void onCycleEnd(final int work, final Queues queues) {
        if (work > 0) {
            onWork();
        } else if (phase == Phase.ARMED) {
            phase = Phase.SLEEPY;
            if (!queues.isDrained()) {
                stayAwake();
            }
        } else if (!isSpinning()) {
            if (hasSlept) {
                hasSlept = false;
                queues.report();
            }
            phase = Phase.HELD_UP;
            if (!failed && !stopped && !queues.isHeldUp()) {
                arm(queues);
            }
        }
    }

    /** Starts anew after work: what was found may be the first of many, so the next cycle follows at once. */
    private void onWork() {
        if (phase != Phase.POLLING) {
            stayAwake();
        }
        emptyCycles = 0;
        hasSpun = false;
        hasSlept = false;
        parkNs = PARK_MIN_NS;
        maintenanceSleepNs = MAINTENANCE_SLEEP_MIN_NS;
    }

    /** Takes back that the poller is to be woken: others then save their system call. */
    private void stayAwake() {
        phase = Phase.POLLING;
        toBeWoken = false;
    }

    /**
     * Whether the poller goes on spinning. It reads the clock once in so many empty cycles, and finds the end of its
     * time that much too late.
     */
    private boolean isSpinning() {
        if (spinTimeNs > 0 && !hasSpun && (++emptyCycles & (CLOCK_INTERVAL - 1)) == 0) {
            final long nowNs = environment.nanoTime();
            if (emptyCycles == CLOCK_INTERVAL) {
                idleSinceNs = nowNs;
            }
            hasSpun = nowNs - idleSinceNs >= spinTimeNs;
        }
        return spinTimeNs > 0 && !hasSpun;
    }

    /**
     * Arms all queues; from here on nothing may come unnoticed. First the poller says that it is to be woken, so that
     * rings and commands are seen or wake it.
     */
    private void arm(final Queues queues) {
        toBeWoken = true;
        boolean isArmed = false;
        try {
            for (final CompletionEventChannel channel : channels) {
                channel.take();
            }
            isArmed = queues.arm();
        } catch (final RuntimeException ex) {
            fail(ex);
        }
        if (isArmed) {
            isMaintenanceDue = queues.isIdleMaintenanceDue();
            phase = Phase.ARMED;
        } else {
            toBeWoken = false;
        }
    }

    /**
     * Tells that waiting has failed, once: from then on the poller parks, a millisecond at most, and loses nothing by
     * that.
     */
    private void fail(final RuntimeException cause) {
        failed = true;
        errorHandler.onError(new TransportException(ErrorKind.DEGRADED,
            "a poller cannot wait for completion events, and parks from now on", cause));
    }

    @Override
    public void idle(final int workCount) {
        if (workCount <= 0) {
            idle();
        }
    }

    @Override
    public void idle() {
        switch (phase) {
            case SLEEPY -> sleep();
            case HELD_UP -> {
                environment.park(parkNs);
                parkNs = Math.min(parkNs * 2, PARK_MAX_NS);
            }
            default -> spin();
        }
    }

    /**
     * Passes the time between two empty cycles, and now and then offers the core: the thread that has to bring the next
     * message may be waiting for it.
     */
    private void spin() {
        if ((emptyCycles & (YIELD_INTERVAL - 1)) == YIELD_INTERVAL - 1) {
            environment.yieldCore();
        } else {
            Thread.onSpinWait();
        }
    }

    /**
     * Waits for an event, outside of the guard, so that memory can be released meanwhile. A wait that fails ends
     * sleeping for good.
     */
    private void sleep() {
        phase = Phase.SLEPT;
        hasSlept = true;
        long timeoutNs = LONGEST_SLEEP_NS;
        if (isMaintenanceDue) {
            timeoutNs = maintenanceSleepNs;
            maintenanceSleepNs = Math.min(maintenanceSleepNs * 2, MAINTENANCE_SLEEP_MAX_NS);
        }
        try {
            await(channels, timeoutNs);
        } catch (final RuntimeException ex) {
            fail(ex);
        }
    }

    /**
     * Waits on one channel. With several ones each has its turn, so that what one announces is found a millisecond late
     * for each of the others.
     */
    private void await(final CompletionEventChannel[] current, final long timeoutNs) {
        if (current.length == 0) {
            environment.park(TURN_NS);
        } else if (current.length == 1) {
            current[0].await(timeoutNs);
        } else {
            turn = turn + 1 < current.length ? turn + 1 : 0;
            current[turn].await(Math.min(timeoutNs, TURN_NS));
        }
    }

    @Override
    public void reset() {
        // what counts is what the poller tells at the end of its cycle
    }

    @Override
    public String alias() {
        return "completion-events";
    }
}

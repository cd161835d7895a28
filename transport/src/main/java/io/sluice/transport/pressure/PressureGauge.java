package io.sluice.transport.pressure;

import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.PressureState;

/**
 * The state of something that fills up, with hysteresis: it rises at once, and falls when there has been room for a
 * while. The conductor's, but for the accessors.
 */
public final class PressureGauge {
    /**
     * The time in nanoseconds for which there must be room: longer than between two batches of a program that polls now
     * and then.
     */
    public static final long HOLD_NS = 100_000_000L;

    private volatile PressureState state = PressureState.CLEAR;
    private volatile BackPressureCause cause = BackPressureCause.NONE;
    private volatile long changes;
    private PressureState previous = PressureState.CLEAR;
    private BackPressureCause lastCause = BackPressureCause.NONE;
    private boolean hasRoom;
    private long roomSinceNs;
    private long sinceNs;
    private long durationNs;
    private boolean isOverrunUntold;
    private PressureState beforeOverrun = PressureState.CLEAR;
    private long beforeOverrunNs;

    /**
     * Creates a gauge of something empty.
     *
     * @param nowNs time of the conductor's clock.
     */
    public PressureGauge(final long nowNs) {
        sinceNs = nowNs;
    }

    /**
     * {@return whether the state is a higher one now, or what holds up is now the overrun of a completion queue}
     *
     * @param level    that the gauge goes up to.
     * @param newCause of that level.
     * @param nowNs    time of the conductor's clock.
     */
    public boolean raise(final PressureState level, final BackPressureCause newCause, final long nowNs) {
        hasRoom = false;
        if (level.compareTo(state) < 0) {
            return false;
        }
        lastCause = newCause;
        if (level == state && (newCause != BackPressureCause.CQ_OVERRUN || cause == newCause)) {
            cause = newCause;
            return false;
        }
        change(level, newCause, nowNs);
        if (newCause == BackPressureCause.CQ_OVERRUN) {
            isOverrunUntold = true;
            beforeOverrun = previous;
            beforeOverrunNs = durationNs;
        }
        return true;
    }

    /** {@return whether a completion queue has overrun since {@link #overrunTold}, even if that is over by now} */
    boolean isOverrunUntold() {
        return isOverrunUntold;
    }

    /** Notes that the listener's queue has the overrun of a completion queue. */
    void overrunTold() {
        isOverrunUntold = false;
    }

    /** {@return the state before the last overrun of a completion queue} */
    PressureState beforeOverrun() {
        return beforeOverrun;
    }

    /** {@return the time in nanoseconds that the state before the overrun lasted} */
    long beforeOverrunNs() {
        return beforeOverrunNs;
    }

    /** Notes that some room is there, but not enough to say that the pressure is over. */
    void hold() {
        hasRoom = false;
    }

    /**
     * {@return whether the state is CLEAR now, and was not before} There is room.
     *
     * @param nowNs time of the conductor's clock.
     */
    public boolean settle(final long nowNs) {
        if (!hasRoom) {
            hasRoom = true;
            roomSinceNs = nowNs;
        }
        return nowNs - roomSinceNs >= HOLD_NS && end(nowNs);
    }

    /** {@return whether the state is CLEAR now, and was not before} Nobody is held up any more, full or not. */
    boolean end(final long nowNs) {
        if (state == PressureState.CLEAR) {
            return false;
        }
        change(PressureState.CLEAR, BackPressureCause.NONE, nowNs);
        return true;
    }

    private void change(final PressureState newState, final BackPressureCause newCause, final long nowNs) {
        previous = state;
        durationNs = nowNs - sinceNs;
        sinceNs = nowNs;
        cause = newCause;
        state = newState;
        changes++;
    }

    /** {@return the state} Any thread. */
    public PressureState state() {
        return state;
    }

    /** {@return the cause of the pressure, NONE while the state is CLEAR} Any thread. */
    public BackPressureCause cause() {
        return cause;
    }

    /** {@return the number of times that the state has changed} Any thread. */
    long changes() {
        return changes;
    }

    /** {@return the state before the last change} */
    PressureState previous() {
        return previous;
    }

    /** {@return the cause of the pressure, or of the last one when it is over} */
    BackPressureCause lastCause() {
        return lastCause;
    }

    /** {@return the time in nanoseconds that the state has lasted} */
    long lastedNs(final long nowNs) {
        return nowNs - sinceNs;
    }

    /** {@return the time in nanoseconds that the state before the last change lasted} */
    public long durationNs() {
        return durationNs;
    }
}

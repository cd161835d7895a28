package io.sluice.transport.simulation;

import io.sluice.environment.Worker;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;

/** An agent without a thread: the machine steps it when it is neither parked, nor paused, nor within a step. */
final class SimulatedWorker implements Worker {
    private static final int SPINS_PER_STEP = 100;

    private final SimulatedMachine machine;
    private final String name;
    private final long processId;
    private final Agent agent;
    private final IdleStrategy idleStrategy;
    private final ErrorHandler errorHandler;
    private long parkedUntilNs;
    private long pausedUntilNs;
    private boolean woken;
    private boolean running;
    private boolean idling;
    private boolean started;
    private boolean closed;

    SimulatedWorker(
        final SimulatedMachine machine,
        final String name,
        final Agent agent,
        final IdleStrategy idleStrategy,
        final ErrorHandler errorHandler) {
        this.machine = machine;
        this.name = name;
        processId = Long.parseLong(name.substring(name.indexOf('@') + 1));
        this.agent = agent;
        this.idleStrategy = idleStrategy;
        this.errorHandler = errorHandler;
        parkedUntilNs = machine.nowNs();
        pausedUntilNs = parkedUntilNs;
    }

    /** One duty cycle and what the idle strategy makes of it. */
    int step() {
        running = true;
        int work = 0;
        try {
            if (!started) {
                started = true;
                agent.onStart();
            }
            work = agent.doWork();
        } catch (final AssertionError failure) {
            throw failure;
        } catch (final AgentTerminationException end) {
            close();
        } catch (final Throwable error) {
            errorHandler.onError(error);
        } finally {
            running = false;
        }
        idle(work);
        return work;
    }

    /** Spinning changes nothing but the idle strategy's mind, so it is done many times at once. */
    private void idle(final int work) {
        idling = true;
        for (int i = 0; i < SPINS_PER_STEP && parkedUntilNs <= machine.nowNs() && (i == 0 || work == 0); i++) {
            idleStrategy.idle(work);
        }
        idling = false;
    }

    /** Parks, from within this worker's step: parking between two duty cycles takes it from the scheduler. */
    void park(final long durationNs) {
        if (woken) {
            woken = false;
        } else {
            parkedUntilNs = machine.nowNs() + durationNs;
        }
    }

    boolean isParked() {
        return parkedUntilNs > machine.nowNs();
    }

    boolean isIdling() {
        return idling;
    }

    boolean isPaused() {
        return pausedUntilNs > machine.nowNs();
    }

    void pause(final long durationNs) {
        pausedUntilNs = Math.max(pausedUntilNs, machine.nowNs() + durationNs);
    }

    boolean isRunning() {
        return running;
    }

    /** The time at which it can be stepped next. */
    long readyAtNs() {
        return Math.max(parkedUntilNs, pausedUntilNs);
    }

    String name() {
        return name;
    }

    long processId() {
        return processId;
    }

    boolean isOf(final long id) {
        return processId == id;
    }

    /** The wake-up is as a thread's permit: waking one that is not parked lets its next park return at once. */
    @Override
    public void wake() {
        if (parkedUntilNs > machine.nowNs()) {
            parkedUntilNs = machine.nowNs();
        } else {
            woken = true;
        }
    }

    @Override
    public boolean isCurrent() {
        return machine.isInnermost(this);
    }

    @Override
    public boolean closeOrAbandon(final long timeoutNs) {
        close();
        return !running;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            machine.remove(this);
            agent.onClose();
        }
    }
}

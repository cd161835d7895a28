package io.sluice.transport.simulation;

import io.sluice.environment.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/**
 * A host with one thread: a clock that moves only here, files and sockets in memory, and a scheduler that draws from a
 * seed which of the agents that are ready makes the next step. Everything that runs on it is deterministic.
 */
final class SimulatedMachine implements AutoCloseable {
    /** A duty cycle takes from some tens of nanoseconds to about a microsecond. */
    private static final int STEP_MAX_NS = 1_000;
    private static final long START_NS = 1_000_000_000L;

    private final Thread thread = Thread.currentThread();
    private final SplittableRandom random;
    private final SplittableRandom environmentSeeds;
    private final Trace trace;
    private final SimulatedFiles.Disk disk = new SimulatedFiles.Disk();
    private final SimulatedSockets.Host host = new SimulatedSockets.Host();
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final List<SimulatedWorker> ready = new ArrayList<>();
    private final List<SimulatedWorker> stack = new ArrayList<>();
    private Runnable afterStep = () -> { };
    private AssertionError failure;
    private SimulatedWorker first;
    private boolean stepOnClockRead;
    private long nowNs = START_NS;
    private long steps;

    SimulatedMachine(final SplittableRandom random, final Trace trace) {
        this.random = random.split();
        environmentSeeds = random.split();
        this.trace = trace;
        trace.at(steps, nowNs);
    }

    SimulatedEnvironment newProcess(final long processId) {
        return new SimulatedEnvironment(this, processId, environmentSeeds.split());
    }

    SimulatedWorker start(
        final String name, final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler) {
        final SimulatedWorker worker = new SimulatedWorker(this, name, agent, idleStrategy, errorHandler);
        workers.add(worker);
        return worker;
    }

    /** An agent of a test, which parks by itself and whose failures are the run's. */
    Worker start(final Agent agent) {
        return start(agent.roleName(), agent, new NeverIdle(), error -> {
            throw new AssertionError(agent.roleName() + ": " + error, error);
        });
    }

    void remove(final SimulatedWorker worker) {
        workers.remove(worker);
    }

    /** None of a process's agents is ever stepped again. */
    void remove(final long processId) {
        workers.removeIf(worker -> worker.isOf(processId));
    }

    /** Whether an agent of a process is within a step. */
    boolean isRunning(final long processId) {
        return stack.stream().anyMatch(worker -> worker.isOf(processId));
    }

    /** Whether the running agent makes its step within that of another one. */
    boolean isNested() {
        return stack.size() > 1;
    }

    boolean isAnyPaused() {
        return workers.stream().anyMatch(SimulatedWorker::isPaused);
    }

    /** Sets what is called after every step, also of a step within a step. */
    void afterStep(final Runnable newAfterStep) {
        afterStep = newAfterStep;
    }

    /**
     * Something is wrong. Whoever finds it throws it too, but may be called by code that catches everything, so that
     * other things go wrong after it: the first one counts.
     */
    AssertionError fail(final AssertionError error) {
        if (failure == null) {
            failure = error;
        }
        return failure;
    }

    void checkFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Let somebody make a step; when all are parked or paused, time passes first. */
    void step() {
        try {
            makeStep();
        } catch (final AssertionError error) {
            throw fail(error);
        }
    }

    private void makeStep() {
        checkFailure();
        final SimulatedWorker worker = choose();
        steps++;
        advance(1 + random.nextInt(STEP_MAX_NS));
        if (worker != null) {
            stack.add(worker);
            try {
                trace.step(worker.name(), worker.step());
            } finally {
                stack.removeLast();
            }
        }
        checkFailure();
        afterStep.run();
    }

    /** The agent within whose step this is called. */
    SimulatedWorker running() {
        return stack.getLast();
    }

    /** Whether this is called within the step of an agent, and of no other one within that. */
    boolean isInnermost(final SimulatedWorker worker) {
        return !stack.isEmpty() && stack.getLast() == worker;
    }

    /** Let an agent make the next step, whatever others are ready. */
    void next(final SimulatedWorker worker) {
        first = worker;
    }

    private SimulatedWorker choose() {
        if (first != null && !first.isRunning()) {
            final SimulatedWorker chosen = first;
            first = null;
            return chosen;
        }
        ready.clear();
        long nextNs = Long.MAX_VALUE;
        SimulatedWorker next = null;
        for (final SimulatedWorker worker : workers) {
            if (!worker.isRunning()) {
                if (worker.readyAtNs() <= nowNs) {
                    ready.add(worker);
                } else if (worker.readyAtNs() < nextNs) {
                    nextNs = worker.readyAtNs();
                    next = worker;
                }
            }
        }
        if (!ready.isEmpty()) {
            return ready.get(random.nextInt(ready.size()));
        }
        if (next != null) {
            advance(nextNs - nowNs);
        }
        return next;
    }

    private void advance(final long durationNs) {
        nowNs += durationNs;
        trace.at(steps, nowNs);
    }

    /** Somebody parks: the agent in whose step it happens, or the test itself, for which the others then run. */
    void park(final long durationNs) {
        checkThread();
        if (stack.isEmpty()) {
            final long untilNs = nowNs + durationNs;
            while (nowNs < untilNs) {
                step();
            }
        } else if (stack.getLast().isIdling()) {
            stack.getLast().park(durationNs);
        } else {
            advance(durationNs);
        }
    }

    /** The agent whose idle strategy is running leaves its thread for a while. */
    SimulatedWorker parkIdling(final long durationNs) {
        final SimulatedWorker worker = stack.getLast();
        if (!worker.isIdling()) {
            throw new AssertionError("waits within its duty cycle: " + worker.name());
        }
        worker.park(durationNs);
        return worker;
    }

    /** The running agent comes back after so long. */
    void parkRunning(final long durationNs) {
        stack.getLast().park(durationNs);
    }

    /** Whether the others run whenever the test itself looks at the clock: for calls that wait in a loop. */
    void stepOnClockRead(final boolean newStepOnClockRead) {
        stepOnClockRead = newStepOnClockRead;
    }

    void onClockRead() {
        checkThread();
        if (stepOnClockRead && stack.isEmpty() && !isDriving()) {
            step();
        }
    }

    /** Whether the test is inside a duty cycle itself, which must not begin another one on top. */
    private static boolean isDriving() {
        return StackWalker.getInstance().walk(frames ->
            frames.anyMatch(frame -> frame.getMethodName().equals("doWork")));
    }

    void checkThread() {
        if (Thread.currentThread() != thread) {
            throw new AssertionError("a thread that the machine does not know: " + Thread.currentThread());
        }
    }

    /** The clock moves on, and nobody has run meanwhile. */
    void jump(final long durationNs) {
        advance(durationNs);
    }

    List<SimulatedWorker> workers() {
        return workers;
    }

    long nowNs() {
        return nowNs;
    }

    long steps() {
        return steps;
    }

    SimulatedFiles.Disk disk() {
        return disk;
    }

    SimulatedSockets.Host host() {
        return host;
    }

    @Override
    public void close() {
        disk.close();
    }

    private static final class NeverIdle implements IdleStrategy {
        @Override
        public void idle(final int workCount) {
        }

        @Override
        public void idle() {
        }

        @Override
        public void reset() {
        }
    }
}

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
    private final SimulatedFiles files = new SimulatedFiles();
    private final SimulatedSockets sockets;
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final List<SimulatedWorker> ready = new ArrayList<>();
    private final List<SimulatedWorker> stack = new ArrayList<>();
    private Runnable afterStep = () -> { };
    private boolean stepOnClockRead;
    private long nowNs = START_NS;
    private long steps;

    SimulatedMachine(final SplittableRandom random, final Trace trace) {
        this.random = random.split();
        environmentSeeds = random.split();
        sockets = new SimulatedSockets(random.split());
        this.trace = trace;
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

    /** Called after every step, also of a step within a step. */
    void afterStep(final Runnable newAfterStep) {
        afterStep = newAfterStep;
    }

    /** Let somebody make a step; when all are parked or paused, time passes first. */
    void step() {
        final SimulatedWorker worker = choose();
        nowNs += 1 + random.nextInt(STEP_MAX_NS);
        steps++;
        if (worker != null) {
            stack.add(worker);
            try {
                trace.step(nowNs, worker.name(), worker.step());
            } finally {
                stack.removeLast();
            }
        }
        afterStep.run();
    }

    private SimulatedWorker choose() {
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
            nowNs = nextNs;
        }
        return next;
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
            nowNs += durationNs;
        }
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
        nowNs += durationNs;
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

    SimulatedFiles files() {
        return files;
    }

    SimulatedSockets sockets() {
        return sockets;
    }

    @Override
    public void close() {
        files.close();
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

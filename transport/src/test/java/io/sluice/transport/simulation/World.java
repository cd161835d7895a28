package io.sluice.transport.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** What everybody in a run shares: the machine, and who is on it, the dead too. */
final class World {
    private final SplittableRandom random;
    private final Scenario scenario;
    private final Trace trace;
    private final Mistake mistake;
    private final SimulatedMachine machine;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final List<PublishingAgent> publishers = new ArrayList<>();
    private final List<Subscriber> subscribers = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private boolean calm;

    World(final long seed, final Trace trace, final Mistake mistake) {
        random = new SplittableRandom(seed);
        scenario = Scenario.draw(random);
        this.trace = trace;
        this.mistake = mistake;
        machine = new SimulatedMachine(random, trace);
    }

    /** A random of its own for somebody. */
    SplittableRandom newRandom() {
        return random.split();
    }

    Scenario scenario() {
        return scenario;
    }

    Trace trace() {
        return trace;
    }

    Mistake mistake() {
        return mistake;
    }

    SimulatedMachine machine() {
        return machine;
    }

    List<SimulatedProcess> processes() {
        return processes;
    }

    Stream<SimulatedProcess> living() {
        return processes.stream().filter(SimulatedProcess::isAlive);
    }

    List<PublishingAgent> publishers() {
        return publishers;
    }

    /** The publisher that lives, or that did last. */
    PublishingAgent publisher() {
        return publishers.getLast();
    }

    PublishingAgent publisher(final int sessionId) {
        for (final PublishingAgent publisher : publishers) {
            if (publisher.publication().sessionId() == sessionId) {
                return publisher;
            }
        }
        throw new AssertionError("no publication has that id: sessionId=" + sessionId);
    }

    List<Subscriber> subscribers() {
        return subscribers;
    }

    Stream<Subscriber> openSubscribers() {
        return subscribers.stream().filter(Subscriber::isOpen);
    }

    List<Throwable> errors() {
        return errors;
    }

    /** An error handler of every process. */
    void onError(final Throwable error) {
        trace.event("error handler", String.valueOf(error.getMessage()), 0, 0);
        if (error instanceof final AssertionError assertion) {
            machine.fail(assertion);
        }
        if (!(error instanceof IntendedException)) {
            errors.add(error);
        }
    }

    /** From now on nothing goes wrong any more, and everybody is quick. */
    void calmDown() {
        calm = true;
    }

    boolean isCalm() {
        return calm;
    }

    /** What handlers throw on purpose. */
    static final class IntendedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        IntendedException() {
            super("a handler throws on purpose");
        }
    }
}

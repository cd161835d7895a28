package io.sluice.transport.simulation;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The world that everybody in a run shares: the machine, and who is on it, the dead too. */
final class World {
    private final SplittableRandom random;
    private final Scenario scenario;
    private final Trace trace;
    private final Mistake mistake;
    private final Coverage coverage;
    private final SimulatedMachine machine;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final List<Publisher> publishers = new ArrayList<>();
    private final List<Subscriber> subscribers = new ArrayList<>();
    private final Map<Object, LinkEnd> linkEnds = new IdentityHashMap<>();
    private final List<Ambush> ambushes = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final Set<String> untold = new TreeSet<>();
    private final Overruns overruns;
    private final SlowSetups slowSetups;
    private int controlFaults;
    private boolean calm;

    World(final long seed, final Trace trace, final Mistake mistake, final Coverage coverage) {
        random = new SplittableRandom(seed);
        scenario = Scenario.draw(random);
        this.trace = trace;
        this.mistake = mistake;
        this.coverage = coverage;
        machine = new SimulatedMachine(random, trace);
        overruns = new Overruns(this);
        slowSetups = new SlowSetups(this);
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

    /** A fault strikes a link's end, which is wrong where it cannot. */
    void strike(final Fault fault, final LinkEnd.State state) {
        coverage.strike(fault, state);
        final ImpossiblePair impossible = ImpossiblePair.of(fault, state);
        if (impossible != null) {
            machine.fail(new AssertionError(fault + " x " + state + " was taken for impossible: " + impossible));
        }
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

    List<Publisher> publishers() {
        return publishers;
    }

    /** The publisher that lives, or that did last. */
    Publisher publisher() {
        return publishers.getLast();
    }

    Publisher publisher(final int sessionId) {
        for (final Publisher publisher : publishers) {
            if (publisher.publication().sessionId() == sessionId) {
                return publisher;
            }
        }
        throw new AssertionError("no publication has that id: sessionId=" + sessionId);
    }

    List<Subscriber> subscribers() {
        return subscribers;
    }

    /** Whether a subscription or a publication was closed, and others have had to notice. */
    boolean hasAnyClosed() {
        return publishers.stream().anyMatch(publisher -> publisher.publication().isClosed())
            || subscribers.stream().anyMatch(subscriber -> !subscriber.isOpen());
    }

    Stream<Subscriber> openSubscribers() {
        return subscribers.stream().filter(Subscriber::isOpen);
    }

    /** All ends of links that there have been. */
    Map<Object, LinkEnd> linkEnds() {
        return linkEnds;
    }

    /** Faults that wait for their moment. */
    List<Ambush> ambushes() {
        return ambushes;
    }

    /** Completion queues that are too small. */
    Overruns overruns() {
        return overruns;
    }

    /** Links that are made while a consumer stalls. */
    SlowSetups slowSetups() {
        return slowSetups;
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
        untold.removeIf(message -> String.valueOf(error.getMessage()).contains(message));
        if (!(error instanceof IntendedException)) {
            errors.add(error);
        }
    }

    void onControlFault() {
        controlFaults++;
    }

    /** The number of times that control connections have failed. */
    int controlFaults() {
        return controlFaults;
    }

    /** A message was not what it was when its handler looked at it: the error handler must be told. */
    void onChanged(final int sessionId, final long position) {
        untold.add("sessionId=" + sessionId + " position=" + position + ";");
    }

    /** {@return the messages that changed under handlers, and that the error handler was not told of} */
    Set<String> untold() {
        return untold;
    }

    /** Lets nothing go wrong any more, and everybody be quick. */
    void calmDown() {
        calm = true;
        overruns.end();
    }

    boolean isCalm() {
        return calm;
    }

    /** An exception that handlers throw on purpose. */
    static final class IntendedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        IntendedException() {
            super("a handler throws on purpose");
        }
    }
}

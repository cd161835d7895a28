package io.sluice.transport.simulation;

import io.sluice.transport.Publication;
import io.sluice.transport.send.LogPoster;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One run: a publication, subscriptions, and everything of the transport beneath them, drawn from a seed. First things
 * go wrong, then nothing does any more: all links must come back and deliver everything; then all is closed.
 */
final class Simulation {
    /** Far more than any run has needed; a run that is stuck ends here. */
    private static final long PHASE_MAX_STEPS = 2_000_000;
    private static final long PHASE_MAX_NS = 20_000_000_000L;

    private final World world;
    private final SimulatedMachine machine;
    private final Disruptions disruptions;

    /** A run that counts what it covers. */
    Simulation(final long seed, final Trace trace, final Coverage coverage) {
        this(seed, trace, Mistake.NONE, coverage);
    }

    /** One in which something is wrong on purpose. */
    Simulation(final long seed, final Trace trace, final Mistake mistake) {
        this(seed, trace, mistake, new Coverage());
    }

    private Simulation(final long seed, final Trace trace, final Mistake mistake, final Coverage coverage) {
        world = new World(seed, trace, mistake, coverage);
        machine = world.machine();
        final Scenario scenario = world.scenario();
        for (int process = 1; process <= scenario.processes(); process++) {
            new SimulatedProcess(world, process);
        }
        for (int i = 0; i < scenario.modes().size(); i++) {
            final int process = Math.min(i + 1, scenario.processes() - 1);
            new Subscriber(world, world.processes().get(process), "consumer" + i, scenario.modes().get(i));
        }
        new Publisher(world, world.processes().getFirst());
        machine.start(new Pauses(world));
        disruptions = new Disruptions(world);
        machine.start(disruptions);
        if (mistake != Mistake.NONE) {
            machine.start(new MistakenAgent(world));
        }
        machine.afterStep(new Invariants(world)::check);
    }

    /** The whole run. */
    void run() {
        await("published", () -> disruptions.isDone() && world.publisher().isDone());
        world.calmDown();
        await("delivered", this::isDelivered);
        world.publisher().close();
        await("ended", this::isEnded);
        close();
        checkClosed();
    }

    private void await(final String what, final BooleanSupplier condition) {
        final long untilNs = machine.nowNs() + PHASE_MAX_NS;
        final long untilSteps = machine.steps() + PHASE_MAX_STEPS;
        world.trace().event("simulation", "is to be " + what, 0, 0);
        while (!condition.getAsBoolean()) {
            machine.step();
            if (machine.nowNs() > untilNs || machine.steps() > untilSteps) {
                throw new AssertionError("stuck, not " + what + ": " + this);
            }
        }
    }

    /** Everybody is back, too: whoever still sleeps may wake up when the linger is over. */
    private boolean isDelivered() {
        if (machine.isAnyPaused() || !LinkEnd.areActive(world.publisher())) {
            return false;
        }
        final Publication publication = world.publisher().publication();
        final LogPoster poster = world.publisher().state().poster();
        if (!disruptions.isDone() || poster.links().length != world.openSubscribers().count()) {
            return false;
        }
        if (!world.openSubscribers().allMatch(Subscriber::isComplete)) {
            return false;
        }
        // everything is reported, too: the whole window is free again, as far as the fastest alone may have it
        final int windowLength = world.publisher().state().log().windowLength();
        final boolean allGate = world.openSubscribers().allMatch(Subscriber::gates);
        return publication.availableWindow() == (allGate ? windowLength : windowLength / 2);
    }

    private boolean isEnded() {
        return world.openSubscribers().allMatch(Subscriber::isEnded)
            && world.publisher().publication().isDrained() && world.publisher().state().isReleased();
    }

    private void close() {
        final List<SimulatedProcess> living = world.living().toList();
        final List<Subscriber> open = world.openSubscribers().toList();
        machine.stepOnClockRead(world.scenario().invoker());
        living.forEach(SimulatedProcess::close);
        machine.stepOnClockRead(false);
        living.forEach(SimulatedProcess::closeDevice);
        machine.checkFailure();
        for (final Subscriber subscriber : open) {
            if (!subscriber.runs().getLast().image().isEndOfStream()) {
                throw new AssertionError("not at the end: " + subscriber);
            }
        }
    }

    private void checkClosed() {
        world.subscribers().forEach(Subscriber::checkClosed);
        world.living().forEach(process -> {
            // what is abandoned to a consumer is given back when it is back
            if (process.transport().counters().get(TransportCounter.MEMORY_ABANDONED)
                > process.transport().counters().get(TransportCounter.CONSUMERS_EVICTED)
                || process.device().abandonedMappings() != 0) {
                throw new AssertionError("memory abandoned: " + this);
            }
        });
        if (machine.host().listenerCount() != 0) {
            throw new AssertionError("somebody still listens");
        }
        // a publication may be closed while a subscription is about to connect to it, which then finds nobody
        if (world.scenario().isQuiet() && world.scenario().republications() == 0 && !world.errors().isEmpty()) {
            throw new AssertionError("an error without a fault: " + world.errors(), world.errors().getFirst());
        }
        if (!world.untold().isEmpty()) {
            throw new AssertionError("changed under a handler, and nobody was told: " + world.untold() + " " + this);
        }
        LinkEnd.checkOver(world);
    }

    /** Give the memory back, whatever happened. */
    void release() {
        machine.close();
    }

    World world() {
        return world;
    }

    Scenario scenario() {
        return world.scenario();
    }

    long steps() {
        return machine.steps();
    }

    long count(final TransportCounter counter) {
        return world.processes().stream().mapToLong(process -> process.transport().counters().get(counter)).sum();
    }

    long backPressured() {
        return world.publishers().stream().mapToLong(Publisher::backPressured).sum();
    }

    long unblocked() {
        return world.publishers().stream().mapToLong(Publisher::unblocked).sum();
    }

    long held() {
        return world.subscribers().stream().mapToLong(Subscriber::held).sum();
    }

    @Override
    public String toString() {
        final StringBuilder text = new StringBuilder();
        world.publishers().forEach(publisher -> text.append(publisher).append(' '));
        world.subscribers().forEach(subscriber -> text.append(subscriber).append(' '));
        world.living().forEach(process -> text.append("process ").append(process.id()).append(" [")
            .append(process.transport().counters()).append("] "));
        return text + "errors=" + world.errors();
    }
}

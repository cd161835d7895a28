package io.sluice.transport.simulation;

import io.sluice.environment.Worker;
import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Transport;
import io.sluice.transport.send.LogPoster;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.Agent;

/**
 * One run: a publication, two subscriptions, and everything of the transport beneath them, drawn from a seed. First
 * things go wrong, then nothing does any more: all links must come back and deliver everything; then all is closed.
 */
final class Simulation {
    private static final Path FABRIC = Path.of("/simulated/fabric");
    private static final int STREAM_ID = 7;
    private static final int CONSUMERS = 2;
    /** Far more than any run has needed; a run that is stuck ends here. */
    private static final long PHASE_MAX_STEPS = 2_000_000;
    private static final long PHASE_MAX_NS = 20_000_000_000L;
    private static final long DRIVE_MAX_NS = 1_000_000;

    private final SplittableRandom random;
    private final Trace trace;
    private final Scenario scenario;
    private final SimulatedMachine machine;
    private final List<SeededFaults> faults = new ArrayList<>();
    private final List<SoftwareDevice> devices = new ArrayList<>();
    private final List<Transport> transports = new ArrayList<>();
    private final List<ConsumingAgent> consumers = new ArrayList<>();
    private final List<Worker> drivers = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final OfferedMessages offered;
    private final Pauses pauses;
    private final ExclusivePublication publication;
    private final PublishingAgent publisher;
    private AssertionError failure;

    Simulation(final long seed, final Trace trace) {
        this(seed, trace, Mistake.NONE);
    }

    Simulation(final long seed, final Trace trace, final Mistake mistake) {
        this.trace = trace;
        random = new SplittableRandom(seed);
        scenario = Scenario.draw(random);
        machine = new SimulatedMachine(random, trace);
        offered = new OfferedMessages(random.split());
        for (int process = 1; process <= scenario.processes(); process++) {
            launch(process, mistake);
        }
        for (int i = 0; i < CONSUMERS; i++) {
            subscribe(i);
        }
        publication = transports.getFirst().addExclusivePublication(scenario.channel(""), STREAM_ID);
        publisher = new PublishingAgent(
            machine, random.split(), trace, publication, offered, scenario.messages());
        machine.start(publisher);
        pauses = new Pauses(machine, random.split(), scenario, trace);
        machine.start(pauses);
        if (mistake != Mistake.NONE) {
            machine.start(new MistakenAgent(machine, mistake, publication, offered));
        }
        final Invariants invariants = new Invariants(scenario, transports, consumers, publication);
        machine.afterStep(invariants::check);
    }

    private void launch(final int process, final Mistake mistake) {
        final SimulatedEnvironment environment = machine.newProcess(process);
        final SeededFaults hook = new SeededFaults(
            machine, random.split(), scenario, trace, "process " + process, mistake == Mistake.LOST_WRITE);
        faults.add(hook);
        final SoftwareDevice device = SoftwareDevice.open(environment, FABRIC, hook);
        devices.add(device);
        final Transport transport = Transport.launch(scenario.configure(new Context()
            .environment(environment).device(device).directory(FABRIC).errorHandler(this::onError)));
        transports.add(transport);
        if (scenario.invoker()) {
            drivers.add(machine.start(new Driver(transport, "transport@" + process)));
        }
    }

    private void subscribe(final int index) {
        final int process = Math.min(index + 1, transports.size() - 1);
        final ConsumingAgent consumer = new ConsumingAgent(
            machine, random.split(), trace, "consumer" + index + "@" + (process + 1), offered,
            scenario.isLogShared());
        consumers.add(consumer);
        consumer.subscription(transports.get(process).addSubscription(
            scenario.channel("|mode=" + scenario.modes().get(index) + "|ring=" + scenario.ring()),
            STREAM_ID, consumer::onAvailable, consumer::onUnavailable));
        machine.start(consumer);
    }

    private void onError(final Throwable error) {
        trace.event(machine.nowNs(), "error handler", String.valueOf(error.getMessage()), 0, 0);
        if (error instanceof final AssertionError assertion && failure == null) {
            failure = assertion;
        }
        errors.add(error);
    }

    /** The whole run. */
    void run() {
        await("published", publisher::isDone);
        faults.forEach(SeededFaults::off);
        consumers.forEach(ConsumingAgent::off);
        pauses.off();
        await("delivered", this::isDelivered);
        publication.close();
        await("ended", this::isEnded);
        close();
        checkClosed();
    }

    private void await(final String what, final BooleanSupplier condition) {
        final long untilNs = machine.nowNs() + PHASE_MAX_NS;
        final long untilSteps = machine.steps() + PHASE_MAX_STEPS;
        trace.event(machine.nowNs(), "simulation", "to be " + what, machine.steps(), offered.count());
        while (!condition.getAsBoolean()) {
            machine.step();
            if (failure != null) {
                throw failure;
            }
            if (machine.nowNs() > untilNs || machine.steps() > untilSteps) {
                throw new AssertionError("stuck, not " + what + ": " + this);
            }
        }
    }

    private boolean isDelivered() {
        final LogPoster poster = Internals.state(publication).poster();
        if (poster.links().length != CONSUMERS) {
            return false;
        }
        for (final ConsumingAgent consumer : consumers) {
            final List<ConsumingAgent.ImageRun> runs = consumer.runs();
            if (runs.isEmpty() || runs.getLast().isUnavailable() || !runs.getLast().isComplete(offered)) {
                return false;
            }
        }
        // everything is reported, too: the whole window is free again
        return publication.availableWindow() == Internals.state(publication).log().windowLength();
    }

    private boolean isEnded() {
        for (final ConsumingAgent consumer : consumers) {
            for (final ConsumingAgent.ImageRun run : consumer.runs()) {
                if (!run.isUnavailable()) {
                    return false;
                }
            }
        }
        return publication.isDrained() && Internals.state(publication).isReleased();
    }

    private void close() {
        machine.stepOnClockRead(scenario.invoker());
        for (int i = 0; i < transports.size(); i++) {
            if (scenario.invoker()) {
                // from here on the closing drives it
                drivers.get(i).close();
            }
            transports.get(i).close();
        }
        machine.stepOnClockRead(false);
        devices.forEach(SoftwareDevice::close);
        if (failure != null) {
            throw failure;
        }
    }

    private void checkClosed() {
        for (final ConsumingAgent consumer : consumers) {
            if (!consumer.runs().getLast().image().isEndOfStream()) {
                throw new AssertionError("not at the end: " + consumer.runs().getLast().image());
            }
        }
        for (final Transport transport : transports) {
            if (transport.counters().get(TransportCounter.MEMORY_ABANDONED) != 0) {
                throw new AssertionError("memory abandoned: " + this);
            }
        }
        if (machine.sockets().listenerCount() != 0) {
            throw new AssertionError("somebody still listens");
        }
        if (!scenario.outages() && scenario.failOneIn() == 0 && !errors.isEmpty()) {
            throw new AssertionError("an error without a fault: " + errors, errors.getFirst());
        }
    }

    /** Give the memory back, whatever happened. */
    void release() {
        machine.close();
    }

    Scenario scenario() {
        return scenario;
    }

    long steps() {
        return machine.steps();
    }

    long count(final TransportCounter counter) {
        return transports.stream().mapToLong(transport -> transport.counters().get(counter)).sum();
    }

    long backPressured() {
        return publisher.backPressured();
    }

    long held() {
        return consumers.stream().mapToLong(ConsumingAgent::held).sum();
    }

    @Override
    public String toString() {
        final StringBuilder text = new StringBuilder("offered=" + offered.count() + " position="
            + publication.position() + " limit=" + publication.positionLimit());
        consumers.forEach(consumer -> consumer.runs().forEach(run ->
            text.append(' ').append(consumer.roleName()).append('=').append(run.image())));
        transports.forEach(transport -> text.append(" [").append(transport.counters()).append(']'));
        return text + " errors=" + errors;
    }

    /** The application's own thread of a transport that has none. */
    private final class Driver implements Agent {
        private final Transport transport;
        private final String name;

        Driver(final Transport transport, final String name) {
            this.transport = transport;
            this.name = name;
        }

        @Override
        public int doWork() {
            final int work = transport.doWork();
            machine.parkRunning(work == 0 ? 1 + random.nextLong(DRIVE_MAX_NS) : 0);
            return work;
        }

        @Override
        public String roleName() {
            return name;
        }
    }
}

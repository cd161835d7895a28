package io.sluice.transport.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.Agent;

/**
 * Subscriptions and publications come and go, processes die, and networks fail, while messages are under way; after
 * each that went another one comes in its place.
 */
final class Disruptions implements Agent {
    private enum Kind {
        DEATH,
        REPLACEMENT,
        ADDITION,
        REPUBLICATION,
        LINK_DOWN,
        OVERRUN
    }

    /** One fault in so many that have waited for a state may strike any process: the other end's as well. */
    private static final int OTHER_ONE_IN = 3;
    private static final int INTERVAL_MAX_NS = 30_000_000;
    /**
     * The longest time until the next in a role comes, at times before the others have noticed that the one before is
     * gone.
     */
    private static final int ABSENCE_MAX_NS = 300_000_000;
    /** Below the time in which a link must resume, twice. */
    private static final int DOWN_MAX_NS = 200_000_000;
    private static final long DOWN_LONG_MAX_NS = 2 * Scenario.LIVENESS_NS;

    private final World world;
    private final SimulatedMachine machine;
    private final SplittableRandom random;
    private final List<Kind> planned = new ArrayList<>();
    private long nextProcessId;
    private int subscriptions;
    private Runnable successor;
    private final Ambush ambush;

    Disruptions(final World world) {
        this.world = world;
        machine = world.machine();
        random = world.newRandom();
        ambush = new Ambush(world);
        final Scenario scenario = world.scenario();
        plan(Kind.DEATH, scenario.deaths());
        plan(Kind.REPLACEMENT, scenario.replacements());
        plan(Kind.ADDITION, scenario.additions());
        plan(Kind.REPUBLICATION, scenario.republications());
        plan(Kind.LINK_DOWN, scenario.linksDown());
        plan(Kind.OVERRUN, scenario.overruns());
        nextProcessId = scenario.processes() + 1L;
        subscriptions = scenario.modes().size();
    }

    private void plan(final Kind kind, final int count) {
        for (int i = 0; i < count; i++) {
            planned.add(kind);
        }
    }

    /** Whether everything has come that was to come. */
    boolean isDone() {
        return planned.isEmpty() && successor == null && evicted() == null;
    }

    @Override
    public int doWork() {
        final Subscriber evicted = evicted();
        if (evicted != null) {
            evicted.onReplaced();
            add(evicted.process());
        } else if (successor != null) {
            final Runnable next = successor;
            successor = null;
            next.run();
        } else if (isDone()) {
            machine.parkRunning(Scenario.LIVENESS_NS);
            return 0;
        } else if (!ambush.isReady()) {
            return 0;
        } else if (steps(random.nextInt(planned.size()))) {
            machine.parkRunning(1 + random.nextInt(ABSENCE_MAX_NS));
            return 1;
        }
        machine.parkRunning(1 + random.nextInt(INTERVAL_MAX_NS));
        return 1;
    }

    /** A subscription whose consumers were all evicted: somebody joins in its place. */
    private Subscriber evicted() {
        return world.publisher().publication().isClosed() ? null
            : world.subscribers().stream().filter(Subscriber::isToBeReplaced).findFirst().orElse(null);
    }

    /** {@return whether somebody went} */
    private boolean steps(final int index) {
        switch (planned.get(index)) {
            case DEATH -> {
                // one within a step cannot die in it; its peers can
                final List<SimulatedProcess> idle =
                    world.living().filter(process -> !machine.isRunning(process.id())).toList();
                if (idle.isEmpty()) {
                    return false;
                }
                die(anyOf(idle));
            }
            case REPLACEMENT -> {
                final List<Subscriber> open = world.openSubscribers().toList();
                if (open.isEmpty()) {
                    return false;
                }
                replace(open);
            }
            case REPUBLICATION -> republish(world.publisher());
            case LINK_DOWN -> linkDown();
            case OVERRUN -> overrun();
            default -> add(anyReceiver());
        }
        planned.remove(index);
        return successor != null;
    }

    private void replace(final List<Subscriber> open) {
        final LinkEnd end = ambush.found();
        final Subscriber victim = open.stream().filter(subscriber -> end != null && end.isOf(subscriber))
            .findFirst().orElse(open.get(random.nextInt(open.size())));
        LinkEnd.strike(world, Fault.SUBSCRIPTION_CLOSED, victim);
        victim.close();
        successor = () -> add(victim.process());
    }

    private void republish(final Publisher victim) {
        world.trace().event("process " + victim.process().id(), "closes its publication", 0, 0);
        LinkEnd.strike(world, Fault.PUBLICATION_CLOSED, victim);
        victim.close();
        successor = () -> publish(victim.process());
    }

    /** A queue becomes too small; where one is being polled, or a state was waited for, it overruns at once. */
    private void overrun() {
        if (ambush.found() != null || machine.isNested()) {
            world.overruns().overrun(anyProcess());
        } else {
            world.overruns().narrow(anyProcess());
        }
    }

    private SimulatedProcess anyOf(final List<SimulatedProcess> candidates) {
        final SimulatedProcess any = anyProcess();
        return candidates.contains(any) ? any : candidates.get(random.nextInt(candidates.size()));
    }

    private SimulatedProcess anyProcess() {
        final List<SimulatedProcess> living = world.living().toList();
        return ambush.found() != null && random.nextInt(OTHER_ONE_IN) != 0 ? ambush.found().process()
            : living.get(random.nextInt(living.size()));
    }

    private void linkDown() {
        final SimulatedProcess victim = anyProcess();
        final boolean isForLong = random.nextBoolean();
        final long durationNs = 1 + random.nextLong(
            isForLong && world.scenario().outages() ? DOWN_LONG_MAX_NS : DOWN_MAX_NS);
        world.trace().event("process " + victim.id(), "is cut off: durationNs={} fails={}",
            durationNs, isForLong ? 1 : 0);
        LinkEnd.strike(world, isForLong ? Fault.LINK_DOWN_LONG : Fault.LINK_DOWN, victim);
        victim.linkDown(durationNs, isForLong);
    }

    private void publish(final SimulatedProcess process) {
        world.trace().event("process " + process.id(), "publishes", 0, 0);
        new Publisher(world, process);
    }

    private void die(final SimulatedProcess victim) {
        LinkEnd.strike(world, Fault.PROCESS_DIED, victim);
        final boolean publishes = world.publisher().process() == victim;
        final long orphans = world.subscribers().stream().filter(subscriber ->
            subscriber.process() == victim && (subscriber.isOpen() || subscriber.isToBeReplaced())).count();
        victim.die();
        successor = () -> {
            final SimulatedProcess next = new SimulatedProcess(world, nextProcessId++);
            if (publishes) {
                publish(next);
            }
            for (long i = 0; i < orphans; i++) {
                add(next);
            }
        };
    }

    private SimulatedProcess anyReceiver() {
        final List<SimulatedProcess> receivers = world.living().filter(process ->
            world.scenario().processes() == 1 || world.publisher().process() != process).toList();
        return receivers.get(random.nextInt(receivers.size()));
    }

    private void add(final SimulatedProcess process) {
        final String mode = Scenario.randomMode(random);
        final Subscriber added = new Subscriber(world, process, "consumer" + subscriptions++, mode);
        world.trace().event(added.name(), "subscribes with " + mode, 0, 0);
        LinkEnd.strike(world, Fault.SUBSCRIPTION_ADDED);
    }

    @Override
    public String roleName() {
        return "disruptions@0";
    }
}

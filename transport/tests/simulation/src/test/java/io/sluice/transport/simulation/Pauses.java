package io.sluice.transport.simulation;

import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.Agent;

/** Stops agents for a while, as a scheduler, a debugger or a garbage collection would, or everything at once. */
final class Pauses implements Agent {
    private static final int INTERVAL_MAX_NS = 20_000_000;
    /** Several of these in a row, on both sides of a link, stay below the time in which it must resume. */
    private static final int PAUSE_MAX_NS = 30_000_000;
    private static final int OUTAGE_ONE_IN = 8;
    private static final int OUTAGES_MAX = 4;

    private final World world;
    private final SimulatedMachine machine;
    private final SplittableRandom random;
    private final Scenario scenario;
    private final Ambush ambush;
    private int outages;
    private boolean isLongDue;

    Pauses(final World world) {
        this.world = world;
        machine = world.machine();
        random = world.newRandom();
        scenario = world.scenario();
        ambush = new Ambush(world);
    }

    @Override
    public int doWork() {
        if (world.isCalm()) {
            machine.parkRunning(Scenario.LIVENESS_NS);
            return 0;
        }
        machine.parkRunning(1 + random.nextInt(INTERVAL_MAX_NS));
        if ((scenario.outages() || scenario.suspensions()) && outages < OUTAGES_MAX
            && (isLongDue || random.nextInt(OUTAGE_ONE_IN) == 0)) {
            isLongDue = !ambush.isReady();
            if (isLongDue) {
                return 0;
            }
            outages++;
            final long durationNs = Scenario.LIVENESS_NS + random.nextLong(Scenario.LIVENESS_NS);
            if (scenario.outages() && random.nextBoolean()) {
                stop(durationNs, true);
            } else if (scenario.suspensions()) {
                jump(durationNs, true);
            }
            return 1;
        }
        if (scenario.pauses()) {
            final long durationNs = 1 + random.nextInt(PAUSE_MAX_NS);
            if (random.nextInt(3) == 0) {
                jump(durationNs, false);
            } else {
                stop(durationNs, false);
            }
            return 1;
        }
        return 0;
    }

    private void jump(final long durationNs, final boolean isLong) {
        world.trace().event(roleName(), "the clock jumps: durationNs={}", durationNs, 0);
        LinkEnd.strike(world, isLong ? Fault.CLOCK_JUMPED_LONG : Fault.CLOCK_JUMPED);
        machine.jump(durationNs);
    }

    private void stop(final long durationNs, final boolean isLong) {
        final List<SimulatedWorker> workers = machine.workers();
        final LinkEnd end = isLong ? ambush.found() : null;
        final List<SimulatedWorker> candidates = end == null ? workers
            : workers.stream().filter(worker -> worker.isOf(end.process().id())).toList();
        final SimulatedWorker first = candidates.get(random.nextInt(candidates.size()));
        final boolean isProcess = random.nextBoolean();
        strike(isProcess ? isLong ? Fault.PROCESS_STOPPED_LONG : Fault.PROCESS_STOPPED
            : isLong ? Fault.THREAD_PAUSED_LONG : Fault.THREAD_PAUSED, first.processId());
        for (final SimulatedWorker worker : workers) {
            if (worker == first || isProcess && worker.isOf(first.processId())) {
                world.trace().event(worker.name(), "pauses: durationNs={}", durationNs, 0);
                worker.pause(durationNs);
            }
        }
    }

    private void strike(final Fault fault, final long processId) {
        world.living().filter(process -> process.id() == processId)
            .forEach(process -> LinkEnd.strike(world, fault, process));
    }

    @Override
    public String roleName() {
        return "pauses@0";
    }
}

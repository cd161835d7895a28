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
    private static final int OUTAGES_MAX = 2;

    private final World world;
    private final SimulatedMachine machine;
    private final SplittableRandom random;
    private final Scenario scenario;
    private int outages;

    Pauses(final World world) {
        this.world = world;
        machine = world.machine();
        random = world.newRandom();
        scenario = world.scenario();
    }

    @Override
    public int doWork() {
        if (world.isCalm()) {
            machine.parkRunning(Scenario.LIVENESS_NS);
            return 0;
        }
        machine.parkRunning(1 + random.nextInt(INTERVAL_MAX_NS));
        if (scenario.outages() && outages < OUTAGES_MAX && random.nextInt(OUTAGE_ONE_IN) == 0) {
            outages++;
            pause(Scenario.LIVENESS_NS + random.nextLong(Scenario.LIVENESS_NS));
            return 1;
        }
        if (scenario.pauses()) {
            pause(1 + random.nextInt(PAUSE_MAX_NS));
            return 1;
        }
        return 0;
    }

    private void pause(final long durationNs) {
        final List<SimulatedWorker> workers = machine.workers();
        final SimulatedWorker first = workers.get(random.nextInt(workers.size()));
        final int victim = random.nextInt(3);
        if (victim == 0) {
            world.trace().event(roleName(), "the clock jumps: durationNs={}", durationNs, 0);
            machine.jump(durationNs);
            return;
        }
        for (final SimulatedWorker worker : workers) {
            if (worker == first || victim == 1 && worker.isOf(first.processId())) {
                world.trace().event(worker.name(), "pauses: durationNs={}", durationNs, 0);
                worker.pause(durationNs);
            }
        }
    }

    @Override
    public String roleName() {
        return "pauses@0";
    }
}

package io.sluice.transport.simulation;

import io.sluice.environment.Worker;
import io.sluice.transport.Context;
import io.sluice.transport.Transport;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.Agent;

/** A process with one device and one transport, until it is closed or dies. */
final class SimulatedProcess {
    private static final Path FABRIC = Path.of("/simulated/fabric");
    private static final long DRIVE_MAX_NS = 1_000_000;

    private final World world;
    private final long id;
    private final SimulatedEnvironment environment;
    private final SeededFaults faults;
    private final SoftwareDevice device;
    private final Transport transport;
    private final Worker driver;
    private final Set<CompletionQueue> overrun = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean alive = true;
    private long heldUntilNs;

    SimulatedProcess(final World world, final long id) {
        this.world = world;
        this.id = id;
        environment = world.machine().newProcess(id);
        faults = new SeededFaults(world, "process " + id);
        faults.process(this);
        device = SoftwareDevice.open(environment, FABRIC, faults);
        transport = Transport.launch(world.scenario().configure(new Context()
            .environment(environment).device(device).directory(FABRIC).errorHandler(this::onError)));
        driver = world.scenario().invoker() ? world.machine().start(new Driver()) : null;
        world.processes().add(this);
    }

    private void onError(final Throwable error) {
        world.onError(error);
    }

    /** Between two steps of its own it stops existing. */
    void die() {
        world.trace().event("process " + id, "dies", 0, 0);
        alive = false;
        environment.die();
    }

    /** Closes everything in good order. */
    void close() {
        if (driver != null) {
            // from here on the closing drives it
            driver.close();
        }
        transport.close();
    }

    void closeDevice() {
        device.close();
        environment.checkReleased();
    }

    /** Leave something open, by mistake. */
    void leak() {
        environment.leak();
    }

    /** {@return whether the overrun of a completion queue of its device is news} */
    boolean onOverrun(final CompletionQueue queue) {
        return overrun.add(queue);
    }

    /** Completion queues that have overrun. */
    int overruns() {
        return overrun.size();
    }

    /** Hold everything that it sends for a while; what was held then goes on, or fails. */
    void linkDown(final long durationNs, final boolean isForLong) {
        faults.linkDown(durationNs, isForLong);
    }

    /** The time until which its handlers last took their time. */
    long heldUntilNs() {
        return heldUntilNs;
    }

    void heldUntilNs(final long untilNs) {
        heldUntilNs = untilNs;
    }

    long id() {
        return id;
    }

    boolean isAlive() {
        return alive;
    }

    Transport transport() {
        return transport;
    }

    SoftwareDevice device() {
        return device;
    }

    /** The application's own thread of a transport that has none. */
    private final class Driver implements Agent {
        private final SplittableRandom random = world.newRandom();

        @Override
        public int doWork() {
            final int work = transport.doWork();
            world.machine().parkRunning(work == 0 ? 1 + random.nextLong(DRIVE_MAX_NS) : 0);
            return work;
        }

        @Override
        public String roleName() {
            return "transport@" + id;
        }
    }
}

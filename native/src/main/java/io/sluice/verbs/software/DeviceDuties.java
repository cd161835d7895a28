package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.verbs.AsyncEventHandler;

/** The work of {@code RdmaDevice.poll}; one thread at a time. */
final class DeviceDuties {
    private final Environment environment;
    private final DeviceObjects objects;
    private final PeerProcesses peers;
    private long nextExaminationNs;

    DeviceDuties(final Environment environment, final DeviceObjects objects, final PeerProcesses peers) {
        this.environment = environment;
        this.objects = objects;
        this.peers = peers;
        nextExaminationNs = environment.nanoTime();
    }

    int poll(final AsyncEventHandler handler) {
        int work = 0;
        objects.retrySends();
        objects.carryReadyBits();
        final long nowNs = environment.nanoTime();
        if (nowNs - nextExaminationNs >= 0) {
            nextExaminationNs = nowNs + SoftwareLimits.LIVENESS_INTERVAL_NS;
            work += peers.examine() + objects.examine();
        }
        return work + objects.deliver(handler);
    }
}

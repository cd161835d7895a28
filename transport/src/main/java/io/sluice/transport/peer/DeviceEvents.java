package io.sluice.transport.peer;

import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.QueuePair;

/**
 * Takes what a device tells of by itself to whom it concerns. What happens to a queue pair needs no taking: its link
 * asks for its state. Nor does what a port loses: links that need it break by themselves, and others go on. That
 * something has changed is a reason to try at once what has failed. Conductor only.
 */
final class DeviceEvents implements AsyncEventHandler {
    /** A listener to what happens to a device. */
    interface Concerned {
        /**
         * Notes that a completion queue has overrun; told again, or of a queue that was replaced, it concerns nobody.
         */
        void onOverrun(CompletionQueue overrun);

        /** Notes that the device is broken or was removed. */
        void onGone(AsyncEventType type);

        /** Notes that addresses of the device, or ways from it, may be others now. */
        void onWaysChanged();
    }

    private final Concerned concerned;
    private final LiveCounters counters;
    private final Failures failures;
    private final String deviceName;
    /** The subject of errors of all its ports. */
    private final String ports;

    DeviceEvents(final Concerned concerned, final Services services, final String deviceName) {
        this.concerned = concerned;
        counters = services.counters();
        failures = services.failures();
        this.deviceName = deviceName;
        ports = deviceName + " port ";
    }

    @Override
    public void onAsyncEvent(
        final AsyncEventType type, final CompletionQueue completionQueue, final QueuePair queuePair) {
        if (type == AsyncEventType.CQ_ERR) {
            counters.increment(TransportCounter.DEVICE_EVENTS);
            concerned.onOverrun(completionQueue);
        } else if (type == AsyncEventType.DEVICE_FATAL || type == AsyncEventType.DEVICE_REMOVED) {
            // when it is back it tells of ports that are down then, and of none that have come up meanwhile
            failures.recoveredAll(ports);
            concerned.onGone(type);
        }
    }

    @Override
    public void onPortEvent(final AsyncEventType type, final int port) {
        if (type == AsyncEventType.PORT_ERR) {
            counters.increment(TransportCounter.DEVICE_EVENTS);
            failures.report(ErrorKind.DEVICE_FAILED, ports + port + " ", type.name(), "device " + deviceName + ": port "
                + port + " is down (" + type + "): its links break, and resume when it is active again within their"
                + " timeouts; see its cable and link");
            return;
        }
        if (type == AsyncEventType.PORT_ACTIVE) {
            failures.recovered(ports + port + " ");
        }
        concerned.onWaysChanged();
    }
}

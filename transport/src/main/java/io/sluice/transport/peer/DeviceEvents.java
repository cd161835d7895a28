package io.sluice.transport.peer;

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
    private final DeviceMedium medium;

    DeviceEvents(final DeviceMedium medium) {
        this.medium = medium;
    }

    @Override
    public void onAsyncEvent(
        final AsyncEventType type, final CompletionQueue completionQueue, final QueuePair queuePair) {
        if (type == AsyncEventType.CQ_ERR) {
            medium.services().counters().increment(TransportCounter.DEVICE_EVENTS);
            onOverrun(completionQueue);
        } else if (type == AsyncEventType.DEVICE_FATAL || type == AsyncEventType.DEVICE_REMOVED) {
            // when it is back it tells of ports that are down then, and of none that have come up meanwhile
            medium.services().failures().recoveredAll(portsOf(medium));
            medium.absence().onTold(type);
        }
    }

    @Override
    public void onPortEvent(final AsyncEventType type, final int port) {
        if (type == AsyncEventType.PORT_ERR) {
            medium.services().counters().increment(TransportCounter.DEVICE_EVENTS);
            medium.services().failures().report(portsOf(medium) + port + " ", type.name(),
                "device " + medium.parameters().device().name() + ": port " + port + " is down (" + type
                    + "): its links break, and resume when it is active again within their timeouts; see its cable and"
                    + " link");
            return;
        }
        if (type == AsyncEventType.PORT_ACTIVE) {
            medium.services().failures().recovered(portsOf(medium) + port + " ");
        }
        medium.links().onWaysChanged(medium);
        medium.onAddressesChanged();
    }

    private static String portsOf(final DeviceMedium medium) {
        return medium.parameters().device().name() + " port ";
    }

    /** Told again, or of a queue that has been replaced already, it concerns nobody. */
    private void onOverrun(final CompletionQueue overrun) {
        medium.links().onOverrun(overrun);
        medium.sessions().onOverrun(overrun);
    }
}

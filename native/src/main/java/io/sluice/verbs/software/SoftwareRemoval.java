package io.sluice.verbs.software;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets the objects of a software device go and come back with it, at a test's word: as those of a verbs device do, step
 * by step. Its monitor is held while they are released or taken up again. Any thread.
 */
final class SoftwareRemoval {
    private final String device;
    private final DevicePresence presence;
    private final DeviceObjects objects;
    private final Set<SoftwareProtectionDomain> domains = ConcurrentHashMap.newKeySet();
    private final Set<SoftwareListener> listeners = ConcurrentHashMap.newKeySet();

    SoftwareRemoval(final String device, final DevicePresence presence, final DeviceObjects objects) {
        this.device = device;
        this.presence = presence;
        this.objects = objects;
    }

    void add(final SoftwareProtectionDomain domain) {
        domains.add(domain);
    }

    void remove(final SoftwareProtectionDomain domain) {
        domains.remove(domain);
    }

    void add(final SoftwareListener listener) {
        listeners.add(listener);
    }

    void remove(final SoftwareListener listener) {
        listeners.remove(listener);
    }

    synchronized void release() {
        if (!presence.isReleased()) {
            presence.beginRelease();
            listeners.forEach(SoftwareListener::release);
            objects.releaseAll();
            presence.released();
        }
    }

    /**
     * {@return whether the device is in use} Regions get other keys, as those of a verbs device that is registered
     * anew.
     */
    synchronized boolean reopen() {
        if (!presence.isReleased()) {
            if (presence.isUnderWay()) {
                throw new VerbsException(
                    "ibv_open_device", Errno.EBUSY, "device " + device + " has to be released first");
            }
            return true;
        }
        final long departuresBefore = presence.departures();
        if (departuresBefore == DevicePresence.AWAY) {
            return false;
        }
        domains.forEach(SoftwareProtectionDomain::renewKeys);
        listeners.forEach(SoftwareListener::restore);
        objects.restore();
        presence.reopened(departuresBefore);
        return true;
    }
}

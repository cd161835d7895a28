package io.sluice.verbs.software;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How a software device goes and comes back, at a test's word: as a verbs device does, step by step. Its monitor is
 * held while it is released or taken up again. Any thread.
 */
final class SoftwareRemoval {
    private final SoftwareDevice device;
    private final Set<SoftwareProtectionDomain> domains = ConcurrentHashMap.newKeySet();
    private final Set<SoftwareListener> listeners = ConcurrentHashMap.newKeySet();
    private volatile boolean isThere = true;
    /** Nothing is created. */
    private volatile boolean isUnderWay;
    private volatile boolean isTold;
    private volatile boolean isReleased;

    SoftwareRemoval(final SoftwareDevice device) {
        this.device = device;
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

    void begin() {
        isThere = false;
        isUnderWay = true;
    }

    void end() {
        isThere = true;
    }

    /** The open domains. */
    Set<SoftwareProtectionDomain> domains() {
        return domains;
    }

    /** Nothing is polled: there is nothing. */
    boolean isReleased() {
        return isReleased;
    }

    void checkThere(final String call) {
        if (isUnderWay) {
            throw new VerbsException(call, Remedies.ENODEV, "device " + device.name() + " was removed or is broken:"
                + " nothing can be made on it before it is back");
        }
    }

    /** Device's duty: tell of it, once. */
    int deliver(final AsyncEventHandler handler) {
        if (!isUnderWay || isTold) {
            return 0;
        }
        isTold = true;
        handler.onAsyncEvent(AsyncEventType.DEVICE_REMOVED, null, null);
        return 1;
    }

    synchronized void release() {
        if (!isReleased) {
            isTold = true;
            isUnderWay = true;
            listeners.forEach(SoftwareListener::release);
            device.objects().releaseAll();
            isReleased = true;
        }
    }

    /** {@return whether it is in use} Regions get other keys, as those of a verbs device that is registered anew. */
    synchronized boolean reopen() {
        if (!isReleased) {
            if (isUnderWay) {
                throw new VerbsException("ibv_open_device", Errno.EBUSY,
                    "device " + device.name() + " has to be released first");
            }
            return true;
        }
        if (!isThere) {
            return false;
        }
        domains.forEach(SoftwareProtectionDomain::renewKeys);
        listeners.forEach(SoftwareListener::restore);
        device.objects().restore();
        isTold = false;
        isReleased = false;
        isUnderWay = false;
        return true;
    }
}

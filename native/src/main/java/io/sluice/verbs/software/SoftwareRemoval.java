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
    /** Guards what it is at, and is held for no longer than that takes. */
    private final Object state = new Object();
    private boolean isThere = true;
    private boolean isTold;
    /** How often it has gone or broken. */
    private long departures;
    /** What is told of it. */
    private AsyncEventType news = AsyncEventType.DEVICE_REMOVED;
    /** Nothing is created. */
    private volatile boolean isUnderWay;
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

    /**
     * Let it go.
     *
     * @param type how it is told.
     */
    void begin(final AsyncEventType type) {
        synchronized (state) {
            departures++;
            news = type;
            isThere = type != AsyncEventType.DEVICE_REMOVED;
            isUnderWay = true;
        }
    }

    void end() {
        synchronized (state) {
            isThere = true;
        }
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
        final AsyncEventType type;
        synchronized (state) {
            if (!isUnderWay || isTold) {
                return 0;
            }
            isTold = true;
            type = news;
        }
        handler.onAsyncEvent(type, null, null);
        return 1;
    }

    synchronized void release() {
        if (!isReleased) {
            synchronized (state) {
                isTold = true;
                isUnderWay = true;
            }
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
        final long departuresBefore;
        synchronized (state) {
            if (!isThere) {
                return false;
            }
            departuresBefore = departures;
        }
        domains.forEach(SoftwareProtectionDomain::renewKeys);
        listeners.forEach(SoftwareListener::restore);
        device.objects().restore();
        synchronized (state) {
            isTold = false;
            isReleased = false;
            // one that has gone once more meanwhile is to be told of, and let go of, again
            isUnderWay = departures != departuresBefore;
        }
        return true;
    }
}

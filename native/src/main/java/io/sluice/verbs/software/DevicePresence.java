package io.sluice.verbs.software;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;

/** Whether a device can be used: it is open, and neither removed nor broken. Any thread. */
final class DevicePresence {
    /** The answer when the device is not there. */
    static final long AWAY = -1;

    private final String device;
    private boolean isThere = true;
    private boolean isTold;
    /** The number of times that the device has gone or broken. */
    private long departures;
    /** The next event that is told. */
    private AsyncEventType news = AsyncEventType.DEVICE_REMOVED;
    /** Whether the device is gone, broken or about to be let go, and not in use again: nothing is created on it. */
    private volatile boolean isUnderWay;
    private volatile boolean isReleased;
    private volatile boolean isClosed;

    DevicePresence(final String device) {
        this.device = device;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** {@return whether the device was open} */
    synchronized boolean close() {
        final boolean wasOpen = !isClosed;
        isClosed = true;
        return wasOpen;
    }

    void checkOpen(final String call) {
        if (isClosed) {
            throw new VerbsException(call, Errno.EINVAL, "the device is closed");
        }
        if (isUnderWay) {
            throw new VerbsException(call, Remedies.ENODEV, "device " + device + " was removed or is broken:"
                + " nothing can be made on it before it is back");
        }
    }

    /**
     * Begins the departure of the device.
     *
     * @param type how it is told.
     */
    synchronized void begin(final AsyncEventType type) {
        departures++;
        news = type;
        isThere = type != AsyncEventType.DEVICE_REMOVED;
        isUnderWay = true;
    }

    synchronized void end() {
        isThere = true;
    }

    boolean isUnderWay() {
        return isUnderWay;
    }

    /** Whether nothing is polled, for there is nothing. */
    boolean isReleased() {
        return isReleased;
    }

    /** Device's duty: tell of it, once. */
    int deliver(final AsyncEventHandler handler) {
        final AsyncEventType type;
        synchronized (this) {
            if (!isUnderWay || isTold) {
                return 0;
            }
            isTold = true;
            type = news;
        }
        handler.onAsyncEvent(type, null, null);
        return 1;
    }

    /** Begins a release, in which everything of the device is closed: it need not be told of any more. */
    synchronized void beginRelease() {
        isTold = true;
        isUnderWay = true;
    }

    void released() {
        isReleased = true;
    }

    /** The number of times that the device has gone, or {@link #AWAY}. */
    synchronized long departures() {
        return isThere ? departures : AWAY;
    }

    /**
     * Notes that the device is in use again.
     *
     * @param departuresBefore when that began: one that has gone once more is to be told of, and let go of, again.
     */
    synchronized void reopened(final long departuresBefore) {
        isTold = false;
        isReleased = false;
        isUnderWay = departures != departuresBefore;
    }
}

package io.sluice.verbs.rdma;

import io.sluice.environment.Environment;
import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_device;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.UnsafeApi;

/** Whether a device is there, or about to go. Whoever notices marks it; the device's duties tell of it. Any thread. */
final class DevicePresence {
    /**
     * The time in nanoseconds between two looks whether the kernel has the device still: for one that nobody listens or
     * connects on.
     */
    private static final long LOOK_INTERVAL_NS = 500_000_000L;

    private final Environment environment;
    private final DeviceHandle device;
    /**
     * Whether the device is gone, broken or about to go: nothing is created on it, and it is asked for nothing that can
     * be done without it.
     */
    private volatile boolean isUnderWay;
    /** Whether the device is gone, and not only broken. */
    private volatile boolean isRemoved;
    /**
     * Whether the program was told that the device goes; guarded by the monitor, as every change of the two above is.
     */
    private boolean isTold;
    /** The number of times that it was noticed that the device is taken away. Guarded by the monitor. */
    private long removals;
    /** The path where the kernel shows the opened device; null where it does not. */
    private volatile Path entry;
    /** Name of the file by which it was opened last. */
    private volatile String file = "";
    private long nextLookNs;

    DevicePresence(final Environment environment, final DeviceHandle device) {
        this.environment = environment;
        this.device = device;
    }

    /** Takes up the context that the device has; nobody looks for it before this returns. */
    void onOpened() {
        file = ContextFiles.of(device.address()).device();
        final long described = UnsafeApi.getLong(device.address() + ibv_context.device$offset());
        final Path shown = described == 0 ? null : Path.of(ibv_device.dev_path(
            MemorySegment.ofAddress(described).reinterpret(ibv_device.sizeof())).getString(0));
        // where the kernel has shown it once, it is gone when it is not shown: nothing but a look will tell
        final boolean isShown = shown != null && shown.isAbsolute() && (entry != null || Files.exists(shown));
        entry = isShown ? shown : null;
        nextLookNs = environment.nanoTime() + LOOK_INTERVAL_NS;
    }

    /** Learns from the connection manager that the device is being removed. */
    synchronized void onRemoved() {
        removals++;
        isRemoved = true;
        isUnderWay = true;
    }

    /** Learns from the device that it is broken, which the program is told by the same event. */
    synchronized void onBroken() {
        isTold = true;
        isUnderWay = true;
    }

    /** Name of the file by which the device was opened last; empty when that is none of a device. */
    String file() {
        return file;
    }

    /** Whether the device is gone or about to go. */
    boolean isUnderWay() {
        return isUnderWay;
    }

    /** Whether the device is gone, and not only broken. */
    boolean isRemoved() {
        return isRemoved;
    }

    /** Notes that the library has no such device: one that was only broken is gone by now, too. */
    synchronized void onMissing() {
        isRemoved = true;
    }

    /** Device's duty: tell of it, once. */
    int deliver(final AsyncEventHandler handler) {
        look();
        if (!isToBeTold()) {
            return 0;
        }
        handler.onAsyncEvent(AsyncEventType.DEVICE_REMOVED, null, null);
        return 1;
    }

    private synchronized boolean isToBeTold() {
        final boolean isNews = isUnderWay && !isTold;
        isTold |= isNews;
        return isNews;
    }

    /** Notes that the owner lets go of the device, told or not. */
    synchronized void onLetGo() {
        isTold = true;
        isUnderWay = true;
    }

    /** The number of times that the device was taken away, as far as it was noticed. */
    synchronized long removals() {
        return removals;
    }

    /**
     * Notes that the device is taken up again; one that has gone once more meanwhile is to be told of, and let go of,
     * again.
     */
    synchronized void onBack(final long removalsBefore) {
        isTold = false;
        isRemoved = removals != removalsBefore;
        isUnderWay = isRemoved;
    }

    private void look() {
        final long nowNs = environment.nanoTime();
        if (nowNs - nextLookNs >= 0) {
            nextLookNs = nowNs + LOOK_INTERVAL_NS;
            final Path shown = entry;
            if (shown != null && !Files.exists(shown)) {
                onRemoved();
            }
        }
    }

    /**
     * Refuse to create something.
     *
     * @throws VerbsException ENODEV while the device is gone or about to go.
     */
    void checkThere(final String call) {
        if (isUnderWay) {
            throw gone(call);
        }
    }

    VerbsException gone(final String call) {
        return new VerbsException(call, Remedies.ENODEV, "device " + device.name() + " was removed or is broken:"
            + " nothing can be made on it before it is back");
    }
}

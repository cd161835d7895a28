package io.sluice.verbs.rdma;

import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.ibv_device;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.UnsafeApi;

/**
 * How a device goes and comes back. Who notices marks it; the device's duties tell of it, and refuse what is to be
 * created; then everything is given back at the owner's word, in the order in which one needs the other, and made again
 * in the opposite one. Any thread.
 */
final class DeviceRemoval {
    /** Between two looks whether the kernel has the device still: for one that nobody listens or connects on. */
    private static final long LOOK_INTERVAL_NS = 500_000_000L;
    /** A device that is gone for the kernel answers so; what it is asked to destroy is destroyed. */
    private static final int EIO = 5;

    private final VerbsDevice device;
    private final Set<VerbsDomain> domains = ConcurrentHashMap.newKeySet();
    private final Set<VerbsRegion> regions = ConcurrentHashMap.newKeySet();
    private final Set<VerbsChannel> channels = ConcurrentHashMap.newKeySet();
    /** Held while it is released or taken up again. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Nothing is created, and the device is asked for nothing that can be done without it. */
    private volatile boolean isUnderWay;
    /** And not only broken. */
    private volatile boolean isRemoved;
    /** Guarded by the monitor, as every change of the two above is. */
    private boolean isTold;
    /** How often it was noticed that the device is taken away. Guarded by the monitor. */
    private long removals;
    /** Where the kernel shows the opened device; null where it does not. */
    private volatile Path entry;
    /** Name of the file by which it was opened last. */
    private volatile String file = "";
    private long nextLookNs;
    /** The first refusal of the device while it was released; null for none. Guarded by the lock. */
    private VerbsException refusal;

    DeviceRemoval(final VerbsDevice device) {
        this.device = device;
    }

    void add(final VerbsDomain domain) {
        domains.add(domain);
    }

    void remove(final VerbsDomain domain) {
        domains.remove(domain);
    }

    void add(final VerbsRegion region) {
        regions.add(region);
    }

    void remove(final VerbsRegion region) {
        regions.remove(region);
    }

    void add(final VerbsChannel channel) {
        channels.add(channel);
    }

    void remove(final VerbsChannel channel) {
        channels.remove(channel);
    }

    /** The device has a context; nobody looks for it before this returns. */
    void onOpened() {
        file = ContextFiles.of(device.context()).device();
        final long described = UnsafeApi.getLong(device.context() + ibv_context.device$offset());
        final Path shown = described == 0 ? null : Path.of(ibv_device.dev_path(
            MemorySegment.ofAddress(described).reinterpret(ibv_device.sizeof())).getString(0));
        // where the kernel has shown it once, it is gone when it is not shown: nothing but a look will tell
        final boolean isShown = shown != null && shown.isAbsolute() && (entry != null || Files.exists(shown));
        entry = isShown ? shown : null;
        nextLookNs = device.environment().nanoTime() + LOOK_INTERVAL_NS;
    }

    /** The connection manager says that the device is being removed. */
    synchronized void onRemoved() {
        removals++;
        isRemoved = true;
        isUnderWay = true;
    }

    /** The device says that it is broken, and is told so by the same event. */
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

    /** The owner lets go of it, told or not. */
    private synchronized void onLetGo() {
        isTold = true;
        isUnderWay = true;
    }

    private synchronized long removals() {
        return removals;
    }

    /** It is taken up again; one that has gone once more meanwhile is to be told of, and let go of, again. */
    private synchronized void onBack(final long removalsBefore) {
        isTold = false;
        isRemoved = removals != removalsBefore;
        isUnderWay = isRemoved;
    }

    private void look() {
        final long nowNs = device.environment().nanoTime();
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

    /**
     * Destroy something. Of a device that goes, what it refuses is noted, and is the kernel's to destroy with the
     * context.
     *
     * @throws VerbsException when it refuses otherwise.
     */
    void check(final SetupCall call, final String stays, final long handle) {
        final SetupCall.Result result = call.invoke(handle);
        if (result.value() == 0) {
            return;
        }
        onRefused(call.failure(result.error(), stays));
    }

    /** Run a call that checks its own result. */
    void attempt(final Runnable destruction) {
        try {
            destruction.run();
        } catch (final VerbsException e) {
            onRefused(e);
        }
    }

    private void onRefused(final VerbsException failure) {
        if (!isUnderWay) {
            throw failure;
        }
        if (failure.errno() != EIO && refusal == null) {
            refusal = failure;
        }
    }

    /**
     * Give everything back.
     *
     * @param awaitCreations returns when nothing is being created from the device itself.
     * @param closeContext   closes what it was all created from.
     */
    void release(final Runnable awaitCreations, final Runnable closeContext) {
        lock.lock();
        try {
            if (device.context() == 0) {
                return;
            }
            onLetGo();
            refusal = null;
            awaitCreations.run();
            domains.forEach(VerbsDomain::awaitCreations);
            releaseObjects();
            closeContext.run();
            if (refusal != null) {
                throw new VerbsException("ibv_close_device", refusal.errno(), "device " + device.name()
                    + " is released, but had refused: " + refusal.getMessage(), refusal);
            }
        } finally {
            lock.unlock();
        }
    }

    private void releaseObjects() {
        device.connections().release(isRemoved);
        device.queuePairs().forEach(VerbsQueuePair::close);
        device.sharedReceiveQueues().forEach(VerbsSharedReceiveQueue::close);
        device.completionQueues().forEach(VerbsCompletionQueue::release);
        channels.forEach(VerbsChannel::release);
        domains.forEach(domain -> domain.addressHandles().closeAll());
        regions.forEach(VerbsRegion::release);
        domains.stream().filter(VerbsDomain::isParentDomain).forEach(VerbsDomain::release);
        domains.forEach(VerbsDomain::release);
    }

    /** Take it up again if it is there; whether it is in use. */
    boolean reopen() {
        lock.lock();
        try {
            if (device.context() != 0) {
                if (isUnderWay) {
                    throw new VerbsException("ibv_open_device", Errno.EBUSY,
                        "device " + device.name() + " has to be released first");
                }
                return true;
            }
            final long removalsBefore = removals();
            final long context = DeviceList.open(device.verbs(), device.name());
            if (context == 0) {
                // one that was only broken is gone by now, too
                isRemoved = true;
                device.connections().release(true);
                return false;
            }
            adopt(context);
            onBack(removalsBefore);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void adopt(final long context) {
        boolean isAdopted = false;
        try {
            device.adopt(context);
            domains.forEach(VerbsDomain::restore);
            regions.forEach(VerbsRegion::restore);
            channels.forEach(VerbsChannel::restore);
            device.connections().restore();
            isAdopted = true;
        } finally {
            if (!isAdopted) {
                undo(context);
            }
        }
    }

    /** Undo what was made again: the exception under way tells why it was not enough. */
    private void undo(final long context) {
        channels.forEach(VerbsChannel::release);
        regions.forEach(VerbsRegion::release);
        domains.forEach(VerbsDomain::release);
        device.abandon();
        device.verbs().closeDevice.invoke(context);
    }
}

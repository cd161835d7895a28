package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.ChannelWait;
import io.sluice.verbs.foreign.Guard;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_comp_channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.function.LongFunction;
import org.agrona.UnsafeApi;

/** A completion channel: its descriptor, and one of ours that wakes who waits. */
final class VerbsChannel implements CompletionChannel {
    private static final String CALL = "ibv_get_cq_event";
    private static final String CREATE_CALL = "ibv_create_comp_channel";
    private static final String DESTROY_CALL = "ibv_destroy_comp_channel";
    /**
     * The longest time in nanoseconds for which an interrupt may go unnoticed: it does not end a wait in native code.
     */
    private static final long LONGEST_WAIT_NS = 50_000_000;

    private final DeviceContext device;
    /** Channels of the device that are not closed: this is one of them until it is. */
    private final Set<VerbsChannel> channels;
    /** Tells the queue with an address that an event of it was taken, and answers it; null when it is being closed. */
    private final LongFunction<CompletionQueue> takenEvents;
    /** The {@code ibv_comp_channel}. Written while it is released. */
    private volatile long handle;
    private volatile int descriptor;
    private final ChannelWait waiting;
    private final Guard guard = new Guard();
    /** The guard that is entered by who uses the handle or its descriptor, and never while the handle is released. */
    private final Guard handleGuard = new Guard();
    /** Lock held while an event is taken and counted, and while a queue looks at its count and goes. */
    private final Object eventLock = new Object();
    /** The memory for what an event tells: its queue, and a context that nobody sets. Guarded by the lock. */
    private final MemorySegment event = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, 2);
    private final MemorySegment eventErrno = HotCalls.newCapture();
    private int queues;
    private volatile boolean isClosed;
    /** Whether the device is released: nothing comes then, and who waits is woken only. */
    private volatile boolean isReleased;
    private boolean isDestroyed;

    private VerbsChannel(
        final DeviceContext device,
        final Set<VerbsChannel> channels,
        final LongFunction<CompletionQueue> takenEvents,
        final long handle) {
        this.device = device;
        this.channels = channels;
        this.takenEvents = takenEvents;
        this.handle = handle;
        descriptor = descriptor(handle);
        waiting = new ChannelWait(descriptor);
        device.objects().onCreated(DeviceObjects.Kind.COMPLETION_CHANNEL);
        channels.add(this);
    }

    private static int descriptor(final long handle) {
        final int descriptor = UnsafeApi.getInt(handle + ibv_comp_channel.fd$offset());
        SystemCalls.setNonBlocking(descriptor);
        return descriptor;
    }

    /** Lets go of the channel, as the device goes, and the queues that announce here are gone. */
    synchronized void release() {
        if (!isDestroyed && !isReleased) {
            isReleased = true;
            try {
                waiting.wake();
                Guard.awaitClear(device.environment(), DESTROY_CALL, "a completion channel", handleGuard);
                device.destruction().check(device.verbs().destroyCompChannel, "a completion channel stays", handle);
            } catch (final VerbsException e) {
                isReleased = false;
                throw e;
            }
        }
    }

    /** Makes the channel anew, as the device is back: queues announce by another descriptor. */
    synchronized void restore() {
        if (!isDestroyed && isReleased) {
            final long created =
                device.verbs().createCompChannel.pointer("no completion channel", device.address());
            handle = created;
            descriptor = descriptor(created);
            waiting.watch(descriptor);
            isReleased = false;
        }
    }

    /**
     * Create one.
     *
     * @param channels    of the device, among which it is from then on.
     * @param takenEvents tells the queue with an address that an event of it was taken, and answers the queue; or null
     *                    for one that is being closed.
     */
    static VerbsChannel create(
        final DeviceContext device,
        final Set<VerbsChannel> channels,
        final LongFunction<CompletionQueue> takenEvents) {
        final long handle = device.verbs().createCompChannel.pointer("no completion channel", device.address());
        try {
            return new VerbsChannel(device, channels, takenEvents, handle);
        } catch (final RuntimeException e) {
            device.verbs().destroyCompChannel.invoke(handle);
            throw e;
        }
    }

    long handle() {
        return handle;
    }

    DeviceContext device() {
        return device;
    }

    /** Notes that a completion queue begins to announce here. */
    synchronized void attach() {
        if (isClosed) {
            throw closed("ibv_create_cq_ex");
        }
        queues++;
    }

    synchronized void detach() {
        queues--;
    }

    @Override
    public CompletionQueue getEvent(final long timeoutNs) {
        guard.enter();
        try {
            return awaitEvent(Math.max(0, timeoutNs));
        } finally {
            guard.leave();
        }
    }

    @Override
    public boolean await(final long timeoutNs) {
        guard.enter();
        try {
            if (isClosed) {
                throw closed(CALL);
            }
            final boolean isReady = waitFor(Math.min(timeoutNs, LONGEST_WAIT_NS));
            if (isReady) {
                waiting.takeWakeUp();
            }
            return isReady;
        } finally {
            guard.leave();
        }
    }

    @Override
    public int descriptor() {
        if (isClosed) {
            throw closed(CREATE_CALL);
        }
        if (isReleased) {
            throw device.presence().gone(CREATE_CALL);
        }
        return descriptor;
    }

    private boolean waitFor(final long timeoutNs) {
        handleGuard.enter();
        try {
            if (!isReleased) {
                return waiting.await(timeoutNs);
            }
        } finally {
            handleGuard.leave();
        }
        return waiting.awaitWakeUp(timeoutNs);
    }

    private static VerbsException closed(final String call) {
        return new VerbsException(call, Errno.EINVAL, "the channel is closed");
    }

    private CompletionQueue awaitEvent(final long timeoutNs) {
        final long startNs = device.environment().nanoTime();
        while (!isClosed) {
            final CompletionQueue queue = take();
            if (queue != null) {
                return queue;
            }
            final long remainingNs = timeoutNs - (device.environment().nanoTime() - startNs);
            final boolean isOver = remainingNs <= 0 || Thread.currentThread().isInterrupted();
            final boolean isReady = waitFor(isOver ? 0 : Math.min(remainingNs, LONGEST_WAIT_NS));
            if (isReady && waiting.takeWakeUp() && !isClosed || isOver) {
                return null;
            }
        }
        throw closed(CALL);
    }

    private CompletionQueue take() {
        synchronized (eventLock) {
            handleGuard.enter();
            try {
                return isReleased ? null : takeGuarded();
            } finally {
                handleGuard.leave();
            }
        }
    }

    private CompletionQueue takeGuarded() {
        while (true) {
            if (HotCalls.getCqEvent(device.verbs().getCqEvent, eventErrno, handle, event.address(),
                event.address() + Long.BYTES) != 0) {
                final int error = HotCalls.errno(eventErrno);
                if (error == SystemCalls.EAGAIN) {
                    return null;
                }
                throw new VerbsException(CALL, error, "no events can be had" + Remedies.remedy(error));
            }
            final long queue = event.get(ValueLayout.JAVA_LONG, 0);
            final CompletionQueue found = takenEvents.apply(queue);
            if (found != null) {
                return found;
            }
            // Of a queue that is being closed: ibv_destroy_cq waits for this, and the queue is there until then.
            HotCalls.acknowledgeEvents(device.verbs().ackCqEvents, queue, 1);
        }
    }

    /** Have a queue look whether it may be closed, and be found no longer, without an event between the two. */
    void withoutEvents(final Runnable removal) {
        synchronized (eventLock) {
            removal.run();
        }
    }

    @Override
    public void wake() {
        waiting.wake();
    }

    @Override
    public synchronized void close() {
        if (isDestroyed) {
            return;
        }
        if (queues > 0) {
            throw new VerbsException(DESTROY_CALL, Errno.EBUSY,
                queues + " completion queue(s) announce to it: close them first");
        }
        isClosed = true;
        waiting.wake();
        Guard.awaitClear(device.environment(), DESTROY_CALL, "a completion channel", guard);
        if (!isReleased) {
            device.destruction().check(device.verbs().destroyCompChannel, "a completion channel stays", handle);
        }
        isDestroyed = true;
        channels.remove(this);
        waiting.close();
        device.objects().onDestroyed(DeviceObjects.Kind.COMPLETION_CHANNEL);
    }
}

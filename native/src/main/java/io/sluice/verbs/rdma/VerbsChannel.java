package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_comp_channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.UnsafeApi;

/** A completion channel: its descriptor, and one of ours that wakes who waits. */
final class VerbsChannel implements CompletionChannel {
    private static final String CALL = "ibv_get_cq_event";
    /** How long an interrupt may go unnoticed: it does not end a wait in native code. */
    private static final long LONGEST_WAIT_NS = 50_000_000;

    private final VerbsDevice device;
    private final long handle;
    private final int wakeDescriptor;
    private final MemorySegment descriptors;
    private final AtomicBoolean isWoken = new AtomicBoolean();
    private final Guard guard = new Guard();
    private volatile boolean isClosed;

    private VerbsChannel(final VerbsDevice device, final long handle, final int wakeDescriptor) {
        this.device = device;
        this.handle = handle;
        this.wakeDescriptor = wakeDescriptor;
        final int descriptor = UnsafeApi.getInt(handle + ibv_comp_channel.fd$offset());
        SystemCalls.setNonBlocking(descriptor);
        descriptors = SystemCalls.pollRecords(descriptor, wakeDescriptor);
    }

    static VerbsChannel create(final VerbsDevice device) {
        final long handle = device.verbs().createCompChannel.pointer("no completion channel", device.context());
        try {
            return new VerbsChannel(device, handle, SystemCalls.newEventDescriptor());
        } catch (final VerbsException e) {
            device.verbs().destroyCompChannel.invoke(handle);
            throw e;
        }
    }

    long handle() {
        return handle;
    }

    VerbsDevice device() {
        return device;
    }

    @Override
    public CompletionQueue getEvent(final long timeoutNs) {
        guard.enter();
        try {
            return awaitEvent(timeoutNs);
        } finally {
            guard.leave();
        }
    }

    @Override
    public boolean await(final long timeoutNs) {
        guard.enter();
        try {
            if (isClosed) {
                throw closed();
            }
            final boolean isReady = isWoken.get()
                || SystemCalls.await(descriptors, Math.min(timeoutNs, LONGEST_WAIT_NS));
            if (isWoken.getAndSet(false)) {
                SystemCalls.clear(wakeDescriptor);
            }
            return isReady;
        } finally {
            guard.leave();
        }
    }

    private static VerbsException closed() {
        return new VerbsException(CALL, Errno.EINVAL, "the channel is closed");
    }

    private CompletionQueue awaitEvent(final long timeoutNs) {
        final long startNs = device.environment().nanoTime();
        while (!isClosed) {
            final CompletionQueue queue = take();
            if (queue != null) {
                return queue;
            }
            if (isWoken.getAndSet(false)) {
                SystemCalls.clear(wakeDescriptor);
                return null;
            }
            final long remainingNs = timeoutNs - (device.environment().nanoTime() - startNs);
            if (remainingNs <= 0 || Thread.currentThread().isInterrupted()) {
                return null;
            }
            SystemCalls.await(descriptors, Math.min(remainingNs, LONGEST_WAIT_NS));
        }
        throw closed();
    }

    private CompletionQueue take() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment queue = arena.allocate(ValueLayout.JAVA_LONG);
            final MemorySegment context = arena.allocate(ValueLayout.JAVA_LONG);
            final SetupCall.Result result = device.verbs().getCqEvent.invoke(handle, queue, context);
            if (result.value() != 0) {
                if (result.errno() == SystemCalls.EAGAIN) {
                    return null;
                }
                throw device.verbs().getCqEvent.failure(result.errno(), "no events can be had");
            }
            final VerbsCompletionQueue found = device.completionQueue(queue.get(ValueLayout.JAVA_LONG, 0));
            // It cannot be closed before its events are acknowledged.
            found.onEvent();
            return found;
        }
    }

    @Override
    public void wake() {
        isWoken.set(true);
        SystemCalls.signal(wakeDescriptor);
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        SystemCalls.signal(wakeDescriptor);
        if (Guard.awaitClear(device.environment(), guard)) {
            SystemCalls.close(wakeDescriptor);
            device.verbs().destroyCompChannel.check("a completion channel stays: close its queues first", handle);
        }
    }
}

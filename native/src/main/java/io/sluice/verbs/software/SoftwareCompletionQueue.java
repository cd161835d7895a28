package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.List;

/** A completion queue: polls what its queue pairs have, and is told by a shared file which of them have something. */
final class SoftwareCompletionQueue extends PolledCompletionQueue implements NamedFiles {
    /** The bit of {@link #attention} that says that the queue is closed. */
    private static final int CLOSED = 1;
    /** The bit of {@link #attention} that says that the queue has overrun. */
    private static final int DEAD = 1 << 1;
    /** The bit of {@link #attention} that says that the queue's queue pairs can have more completions than fit. */
    private static final int OVERCOMMITTED = 1 << 2;
    /** The number that is added to {@link #attention} for each queue pair with waiting sends. */
    private static final int WAITING_UNIT = 1 << 3;

    private static final VarHandle GUARD;
    private static final VarHandle ATTENTION;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            GUARD = lookup.findVarHandle(SoftwareCompletionQueue.class, "guard", int.class);
            ATTENTION = lookup.findVarHandle(SoftwareCompletionQueue.class, "attention", int.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final DeviceContext device;
    private final int number;
    private final boolean ignoresOverrun;
    private final MappedMemory memory;
    private final long file;
    private final CompletionSources sources;
    private final CompletionQueueMembers members;
    private final CompletionEvents completionEvents;
    private final Disposal<SoftwareCompletionQueue> disposal;
    private final AsyncEvents events;
    /** The relay of completions; null until its file was removed and made anew. */
    private CompletionRelay relay;
    private volatile int attention;
    private volatile int capacity;
    private int guard;

    SoftwareCompletionQueue(
        final DeviceContext device,
        final int number,
        final CompletionQueueAttributes attributes,
        final MappedMemory memory,
        final Disposal<SoftwareCompletionQueue> disposal) {
        super(attributes.context(), attributes.fields());
        this.device = device;
        this.number = number;
        this.memory = memory;
        this.disposal = disposal;
        events = device.newEvents();
        ignoresOverrun = (attributes.flags() & CompletionQueueFlags.IGNORE_OVERRUN) != 0;
        capacity = attributes.capacity();
        final SoftwareCompletionChannel channel = (SoftwareCompletionChannel) attributes.channel();
        file = memory.address();
        completionEvents = new CompletionEvents(this, number, channel, file);
        sources = new CompletionSources(file);
        members = new CompletionQueueMembers(device.environment(), sources, channel != null);
        CompletionQueueLayout.write(file, number, channel == null ? 0 : channel.number());
    }

    @Override
    public int startPoll() {
        if (isInBatch()) {
            throw batchNotEnded();
        }
        // over each call and not over the batch, so that another thread's close does not wait for a slow handler
        GUARD.setOpaque(this, 1);
        int result = attention == 0 ? Errno.OK : attend();
        if (result == Errno.OK && !sources.poll(this)) {
            result = Errno.ENOENT;
        }
        beginBatch(result == Errno.OK);
        GUARD.setRelease(this, 0);
        return result;
    }

    @Override
    public int nextPoll() {
        checkInBatch("nextPoll");
        GUARD.setOpaque(this, 1);
        int result = Errno.EINVAL;
        if ((attention & (CLOSED | DEAD)) == 0) {
            result = sources.poll(this) ? Errno.OK : Errno.ENOENT;
        }
        GUARD.setRelease(this, 0);
        return result;
    }

    @Override
    public int capacity() {
        return isClosed() ? 0 : capacity;
    }

    /** Attends to what keeps {@link #startPoll()} off its fast path. */
    private int attend() {
        final int now = attention;
        if ((now & (CLOSED | DEAD)) != 0) {
            return Errno.EINVAL;
        }
        if ((now & OVERCOMMITTED) != 0 && hasOverrun()) {
            die();
            return Errno.EINVAL;
        }
        if (now >= WAITING_UNIT) {
            for (final CompletionSource source : sources.all()) {
                source.retrySends();
            }
        }
        return Errno.OK;
    }

    /** Poller: whether there are more completions than fit. */
    private boolean hasOverrun() {
        if (outstanding() <= capacity) {
            return false;
        }
        long arrived = 0;
        for (final CompletionSource source : sources.all()) {
            arrived += source.arrived();
        }
        return arrived > capacity;
    }

    /** Any thread: look for an overrun while nobody polls. */
    void checkOverrun() {
        if ((attention & (CLOSED | DEAD | OVERCOMMITTED)) != OVERCOMMITTED) {
            return;
        }
        if (outstanding() > capacity && arrived() > capacity) {
            die();
        }
    }

    private long outstanding() {
        long outstanding = 0;
        for (final CompletionSource source : sources.all()) {
            outstanding += source.outstanding();
        }
        return outstanding;
    }

    private long arrived() {
        long arrived = 0;
        for (final CompletionSource source : sources.all()) {
            arrived += source.arrivedWhileMapped();
        }
        return arrived;
    }

    private void die() {
        if (((int) ATTENTION.getAndBitwiseOr(this, DEAD) & DEAD) == 0) {
            for (final CompletionSource source : sources.all()) {
                source.fail();
            }
            events.raise(AsyncEventType.CQ_ERR);
        }
    }

    @Override
    public void resize(final int newCapacity) {
        checkNotInBatch("resize");
        resizeGuarded(newCapacity);
    }

    private synchronized void resizeGuarded(final int newCapacity) {
        CompletionQueueRequests.checkCapacity("ibv_resize_cq", newCapacity);
        final long waiting = arrived();
        if (waiting > newCapacity) {
            throw new VerbsException(
                "ibv_resize_cq", Errno.EINVAL, "capacity=" + newCapacity + ", but " + waiting + " completions wait");
        }
        capacity = newCapacity;
        recount();
    }

    @Override
    public int requestNotify(final boolean solicitedOnly) {
        return completionEvents.arm(solicitedOnly) ? Errno.OK : Errno.EINVAL;
    }

    @Override
    public void acknowledgeEvents(final int count) {
        completionEvents.acknowledge(count);
    }

    @Override
    boolean isClosed() {
        return (attention & CLOSED) != 0;
    }

    @Override
    boolean isAlive() {
        return (attention & (CLOSED | DEAD)) == 0;
    }

    /** Set-up: attaches a queue pair, which completes here. */
    synchronized CompletionSource attach(
        final QueueOwner owner,
        final QueuePairNumbers numbers,
        final ReceiveCompletions receives,
        final LocalCompletions sends,
        final int maxCompletions) {
        if (!isAlive()) {
            throw dead();
        }
        final CompletionSource source = members.attach(owner, numbers, receives, sends, maxCompletions);
        recount();
        if (!isAlive()) {
            // an overrun fails the queue pairs that are attached, which this one may have been too late for
            detach(source);
            throw dead();
        }
        return source;
    }

    private static VerbsException dead() {
        return new VerbsException("ibv_create_qp", Errno.EINVAL, "the completion queue is closed or has overrun");
    }

    synchronized void detach(final CompletionSource source) {
        members.detach(source);
        recount();
    }

    private void recount() {
        if (!ignoresOverrun && members.committed() > capacity) {
            ATTENTION.getAndBitwiseOr(this, OVERCOMMITTED);
        } else {
            ATTENTION.getAndBitwiseAnd(this, ~OVERCOMMITTED);
        }
    }

    /** Notes that a queue pair has begun, or stopped, to have waiting sends. */
    void onWaiting(final boolean isWaiting) {
        ATTENTION.getAndAdd(this, isWaiting ? WAITING_UNIT : -WAITING_UNIT);
    }

    ReadySignal signal(final int slot) {
        return new ReadySignal(file, slot, completionEvents::announce);
    }

    CompletionEvents completionEvents() {
        return completionEvents;
    }

    AsyncEvents events() {
        return events;
    }

    DeviceContext device() {
        return device;
    }

    int number() {
        return number;
    }

    /** Whether a thread is inside a poll. */
    boolean isBusy() {
        return (int) GUARD.getAcquire(this) != 0;
    }

    /** Closes the queue, as the device goes, whatever has been acknowledged of its events. */
    void release() {
        completionEvents.acknowledgeAll();
        close();
    }

    private Path path() {
        return device.folder().resolve(FabricNames.completionQueue(number));
    }

    @Override
    public String missing() {
        final Path path = path();
        return device.environment().files().exists(path) || isClosed() ? null
            : path + ", a completion queue: no link that completes there is added or resumed";
    }

    @Override
    public void restoreFiles() throws IOException {
        if (missing() != null) {
            relay(device.environment().files().create(path(), CompletionQueueLayout.LENGTH));
        }
    }

    /** Set-up: relays from a new file that stands where the queue's own was removed; the queue owns it from now on. */
    private synchronized void relay(final MappedMemory replacement) {
        if (isClosed()) {
            replacement.close();
            return;
        }
        if (relay == null) {
            relay = new CompletionRelay(file);
        }
        final SoftwareCompletionChannel channel = completionEvents.channel();
        relay.add(replacement, number, channel == null ? 0 : channel.number());
        device.removedFiles().replacedQueue();
    }

    /** Device's duty, once a file has been replaced: carries over what peers have put into it. */
    synchronized void carryReadyBits() {
        if (relay != null && relay.carry()) {
            completionEvents.announce();
        }
    }

    private synchronized void closeRelay() {
        if (relay != null) {
            relay.close();
            relay = null;
        }
    }

    @Override
    public void close() {
        checkNotInBatch("close");
        synchronized (this) {
            if ((attention & CLOSED) != 0) {
                return;
            }
            final int users = members.size();
            if (users != 0) {
                throw new VerbsException(
                    "ibv_destroy_cq", Errno.EBUSY, users + " queue pairs use it: close them first");
            }
            final long events = completionEvents.unacknowledged();
            if (events != 0) {
                throw new VerbsException(
                    "ibv_destroy_cq", Errno.EBUSY, events + " events are not acknowledged: acknowledge them first");
            }
            ATTENTION.getAndBitwiseOr(this, CLOSED);
        }
        closeRelay();
        disposal.dispose(this, List.of(this::isBusy, completionEvents::isBusy));
    }

    /**
     * Withdraws the queue, which the device could not keep and nobody was handed: it is told of nothing, and not
     * restored any more.
     */
    void withdraw() {
        synchronized (this) {
            ATTENTION.getAndBitwiseOr(this, CLOSED);
        }
        closeRelay();
    }

    /** Unmap its file; only when nobody can be using it. */
    void unmap() {
        memory.close();
    }
}

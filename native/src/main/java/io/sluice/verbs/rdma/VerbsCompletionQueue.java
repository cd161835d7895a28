package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.Guard;
import io.sluice.verbs.rdma.generated.ibv_cq;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;
import org.agrona.collections.Int2ObjectHashMap;

/** The life, size and events of a completion queue, which its two interfaces have in common. */
abstract class VerbsCompletionQueue extends CompletionQueue {
    private static final String DESTROY_CALL = "ibv_destroy_cq";
    /**
     * The value, among those that keep the poller out, that does so for good. The rest counts threads that do for a
     * while.
     */
    private static final int SHUT = Integer.MIN_VALUE;
    private static final VarHandle BARRIER;
    private static final VarHandle HOLDS;

    static {
        try {
            BARRIER = MethodHandles.lookup().findVarHandle(VerbsCompletionQueue.class, "barrier", int.class);
            HOLDS = MethodHandles.lookup().findVarHandle(VerbsCompletionQueue.class, "holds", int.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final DeviceContext device;
    private final CompletionQueueOwner owner;
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger unacknowledged = new AtomicInteger();
    /**
     * Lock held while events are acknowledged, so that none is twice: a destruction waits until as many are
     * acknowledged as there were, neither more nor less.
     */
    private final Object acknowledgement = new Object();
    /**
     * Lock held while queue pairs come and go, and while the queue is shut. Not the lock of a resize, which waits for
     * the end of a batch, within which the poller may create a queue pair.
     */
    private final Object membership = new Object();
    /** The function that arms the queue; 0 when there is nobody to notify. */
    private final long requestNotify;
    private final Guard armGuard = new Guard();
    /** The channel of the queue's events; null when the queue announces nothing. */
    private final VerbsChannel channel;
    /** Entries beyond what is asked for, for those of a running batch, which the device does not have back yet. */
    private final int slack;
    private volatile int capacity;
    /** Ledgers by the number of their queue pairs; a map is not changed any more. Null when no requests are counted. */
    private volatile Int2ObjectHashMap<SendLedger> ledgers;
    private boolean isArmedOnce;
    /** Whether the queue is armed for any completion, since the last event of it that was taken. */
    private volatile boolean isArmed;
    private volatile boolean isClosing;
    private volatile boolean isDestroyed;
    /** The barrier that keeps the poller out unless it is 0: {@link #SHUT}, and threads that each count themselves. */
    private volatile int barrier;
    /** Threads among them during whose change the device may hold the queue's lock for long. */
    private volatile int holds;
    /** The events that were taken are acknowledged already. Guarded by their lock. */
    private boolean isAcknowledged;

    /** Address of the {@code ibv_cq}, which begins an {@code ibv_cq_ex}, too. */
    final long handle;
    final int fields;
    final Guard guard = new Guard();
    /** Id of the thread that is within a batch, 0 when none is; a thread that reads its own has written it last. */
    long poller;

    VerbsCompletionQueue(
        final DeviceContext device,
        final CompletionQueueOwner owner,
        final long handle,
        final CompletionQueueAttributes attributes,
        final long requestNotify,
        final int slack) {
        super(attributes.context());
        this.device = device;
        this.owner = owner;
        this.handle = handle;
        this.requestNotify = requestNotify;
        this.slack = slack;
        fields = attributes.fields();
        channel = (VerbsChannel) attributes.channel();
        capacity = granted(attributes.capacity());
    }

    /** Entries of the device without those of a batch; a device that has no more than asked for is given no batch's. */
    private int granted(final int asked) {
        return Math.max(asked, UnsafeApi.getInt(handle + ibv_cq.cqe$offset()) - slack);
    }

    @Override
    public final int fields() {
        return fields;
    }

    @Override
    public final int capacity() {
        return isDestroyed ? 0 : capacity;
    }

    @Override
    public final void resize(final int asked) {
        checkNotInBatch("resize");
        resizeGuarded(asked);
    }

    private synchronized void resizeGuarded(final int asked) {
        checkCapacity(asked);
        if (!device.attributes().completionQueueResizing()) {
            throw new VerbsException("ibv_resize_cq", Errno.EOPNOTSUPP,
                "device " + device.name() + " resizes no completion queue: create another one");
        }
        if (isShut()) {
            throw new VerbsException("ibv_resize_cq", Errno.EINVAL, "the completion queue is closed or has overrun");
        }
        final int entries = Math.min(asked + slack, device.attributes().maxCompletionQueueEntries());
        withPlainPosts("ibv_resize_cq", () ->
            device.verbs().resizeCq.check("capacity=" + asked + " instead of " + capacity, handle, entries));
        capacity = granted(asked);
    }

    /** Whether the poller is kept out because the device may hold the queue's lock for long. */
    final boolean isHeld() {
        return holds != 0;
    }

    /**
     * Have the device change what a batch reads. No batch is under way meanwhile, and none begins: who polls is told
     * EBUSY. Some providers would not keep the poller out, others would have it spin for as long as that takes, in a
     * call for which a safepoint waits.
     *
     * @throws VerbsException EBUSY when a thread does not end its batch in time.
     */
    private void withoutPoller(final String call, final Stream<Guard> posts, final Runnable change) {
        BARRIER.getAndAdd(this, 1);
        try {
            Guard.awaitClear(device.environment(), call, "a completion queue",
                Stream.concat(posts, Stream.of(guard)).toArray(Guard[]::new));
            change.run();
        } finally {
            BARRIER.getAndAdd(this, -1);
        }
    }

    /** Change it without the poller where the device may hold a lock that posts take: these are plain, and may wait. */
    private void withPlainPosts(final String call, final Runnable change) {
        HOLDS.getAndAdd(this, 1);
        try {
            owner.choosePosts(this);
            withoutPoller(call, owner.postGuards(this), change);
        } finally {
            HOLDS.getAndAdd(this, -1);
            owner.choosePosts(this);
        }
    }

    /**
     * Have a queue pair destroyed. The device takes its completions out of the queue, from under a batch where the
     * queue is for one thread and has no lock; or polls follow a pointer to the queue pair and take no lock (erdma,
     * qedr).
     */
    final void whileQueuePairGoes(final Runnable destruction) {
        if (device.vendor().locksQueuesInPosts()) {
            withPlainPosts("ibv_destroy_qp", destruction);
        } else {
            withoutPoller("ibv_destroy_qp", Stream.empty(), destruction);
        }
    }

    /**
     * The answer to a poll that begins: OK when the device may be asked for completions, or what the poller is told.
     * Data path, within the guard.
     */
    final int admission() {
        final int why = barrier;
        return why == 0 ? Errno.OK : why < 0 ? Errno.EINVAL : Errno.EBUSY;
    }

    /** Whether the queue is closed, also when the device has refused to destroy it, dead by an overrun, or given up. */
    final boolean isShut() {
        return barrier < 0;
    }

    private void shut() {
        BARRIER.getAndBitwiseOr(this, SHUT);
    }

    /**
     * Refuses a call within a batch, until whose end a provider may hold the queue's lock. Another thread waits for the
     * end; the poller would wait for itself, and does before it takes a lock that the other one may have.
     */
    final void checkNotInBatch(final String what) {
        if (poller == Thread.currentThread().threadId()) {
            throw new IllegalStateException(what + " within a batch: endPoll has not been called");
        }
    }

    private void checkCapacity(final int asked) {
        final int max = device.attributes().maxCompletionQueueEntries();
        if (asked < 1 || asked > max) {
            throw new VerbsException("ibv_resize_cq", Errno.EINVAL, "capacity=" + asked + " is not in 1.." + max);
        }
    }

    @Override
    public final int requestNotify(final boolean solicitedOnly) {
        armGuard.enter();
        try {
            return isShut() ? Errno.EINVAL : requestNotify == 0 ? Errno.OK : arm(solicitedOnly);
        } finally {
            armGuard.leave();
        }
    }

    private int arm(final boolean solicitedOnly) {
        if (!isArmedOnce) {
            return ProviderErrno.of(HotCalls.requestNotify(requestNotify, handle, solicitedOnly ? 1 : 0));
        }
        if (isArmed && !solicitedOnly) {
            return Errno.OK;
        }
        // before the device is asked, which may announce at once
        isArmed |= !solicitedOnly;
        final int result = ProviderErrno.of(HotCalls.requestNotify(requestNotify, handle, solicitedOnly ? 1 : 0));
        if (result != Errno.OK && !solicitedOnly) {
            isArmed = false;
        }
        return result;
    }

    /**
     * Arms the device once for each event, from the beginning on: whoever arms it again before an event was taken does
     * not reach the device, which would not be armed any more by that. It still is, or there is an event, which ends
     * the next wait.
     */
    final void armOnce() {
        isArmedOnce = true;
    }

    /** Notes that an event of this queue was taken from the channel. */
    final void onEvent() {
        isArmed = false;
        unacknowledged.incrementAndGet();
    }

    @Override
    public final void acknowledgeEvents(final int count) {
        synchronized (acknowledgement) {
            final int max = unacknowledged.get();
            if (count < 1 || count > max) {
                throw new IllegalArgumentException(
                    "count=" + count + " is not in 1.." + max + ", the events not acknowledged yet");
            }
            if (!isAcknowledged) {
                HotCalls.acknowledgeEvents(device.verbs().ackCqEvents, handle, count);
            }
            // Last: as long as there are some the queue is not destroyed.
            unacknowledged.addAndGet(-count);
        }
    }

    /** Notes that a queue pair begins to use this queue. */
    final void attach() {
        synchronized (membership) {
            if (isShut()) {
                throw new VerbsException(
                    "ibv_create_qp", Errno.EINVAL, "the completion queue is closed or has overrun");
            }
            users.incrementAndGet();
        }
    }

    final void detach() {
        users.decrementAndGet();
    }

    final DeviceContext device() {
        return device;
    }

    /** Tell a ledger what completes of a queue pair, from before its first request on. */
    final SendLedger keep(final int queuePair, final SendLedger ledger) {
        synchronized (membership) {
            final Int2ObjectHashMap<SendLedger> more =
                ledgers == null ? new Int2ObjectHashMap<>() : new Int2ObjectHashMap<>(ledgers);
            more.put(queuePair, ledger);
            ledgers = more;
            return ledger;
        }
    }

    /** Forgets a queue pair that is gone: another one may get its number. */
    final void forget(final int queuePair) {
        synchronized (membership) {
            if (ledgers != null) {
                final Int2ObjectHashMap<SendLedger> fewer = new Int2ObjectHashMap<>(ledgers);
                fewer.remove(queuePair);
                ledgers = fewer.isEmpty() ? null : fewer;
            }
        }
    }

    /**
     * Whether each completion is to be told. Data path; who asks whether {@link #ledgers()} is null instead pays a
     * nanosecond and a half for each completion.
     */
    final boolean hasLedgers() {
        return ledgers != null;
    }

    /** The ledgers that are told of what the device has now; null for none. Data path. */
    final Int2ObjectHashMap<SendLedger> ledgers() {
        return ledgers;
    }

    /** Settles the completion that is current, which was taken while these ledgers were kept. Data path. */
    static void settle(
        final Int2ObjectHashMap<SendLedger> known, final int queuePair, final int status, final int opcode) {
        final SendLedger ledger = known == null ? null : known.get(queuePair);
        if (ledger != null && status != WorkStatus.SUCCESS) {
            ledger.onFailed();
        } else if (ledger != null && opcode < WorkOpcode.RECV) {
            ledger.onCompleted();
        }
    }

    /** Learns from the device that this queue has overrun, or that it is given up. */
    final void onOverrun() {
        shut();
    }

    @Override
    public final void close() {
        if (!isDestroyed) {
            checkNotInBatch("close");
            closeGuarded(this::leave);
        }
    }

    /** Closes the queue, as the device goes, whatever has been acknowledged of its events. */
    final void release() {
        checkNotInBatch("release");
        closeGuarded(this::leaveAcknowledged);
    }

    private void leaveAcknowledged() {
        synchronized (acknowledgement) {
            if (!isAcknowledged && unacknowledged.get() > 0) {
                HotCalls.acknowledgeEvents(device.verbs().ackCqEvents, handle, unacknowledged.get());
            }
            isAcknowledged = true;
        }
        leave();
    }

    private synchronized void closeGuarded(final Runnable leaving) {
        if (isDestroyed) {
            return;
        }
        if (channel == null) {
            leaving.run();
        } else {
            channel.withoutEvents(leaving);
        }
        Guard.awaitClear(device.environment(), DESTROY_CALL, "a completion queue", guard, armGuard);
        device.destruction().check(device.verbs().destroyCq, "a completion queue stays", handle);
        // Not before: what the device has refused can be repeated, and the device's removal has to find it.
        isDestroyed = true;
        owner.onDestroyed(handle, this);
        device.objects().onDestroyed(DeviceObjects.Kind.COMPLETION_QUEUE);
        if (channel != null) {
            channel.detach();
        }
    }

    /**
     * Leaves the queue out, so that no event finds it any more; refused while the queue is needed. No event is taken or
     * acknowledged meanwhile.
     */
    private void leave() {
        synchronized (membership) {
            refuseWhile(users.get() > 0, users + " queue pair(s) still use it: close them first");
            refuseWhile(!isAcknowledged && unacknowledged.get() != 0,
                unacknowledged + " event(s) are not acknowledged");
            shut();
            isClosing = true;
        }
    }

    /** Whether its close has begun, and was not refused. */
    final boolean isClosing() {
        return isClosing;
    }

    private static void refuseWhile(final boolean condition, final String why) {
        if (condition) {
            throw new VerbsException(DESTROY_CALL, Errno.EBUSY, why);
        }
    }
}

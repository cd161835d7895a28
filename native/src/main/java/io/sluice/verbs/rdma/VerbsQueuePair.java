package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Guard;
import io.sluice.verbs.rdma.generated.ibv_context_ops;
import io.sluice.verbs.rdma.generated.ibv_qp;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;

/**
 * The life, states and receives of a queue pair, which all types have in common. The state is kept here, because asking
 * the device is a system call: own transitions change it, and the device's duties notice when it has failed.
 */
abstract class VerbsQueuePair extends QueuePair {
    /**
     * The time in nanoseconds that a failure waits for posts: a critical one takes far less than a microsecond, and
     * longer only on a thread that has lost its core. Who fails a queue pair serves others, too, and does not wait for
     * that; in a cycle of duties so long for all that fail.
     */
    static final long FAIL_PATIENCE_NS = 2_000_000L;
    /** Time between two looks whether a transition has ended. */
    private static final long PARK_NS = 50_000;

    private final DeviceContext device;
    private final QueuePairOwner owner;
    /** Drain by which it is destroyed; null when nothing is to be heeded. */
    private final QueuePairDrain drain;
    private final long handle;
    private final int number;
    private final QueuePairAttributes attributes;
    private final QueuePairQueues queues;
    private final ReceiveWork receives;
    private final Guard receiveGuard = new Guard();
    private final Object postsChoice = new Object();
    private volatile QueuePairState state = QueuePairState.RESET;
    private volatile boolean canSend;
    /** Whether receives can be posted here. */
    private volatile boolean canReceive;
    /** Lock held in a transition, which may block; never on the data path, and not while the device destroys it. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Lock held in a close, which takes seconds on some devices; before the other lock. */
    private final ReentrantLock closing = new ReentrantLock();
    /** Whether the queue pair is closed, set under the lock. */
    private volatile boolean isClosed;
    /**
     * Whether somebody was to fail the queue pair, and has not waited for the end of a transition, which does it then.
     * Never taken back.
     */
    private volatile boolean isFailLeft;
    private volatile boolean isFatal;
    private volatile boolean hasWorkFailed;
    /** Whether the queue pair is failing, set under the lock. */
    private volatile boolean isFailing;
    /**
     * Whether posts have been plain since before the last fence. Of the device's duties, but read by who chooses posts.
     */
    private volatile boolean isPrepared;
    /** Port and address of this side, as they were when it was made ready last; written under the lock. */
    private volatile VerbsPort port;
    /** Whether the queue pair is destroyed; set under the lock of closing. */
    private volatile boolean isDestroyed;

    final QueuePairTransitions transitions;
    /** Number of its first packet. */
    final int packetNumber;
    /** The guard that is entered by the thread that posts sends. */
    final Guard sendGuard = new Guard();

    VerbsQueuePair(
        final DeviceContext device,
        final QueuePairOwner owner,
        final QueuePairDrain drain,
        final long handle,
        final QueuePairAttributes attributes,
        final QueuePairQueues queues) {
        this.device = device;
        this.owner = owner;
        this.drain = drain;
        this.handle = handle;
        this.attributes = attributes;
        this.queues = queues;
        number = UnsafeApi.getInt(handle + ibv_qp.qp_num$offset());
        packetNumber = (int) device.environment().randomLong() & 0xff_ffff;
        port = device.ports().last();
        transitions = new QueuePairTransitions(device, handle, attributes);
        receives = new ReceiveWork(
            device.operation(ibv_context_ops.post_recv$offset()), handle, attributes.maxReceiveWork(),
            device.posting().areAllPlain());
    }

    final long handle() {
        return handle;
    }

    final DeviceContext device() {
        return device;
    }

    /** Whether its close has begun. */
    final boolean isClosed() {
        return isClosed;
    }

    final VerbsPort port() {
        return port;
    }

    /** Reads, in a transition, what its address in the device's tables is now. */
    final VerbsPort refreshPort() {
        port = device.ports().now(attributes.sourceAddress());
        return port;
    }

    /** Takes, in a transition, what the connection manager has chosen. */
    final void takePort(final VerbsPort chosen) {
        port = chosen;
    }

    final boolean uses(final CompletionQueue queue) {
        return queues.send() == queue || queues.receive() == queue;
    }

    /** Whether sends can be posted. Data path, within the guard of sends. */
    final boolean canSend() {
        return canSend;
    }

    @Override
    public final int number() {
        return number;
    }

    @Override
    public final QueuePairState state() {
        return state;
    }

    @Override
    public final QueuePairAttributes attributes() {
        return attributes;
    }

    final void initialise(final Runnable transition) {
        lock.lock();
        try {
            require(QueuePairState.RESET, QueuePairState.INIT);
            transition.run();
            // what has begun with a completion queue before this was among the device's
            choosePosts();
            state = QueuePairState.INIT;
            canReceive = queues.shared() == null;
        } finally {
            unlock();
        }
    }

    final void readyToReceive(final Runnable transition) {
        lock.lock();
        try {
            require(QueuePairState.INIT, QueuePairState.READY_TO_RECEIVE);
            transition.run();
            state = QueuePairState.READY_TO_RECEIVE;
        } finally {
            unlock();
        }
    }

    final void readyToSend(final QueuePairState from, final Runnable transition) {
        lock.lock();
        try {
            require(from, QueuePairState.READY_TO_SEND);
            transition.run();
            state = QueuePairState.READY_TO_SEND;
            canSend = true;
        } finally {
            unlock();
        }
    }

    final void requireInit(final String call) {
        lock.lock();
        try {
            if (isClosed || isFailLeft || state != QueuePairState.INIT) {
                throw new VerbsException(call, Errno.EINVAL, "the queue pair is " + describe() + ", not INIT");
            }
        } finally {
            unlock();
        }
    }

    private void require(final QueuePairState from, final QueuePairState to) {
        if (isClosed || isFailLeft || state != from) {
            throw new VerbsException(
                "ibv_modify_qp", Errno.EINVAL, describe() + " to " + to + " is no transition");
        }
    }

    private String describe() {
        return isClosed ? "closed" : isFailLeft ? "failed" : state.toString();
    }

    /** Moves from RESET to INIT, on the way to ERROR, which cannot be reached from RESET. */
    abstract void leaveReset();

    /** Posts by plain calls from now on, or as suits the device. */
    abstract void postSendsPlainly(boolean isPlain);

    /**
     * Have posts be plain calls, for which no safepoint waits, as long as they may wait themselves: in the ERROR state
     * a post is a system call on some devices, and while a completion queue is resized, or a queue pair of it
     * destroyed, some hold its lock, which a post takes.
     */
    final void choosePosts() {
        synchronized (postsChoice) {
            final boolean isPlain = isFailing || isPrepared || state == QueuePairState.ERROR || queues.send().isHeld()
                || queues.receive().isHeld();
            receives.postPlainly(isPlain);
            postSendsPlainly(isPlain);
        }
    }

    /** The guards that are entered in posts. */
    final Stream<Guard> postGuards() {
        return Stream.of(sendGuard, receiveGuard);
    }

    @Override
    public final void fail() {
        final long deadlineNs = device.environment().nanoTime() + FAIL_PATIENCE_NS;
        if (lockOrLeave(deadlineNs)) {
            try {
                failLocked(deadlineNs);
            } finally {
                unlock();
            }
        }
    }

    /** Whether the lock is had; else whoever has it fails the queue pair. An agent that must not block comes here. */
    private boolean lockOrLeave(final long deadlineNs) {
        while (!lock.tryLock()) {
            if (device.environment().nanoTime() - deadlineNs >= 0) {
                isFailLeft = true;
                // who has had it may have looked before
                return lock.tryLock();
            }
            device.environment().park(PARK_NS);
        }
        return true;
    }

    /** Give the lock back, and do what was left to its holder; no other transition has begun meanwhile. */
    private void unlock() {
        lock.unlock();
        if (isFailLeft && lock.tryLock()) {
            try {
                failLocked(device.environment().nanoTime() + FAIL_PATIENCE_NS);
            } catch (final VerbsException e) {
                // The device's duties try it again, and tell why it refuses.
                owner.onSuspect();
            } finally {
                lock.unlock();
            }
        }
    }

    private void failLocked(final long deadlineNs) {
        failLocked(deadlineNs, false);
    }

    private void failLocked(final long deadlineNs, final boolean isFenced) {
        if (isClosed || state == QueuePairState.ERROR) {
            return;
        }
        changePlainly(deadlineNs, isFenced, () -> {
            if (state == QueuePairState.RESET) {
                leaveReset();
            }
            transitions.fail();
            return true;
        });
    }

    /**
     * Have the library know that the queue pair has failed, which makes a post a system call on some devices.
     *
     * @param deadlineNs no longer is waited for threads that post.
     * @param isFenced   whether posts have been plain since before a fence.
     * @param change     true when it knows.
     */
    private boolean changePlainly(final long deadlineNs, final boolean isFenced, final BooleanSupplier change) {
        boolean isKnown = false;
        isFailing = true;
        try {
            awaitPlainPosts(deadlineNs, isFenced);
            isKnown = change.getAsBoolean();
        } catch (final VerbsException e) {
            // the kernel may have taken it already, and it is closed with the device; or the device has told so itself
            isKnown = isFatal || device.presence().isUnderWay();
            if (!device.presence().isUnderWay()) {
                throw e;
            }
        } finally {
            if (isKnown) {
                onFailed();
            } else {
                isFailing = false;
                choosePosts();
            }
        }
        return isKnown;
    }

    /**
     * Waits, before the state changes, for posts that are not plain to come back, since a post enters the kernel from
     * then on, and a safepoint waits for one that is critical. A thread that stays inside one is no reason to let the
     * queue pair go on, nor to hold up who fails it: an agent that must not block. Nobody waits for plain posts, which
     * may be system calls.
     */
    private void awaitPlainPosts(final long deadlineNs, final boolean isFenced) {
        choosePosts();
        final PostingChoice posting = device.posting();
        if (!posting.areAllPlain()) {
            final Guard[] guards =
                posting.areSendsPlain() ? new Guard[] {receiveGuard} : new Guard[] {sendGuard, receiveGuard};
            final long timeoutNs = deadlineNs - device.environment().nanoTime();
            if (isFenced) {
                Guard.isClearSinceFence(device.environment(), timeoutNs, guards);
            } else {
                Guard.isClearWithin(device.environment(), timeoutNs, guards);
            }
        }
    }

    private void onFailed() {
        state = QueuePairState.ERROR;
        onSendsFailed();
        choosePosts();
        // What is posted from now on is flushed by the device.
        canReceive = queues.shared() == null;
        canSend = true;
    }

    /** Notes that the state is ERROR from now on. */
    void onSendsFailed() {
        // Nothing more than what all have in common.
    }

    /** Learns from the device that the queue pair is in the ERROR state: the next examination takes that as given. */
    final void onFatalEvent() {
        isFatal = true;
    }

    /**
     * Learns from a completion with an error that work of the queue pair has failed. The device is the better one to
     * ask, since the completion may be of an earlier queue pair with the same number; but not every device can be.
     */
    final void onFailedWork() {
        hasWorkFailed = true;
    }

    /**
     * Whether there is a reason to ask it soon: the device has said that it has failed, a queue of it has overrun, it
     * is to be failed and was not, or work of it has failed since it was asked last.
     */
    final boolean isSuspect() {
        return state != QueuePairState.ERROR && (isFatal || isFailLeft || hasShutQueue())
            || state == QueuePairState.READY_TO_SEND && hasWorkFailed;
    }

    private boolean hasShutQueue() {
        return queues.send().isShut() || queues.receive().isShut();
    }

    /** Whether the queue pair is in the ERROR state when work of it has failed. */
    abstract boolean failsWithWork();

    /**
     * Device's duty, before some are examined: where a post of this one must not be critical then, it is plain from now
     * on. A fence stops every thread of the JVM and takes as long as the question (20 µs with 4 threads on two cores,
     * 65 with 50): there is one for all of them.
     *
     * @return true when all threads have to pass a fence before {@link #examine}.
     */
    final boolean prepare() {
        final boolean isChange = isFailLeft || isFailureSaid() || hasShutQueue() || device.posting().whenFailed();
        if (isChange && state != QueuePairState.ERROR && !device.posting().areAllPlain()) {
            isPrepared = true;
            choosePosts();
        }
        return isPrepared;
    }

    /** Device's duty, after that: ends the examination. */
    final void endExamination() {
        if (isPrepared) {
            isPrepared = false;
            choosePosts();
        }
    }

    private boolean isFailureSaid() {
        return isFatal || hasWorkFailed && failsWithWork();
    }

    /**
     * Device's duty: 1 when the device has moved it to the ERROR state by itself, or a completion queue of it has
     * overrun and it is moved there now. One in transition is left to the next time: a peer's address may take a second
     * to be found, and the duties of all others do not wait for it.
     *
     * @param patienceEndNs no longer is waited for threads that post.
     */
    final int examine(final long patienceEndNs) {
        if (state == QueuePairState.ERROR || !lock.tryLock()) {
            return 0;
        }
        try {
            if (isClosed || state == QueuePairState.ERROR) {
                return 0;
            }
            if (isFailLeft || hasShutQueue()) {
                failLocked(patienceEndNs, isPrepared);
                return 1;
            }
            return hasFailed(patienceEndNs) ? 1 : 0;
        } finally {
            unlock();
        }
    }

    /**
     * Finds out whether the device has failed the queue pair. The library keeps what a query tells, and flushes what is
     * posted to a failed queue pair on some devices only when it knows: so it is asked, or told, also when an event has
     * said it.
     */
    private boolean hasFailed(final long patienceEndNs) {
        final boolean isSaid = isFailureSaid();
        // not after the answer: work that fails meanwhile is a reason to ask again
        hasWorkFailed = false;
        final BooleanSupplier question = () -> transitions.hasFailed(isFatal, isSaid);
        if (isSaid || device.posting().whenFailed()) {
            return changePlainly(patienceEndNs, isPrepared, question);
        }
        final boolean hasFailed = question.getAsBoolean();
        if (hasFailed) {
            onFailed();
        }
        return hasFailed;
    }

    @Override
    public final int postReceive(
        final long workRequestId, final long address, final int localKey, final int length) {
        receiveGuard.enter();
        try {
            return canReceive ? receives.post(workRequestId, address, localKey, length) : Errno.EINVAL;
        } finally {
            receiveGuard.leave();
        }
    }

    @Override
    public final int postReceives(final long workRequestId, final int count) {
        receiveGuard.enter();
        try {
            return canReceive ? receives.postMany(workRequestId, count) : Errno.EINVAL;
        } finally {
            receiveGuard.leave();
        }
    }

    @Override
    public final void close() {
        if (isDestroyed) {
            return;
        }
        queues.checkNotInBatch(number);
        closing.lock();
        try {
            if (!isDestroyed) {
                markClosed();
                destroy();
            }
        } finally {
            closing.unlock();
        }
    }

    /** Marks it closed: no transition begins, and none is under way. */
    private void markClosed() {
        lock.lock();
        try {
            isClosed = true;
            canSend = false;
            canReceive = false;
            state = QueuePairState.ERROR;
        } finally {
            unlock();
        }
    }

    /**
     * Destroys the queue pair, which takes its time, as {@link #fail()} does not: threads that never block call it,
     * with other connections' lock.
     */
    private void destroy() {
        // When this or the next fails it completes where it did, and can be closed again.
        Guard.awaitClear(device.environment(), "ibv_destroy_qp", "queue pair " + number, sendGuard, receiveGuard);
        onReleased();
        // before another one may have its number
        queues.forget(number);
        final Runnable destruction = () ->
            device.destruction().check(device.verbs().destroyQp, "queue pair " + number + " stays", handle);
        if (drain == null) {
            queues.whileQueuePairGoes(destruction);
        } else {
            drain.destroy(number, queues, transitions, destruction);
        }
        isDestroyed = true;
        // not before: the device's removal has to find what a thread is inside of, or was refused
        owner.onDestroyed(handle, this);
        device.objects().onDestroyed(DeviceObjects.Kind.QUEUE_PAIR);
        queues.detach();
    }

    /** Notes that no thread is inside a post, and none will be. */
    void onReleased() {
        // Nothing more than what all have in common.
    }
}

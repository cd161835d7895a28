package io.sluice.samples.selftest;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import java.util.EnumSet;
import java.util.Set;
import org.agrona.CloseHelper;

/**
 * Two queue pairs of one device: what the first sends arrives at the second. Closes what it has made, not the device.
 * One thread, but for {@link CompletionQueue#resize} and {@link QueuePair#close}.
 */
abstract class Loop implements AutoCloseable {
    /** Sends and receives of each queue pair, unless more are asked for. */
    static final int WORK = 64;
    /** Bytes of each region. */
    static final int LENGTH = 1 << 16;
    /** The time limit in nanoseconds: far more than anything here takes, on a software device too. */
    static final long TIMEOUT_NS = 10_000_000_000L;

    private static final int FIELDS =
        CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE | CompletionField.QUEUE_PAIR_NUMBER;

    final RdmaDevice device;
    final LoopOptions options;
    ProtectionDomain domain;
    /** Completions of the first queue pair's sends. */
    CompletionQueue sends;
    /** Completions of the second queue pair's receives. */
    CompletionQueue receives;
    /** Completions of the second queue pair's sends and the first one's receives. */
    CompletionQueue returns;
    MemoryRegion source;
    MemoryRegion target;
    /** Events that the device has told of since. */
    final Set<AsyncEventType> events = EnumSet.noneOf(AsyncEventType.class);
    /** Made by {@link #connect}. */
    QueuePair first;
    QueuePair second;

    private final AsyncEventHandler handler = new AsyncEventHandler() {
        @Override
        public void onAsyncEvent(
            final AsyncEventType type, final CompletionQueue completionQueue, final QueuePair queuePair) {
            events.add(type);
        }

        @Override
        public void onSharedReceiveQueueEvent(final AsyncEventType type, final SharedReceiveQueue queue) {
            events.add(type);
        }
    };

    /** A loop of which nothing is made yet. */
    Loop(final RdmaDevice device, final LoopOptions options) {
        this.device = device;
        this.options = options;
    }

    /** Make queues and regions. */
    final void prepare() {
        domain = device.allocateProtectionDomain();
        sends = queue(options.capacity(), options.flags(), options.channel());
        receives = queue(2 * WORK, 0, options.channel());
        returns = queue(2 * WORK, 0, null);
        source = domain.allocateRegion(LENGTH, AccessFlags.LOCAL_WRITE);
        target = domain.allocateRegion(
            LENGTH, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | options.remoteAccess());
    }

    private CompletionQueue queue(final int capacity, final int flags, final CompletionChannel channel) {
        return device.createCompletionQueue(
            new CompletionQueueAttributes(capacity, FIELDS, channel).withFlags(flags));
    }

    /** A loop whose queue pairs are ready, or nothing of it. */
    static <T extends Loop> T connected(final T loop) {
        try {
            loop.prepare();
            loop.connect();
            return loop;
        } catch (final RuntimeException e) {
            CloseHelper.close(e::addSuppressed, loop);
            throw e;
        }
    }

    /** Make the queue pairs, and make them ready. */
    abstract void connect();

    /** Post receives for as many messages. */
    abstract void expect(int count);

    /** Send a range with a number, which is its immediate data and its id too; {@link Errno#ENOMEM} when full. */
    abstract int send(int flags, int offset, int length, int number);

    /** Send a range, which the device must take. */
    final void sendSignalled(final int offset, final int length, final int number) {
        require("ibv_post_send", send(WorkFlags.SIGNALED, offset, length, number));
    }

    /** Fail unless a call has succeeded. */
    static void require(final String call, final int errno) {
        if (errno != Errno.OK) {
            throw new CheckFailure(call + ": " + Errno.describe(errno));
        }
    }

    /** Listener for each completion. */
    @FunctionalInterface
    interface Completions {
        /** Learns of a success. */
        void onCompletion(CompletionQueue queue);
    }

    /** Take so many completions, each of which must be a success. */
    final void take(final CompletionQueue queue, final int count, final Completions handler) {
        final int taken = takeWithin(queue, count, TIMEOUT_NS, handler);
        if (taken != count) {
            throw new CheckFailure("completions=" + taken + " of " + count + " in 10 s");
        }
    }

    /** Take so many completions or those that there are within a time, and tell how many. */
    final int takeWithin(
        final CompletionQueue queue, final int count, final long timeoutNs, final Completions handler) {
        int taken = 0;
        final long startNs = System.nanoTime();
        while (taken < count && System.nanoTime() - startNs <= timeoutNs) {
            taken += poll(queue, count - taken, handler);
        }
        return taken;
    }

    /** Fail when there is a completion. */
    final void requireEmpty(final CompletionQueue queue) {
        poll(queue, 1, more -> {
            throw new CheckFailure("a completion too much, with the id " + more.workRequestId());
        });
    }

    /** Take one completion of a queue pair's work. */
    final void takeOne(final CompletionQueue queue, final QueuePair queuePair, final int opcode) {
        take(queue, 1, completion -> requireOf(completion, queuePair, opcode));
    }

    /** Fail unless the current completion is of a queue pair's work. */
    static void requireOf(final CompletionQueue queue, final QueuePair queuePair, final int opcode) {
        if (queue.opcode() != opcode || queue.queuePairNumber() != queuePair.number()) {
            throw new CheckFailure("a completion of " + WorkOpcode.name(queue.opcode()) + " of queue pair "
                + queue.queuePairNumber() + " where one of " + WorkOpcode.name(opcode) + " of queue pair "
                + queuePair.number() + " is due");
        }
    }

    /** One batch. */
    final int poll(final CompletionQueue queue, final int limit, final Completions handler) {
        final int start = queue.startPoll();
        if (start == Errno.ENOENT || start == Errno.EBUSY) {
            duties();
            return 0;
        }
        require("ibv_start_poll", start);
        int taken = 0;
        int status;
        try {
            do {
                status = queue.status();
                if (status == WorkStatus.SUCCESS) {
                    handler.onCompletion(queue);
                }
            } while (status == WorkStatus.SUCCESS && ++taken < limit && queue.nextPoll() == Errno.OK);
        } finally {
            // also when the handler finds something wrong: nothing closes within a batch
            queue.endPoll();
        }
        if (status != WorkStatus.SUCCESS) {
            throw new CheckFailure("a completion failed: " + WorkStatus.name(status));
        }
        return taken;
    }

    /** Does the device's duties: events and states. */
    final void duties() {
        device.poll(handler);
    }

    /** Fill the source, different for each seed. */
    final void fill(final int offset, final int length, final int seed) {
        fill(source, offset, length, seed);
    }

    static void fill(final MemoryRegion region, final int offset, final int length, final int seed) {
        for (int i = 0; i < length; i++) {
            region.buffer().putByte(offset + i, pattern(seed, i));
        }
    }

    /** Fail unless the target has what the source was filled with. */
    final void checkArrived(final int offset, final int length, final int seed) {
        checkArrived(target, offset, length, seed);
    }

    static void checkArrived(final MemoryRegion region, final int offset, final int length, final int seed) {
        for (int i = 0; i < length; i++) {
            if (region.buffer().getByte(offset + i) != pattern(seed, i)) {
                throw new CheckFailure("other bytes have arrived than were posted: message=" + seed + " byte=" + i
                    + " of " + length);
            }
        }
    }

    private static byte pattern(final int seed, final int index) {
        return (byte) (31 * seed + 7 * index + 1);
    }

    @Override
    public void close() {
        CloseHelper.closeAll(first, second, source, target, sends, receives, returns, domain);
    }
}

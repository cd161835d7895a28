package io.sluice.samples.selftest;

import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import java.util.EnumSet;
import java.util.Set;
import org.agrona.CloseHelper;

/**
 * Two connected queue pairs of one device: what the first sends or writes arrives at the second. Closes what it has
 * made, not the device. One thread, but for {@link CompletionQueue#resize} and {@link QueuePair#close}.
 */
final class Loop implements AutoCloseable {
    /** Sends and receives of each queue pair. */
    static final int WORK = 64;
    /** Bytes of each region. */
    static final int LENGTH = 1 << 16;
    /** Far more than anything here takes, on a software device too. */
    static final long TIMEOUT_NS = 10_000_000_000L;

    private static final int RNR_TIMER_640_US = 12;
    private static final int RETRIES = 7;
    private static final int ACK_TIMEOUT_67_MS = 14;
    private static final int FIELDS = CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE;

    final RdmaDevice device;
    final ProtectionDomain domain;
    final CompletionQueue sends;
    final CompletionQueue receives;
    final CompletionQueue returns;
    final QueuePair first;
    final QueuePair second;
    final MemoryRegion source;
    final MemoryRegion target;
    /** Events that the device has told of since. */
    final Set<AsyncEventType> events = EnumSet.noneOf(AsyncEventType.class);

    /**
     * A loop with queues of a capacity.
     *
     * @param capacity of the queue of sends.
     */
    Loop(final RdmaDevice device, final int capacity) {
        this.device = device;
        domain = device.allocateProtectionDomain();
        sends = queue(capacity);
        receives = queue(2 * WORK);
        returns = queue(2 * WORK);
        source = domain.allocateRegion(LENGTH, AccessFlags.LOCAL_WRITE);
        target = domain.allocateRegion(LENGTH, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        first = queuePair(sends, returns);
        second = queuePair(returns, receives);
        first.initialise(AccessFlags.LOCAL_WRITE);
        second.initialise(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        first.readyToReceive(second.localAddress());
        second.readyToReceive(first.localAddress());
        first.readyToSend();
        second.readyToSend();
    }

    private CompletionQueue queue(final int capacity) {
        return device.createCompletionQueue(new CompletionQueueAttributes(capacity, FIELDS, null));
    }

    private QueuePair queuePair(final CompletionQueue sendQueue, final CompletionQueue receiveQueue) {
        return domain.createQueuePair(new QueuePairAttributes(sendQueue, receiveQueue, WORK, WORK,
            device.attributes().maxInlineData(), RETRIES, RNR_TIMER_640_US, RETRIES, ACK_TIMEOUT_67_MS));
    }

    /** Post receives for as many writes with immediate data. */
    void expectWrites(final int count) {
        require("ibv_post_recv", second.postReceives(0, count));
    }

    /** Write a range to the same place of the target, with an immediate number, or {@link Errno#ENOMEM}. */
    int write(final int flags, final int offset, final int length, final int immediate) {
        return first.postWriteWithImmediate(immediate, flags, source.address() + offset, source.localKey(), length,
            target.address() + offset, target.remoteKey(), immediate);
    }

    /** Write a range, which the device must take. */
    void writeSignalled(final int offset, final int length, final int immediate) {
        require("ibv_post_send", write(WorkFlags.SIGNALED, offset, length, immediate));
    }

    /** Fail unless a call has succeeded. */
    static void require(final String call, final int errno) {
        if (errno != Errno.OK) {
            throw new CheckFailure(call + ": " + Errno.describe(errno));
        }
    }

    /** Told of each completion. */
    @FunctionalInterface
    interface Completions {
        /** A success. */
        void onCompletion(CompletionQueue queue);
    }

    /** Take so many completions, each of which must be a success. */
    void take(final CompletionQueue queue, final int count, final Completions handler) {
        int taken = 0;
        final long startNs = System.nanoTime();
        while (taken < count) {
            taken += poll(queue, count - taken, handler);
            if (System.nanoTime() - startNs > TIMEOUT_NS) {
                throw new CheckFailure("completions=" + taken + " of " + count + " in 10 s");
            }
        }
    }

    /** One batch. */
    int poll(final CompletionQueue queue, final int limit, final Completions handler) {
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

    /** The device's events and states. */
    void duties() {
        device.poll((type, queue, queuePair) -> events.add(type));
    }

    /** Fill the source, different for each seed. */
    void fill(final int offset, final int length, final int seed) {
        for (int i = 0; i < length; i++) {
            source.buffer().putByte(offset + i, pattern(seed, i));
        }
    }

    /** Fail unless the target has what the source was filled with. */
    void checkArrived(final int offset, final int length, final int seed) {
        for (int i = 0; i < length; i++) {
            if (target.buffer().getByte(offset + i) != pattern(seed, i)) {
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

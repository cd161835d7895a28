package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_wc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/**
 * Completions that were taken out of the library's queue ahead of its poller, which gets them first and in order. One
 * thread at a time: the poller, within its guard, or who keeps it out.
 */
final class SetAside {
    static final long RECORD_LENGTH = ibv_wc.layout().byteSize();
    /** The number of completions that one call takes. */
    private static final int BATCH = 16;
    private static final long WR_ID = ibv_wc.wr_id$offset();
    private static final long QP_NUM = ibv_wc.qp_num$offset();

    private final long pollCq;
    private final long queue;
    /** Most completions set aside: a queue that has room for what can come never has more. */
    private final int limit;
    private MemorySegment memory = Arena.ofAuto().allocate(2 * BATCH * RECORD_LENGTH, Long.BYTES);
    /** Index of the first one there is, and behind the last. */
    private int first;
    private int end;
    /** Markers of an attempt that was refused may come yet. */
    private boolean awaitsMarkers;

    SetAside(final long pollCq, final long queue, final int limit) {
        this.pollCq = pollCq;
        this.queue = queue;
        this.limit = limit;
    }

    /**
     * Take all that the library has, but for that of a queue pair that goes, which goes with it.
     *
     * @param queuePair number of that one.
     * @param markers   what its markers are known by.
     * @param marker    request id of those that are awaited.
     * @return how many of these have come.
     * @throws VerbsException EBUSY when there is no more room before the poller has taken some.
     */
    int take(final int queuePair, final DrainMarkers markers, final long marker) {
        int found = 0;
        int taken = BATCH;
        while (taken == BATCH) {
            reserve();
            final long records = address(end);
            taken = HotCalls.pollCqBlocking(pollCq, queue, BATCH, records);
            if (taken < 0) {
                throw new VerbsException("ibv_poll_cq", ProviderErrno.EIO, "the completion queue does not answer");
            }
            for (int i = 0; i < taken; i++) {
                final long record = records + i * RECORD_LENGTH;
                final long id = UnsafeApi.getLong(record + WR_ID);
                final boolean isOwn = UnsafeApi.getInt(record + QP_NUM) == queuePair;
                if (isOwn && id == marker) {
                    found++;
                }
                if (!isOwn && !markers.isOne(id)) {
                    UnsafeApi.copyMemory(record, address(end), RECORD_LENGTH);
                    end++;
                }
            }
        }
        return found;
    }

    private long address(final int index) {
        return memory.address() + index * RECORD_LENGTH;
    }

    /** Makes room for one call more. */
    private void reserve() {
        if (end - first > limit) {
            throw new VerbsException("ibv_destroy_qp", Errno.EBUSY, "the queue pair stays: " + (end - first)
                + " completions of others wait to be polled, and the completion queue is for " + limit
                + "; poll, and try again after that");
        }
        if ((end + BATCH) * RECORD_LENGTH <= memory.byteSize()) {
            return;
        }
        final MemorySegment larger =
            Arena.ofAuto().allocate(2 * (end - first + BATCH) * RECORD_LENGTH, Long.BYTES);
        UnsafeApi.copyMemory(address(first), larger.address(), (end - first) * RECORD_LENGTH);
        memory = larger;
        end -= first;
        first = 0;
    }

    /** Forgets the completions of a queue pair, those that were set aside for an earlier one, too. */
    void forget(final int queuePair) {
        final int old = end;
        end = first;
        for (int i = first; i < old; i++) {
            if (UnsafeApi.getInt(address(i) + QP_NUM) != queuePair) {
                UnsafeApi.copyMemory(address(i), address(end), RECORD_LENGTH);
                end++;
            }
        }
    }

    /** Keeps a marker that comes from the poller from now on. */
    void awaitMarkers() {
        awaitsMarkers = true;
    }

    /** Whether the poller need not look here any more. */
    boolean isOver() {
        return first == end && !awaitsMarkers;
    }

    /**
     * Data path: give the poller what is set aside, then what the library has. A batch that is not full says that there
     * is no more, so the records are filled as long as there is something.
     *
     * @return completions written, or negative on an error.
     */
    int hand(final DrainMarkers markers, final long records, final int capacity, final boolean isPlain) {
        int handed = Math.min(capacity, end - first);
        UnsafeApi.copyMemory(address(first), records, handed * RECORD_LENGTH);
        first += handed;
        while (handed < capacity) {
            final int asked = capacity - handed;
            final long free = records + handed * RECORD_LENGTH;
            final int taken = isPlain ? HotCalls.pollCqBlocking(pollCq, queue, asked, free)
                : HotCalls.pollCq(pollCq, queue, asked, free);
            if (taken < 0) {
                return handed == 0 ? taken : handed;
            }
            handed += withoutMarkers(markers, free, taken);
            if (taken < asked) {
                break;
            }
        }
        return handed;
    }

    private static int withoutMarkers(final DrainMarkers markers, final long records, final int taken) {
        int kept = 0;
        for (int i = 0; i < taken; i++) {
            final long record = records + i * RECORD_LENGTH;
            if (!markers.isOne(UnsafeApi.getLong(record + WR_ID))) {
                UnsafeApi.copyMemory(record, records + kept * RECORD_LENGTH, RECORD_LENGTH);
                kept++;
            }
        }
        return kept;
    }
}

package io.sluice.perf.drain;

import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import java.util.List;

/**
 * A case that is measured: an interface, what is read of each completion, and how the calls are linked. Stateless; the
 * loops are those of {@code drain.c}.
 */
public enum DrainCase {
    /** {@code ibv_poll_cq}, 16 at a time; id, status and immediate data are loads. */
    LEGACY("legacy", "drain_legacy", false, true),
    /** {@code ibv_cq_ex}: next and the immediate data are calls, which is what the transport needs. */
    EXTENDED("extended", "drain_extended", true, true),
    /** {@code ibv_cq_ex} with four readers: five calls for each completion. */
    EXTENDED_FIVE("extended-five", "drain_five", true, true) {
        @Override
        public long drain(final CompletionQueue queue, final long count) {
            return drainFive(queue, count);
        }
    },
    /** The case {@link #LEGACY} without critical calls. */
    LEGACY_PLAIN("legacy-plain", "drain_legacy", false, false),
    /** The case {@link #EXTENDED} without critical calls. */
    EXTENDED_PLAIN("extended-plain", "drain_extended", true, false);

    private final String label;
    private final String function;
    private final boolean isExtended;
    private final boolean isCritical;

    DrainCase(final String label, final String function, final boolean isExtended, final boolean isCritical) {
        this.label = label;
        this.function = function;
        this.isExtended = isExtended;
        this.isCritical = isCritical;
    }

    /**
     * The name on command lines and in tables.
     *
     * @return the label.
     */
    public String label() {
        return label;
    }

    /** The C function that drains in the same way. */
    String function() {
        return function;
    }

    /** The C function that polls an empty queue. */
    String lookFunction() {
        return isExtended ? "look_extended" : "look_legacy";
    }

    boolean isExtended() {
        return isExtended;
    }

    /** The flags of a JVM that measures this case. */
    List<String> jvmFlags() {
        return isCritical ? List.of() : List.of("-Dsluice.verbs.critical=false");
    }

    /**
     * Drain at least so many completions.
     *
     * @param queue to drain.
     * @param count of completions.
     * @return the sum of what was read.
     */
    public long drain(final CompletionQueue queue, final long count) {
        return drainImmediates(queue, count);
    }

    private static long drainImmediates(final CompletionQueue queue, final long count) {
        long sum = 0;
        long drained = 0;
        while (drained < count) {
            if (queue.startPoll() == Errno.OK) {
                do {
                    if (queue.status() == WorkStatus.SUCCESS) {
                        sum += queue.workRequestId() + Integer.toUnsignedLong(queue.immediateData());
                    }
                    drained++;
                } while (queue.nextPoll() == Errno.OK);
                queue.endPoll();
            }
        }
        return sum;
    }

    private static long drainFive(final CompletionQueue queue, final long count) {
        long sum = 0;
        long drained = 0;
        while (drained < count) {
            if (queue.startPoll() == Errno.OK) {
                do {
                    if (queue.status() == WorkStatus.SUCCESS) {
                        sum += queue.workRequestId() + Integer.toUnsignedLong(queue.immediateData()) + queue.opcode()
                            + queue.byteLength() + queue.flags();
                    }
                    drained++;
                } while (queue.nextPoll() == Errno.OK);
                queue.endPoll();
            }
        }
        return sum;
    }

    /**
     * Poll an empty queue.
     *
     * @param queue to poll.
     * @param count of polls.
     * @return how often it was empty.
     */
    static long look(final CompletionQueue queue, final long count) {
        long empty = 0;
        for (long i = 0; i < count; i++) {
            empty += queue.startPoll() == Errno.ENOENT ? 1 : 0;
        }
        return empty;
    }
}

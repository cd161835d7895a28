package io.sluice.verbs.rdma;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.LibraryVersion;

/**
 * The completion interface that a device gets, and the reason.
 *
 * @param chosen {@link CompletionInterface#EXTENDED} or {@link CompletionInterface#LEGACY}.
 * @param reason for people to read.
 */
record CompletionChoice(CompletionInterface chosen, String reason) {
    /** Release before which soft-RoCE's {@code next_poll} and {@code end_poll} both pass over the last completion. */
    private static final int SOFT_ROCE_REPAIRED = 55;

    /**
     * Decide which completion interface a device gets. Extended queues are polled with Java between the start and the
     * end of a batch. A lock that is held there must be none that another call takes: a post to a full queue, or a
     * close, would wait for a thread that may stand at a safepoint, and the whole process with it.
     *
     * @param asked       what the user wants.
     * @param isSoftRoce  whether the device is rdma_rxe's, whose other calls do not take the lock of a batch.
     * @param version     of rdma-core.
     * @param hasExtended whether the device can create extended queues.
     * @param hasLockFree whether those for one thread ({@code IBV_CREATE_CQ_ATTR_SINGLE_THREADED}) have no lock.
     * @throws VerbsException EOPNOTSUPP when an extended interface is asked for that the device does not have, or
     *                        that does not work.
     */
    static CompletionChoice of(
        final CompletionInterface asked,
        final boolean isSoftRoce,
        final LibraryVersion version,
        final boolean hasExtended,
        final boolean hasLockFree) {
        if (asked == CompletionInterface.LEGACY) {
            return new CompletionChoice(CompletionInterface.LEGACY, "asked for");
        }
        final boolean isRepaired = !isSoftRoce || version.major() >= SOFT_ROCE_REPAIRED;
        final String lack = !hasExtended ? "the device has no extended completion queues"
            : !hasLockFree && !isSoftRoce ? "the device's extended completion queues hold a lock until a batch ends,"
                + " for which posts and closes would wait"
            // a version that nobody knows may be repaired
            : isRepaired || asked == CompletionInterface.EXTENDED && !version.isKnown() ? null
            : "soft-RoCE's extended completion queues lose count before rdma-core " + SOFT_ROCE_REPAIRED
                + ", and this is " + version;
        if (asked == CompletionInterface.EXTENDED) {
            if (lack != null) {
                throw new VerbsException("ibv_create_cq_ex", Errno.EOPNOTSUPP, lack + ": use LEGACY or AUTO");
            }
            return new CompletionChoice(CompletionInterface.EXTENDED, "asked for");
        }
        if (lack != null) {
            return new CompletionChoice(CompletionInterface.LEGACY, lack);
        }
        return new CompletionChoice(CompletionInterface.EXTENDED,
            hasLockFree ? "the device has it, without a lock" : "the device has it");
    }

    /**
     * Choose by the fields of messages, too: this choice stays where extended queues have them all; where they lack
     * one, the legacy interface is chosen, which has all.
     *
     * @param asked   what the user wants.
     * @param lacking {@link CompletionField} bits of messages that extended queues do not have.
     * @throws VerbsException EOPNOTSUPP when the extended interface is asked for.
     */
    CompletionChoice without(final CompletionInterface asked, final int lacking) {
        if (lacking == 0) {
            return this;
        }
        final String lack =
            "the device's extended completion queues do not have fields=" + CompletionField.describe(lacking);
        if (asked == CompletionInterface.EXTENDED) {
            throw new VerbsException("ibv_create_cq_ex", Errno.EOPNOTSUPP, lack + ": use LEGACY or AUTO");
        }
        return new CompletionChoice(CompletionInterface.LEGACY, lack);
    }
}

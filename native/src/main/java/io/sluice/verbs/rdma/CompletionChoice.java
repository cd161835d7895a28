package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.LibraryVersion;

/**
 * Which completion interface a device gets, and why.
 *
 * @param chosen {@link CompletionInterface#EXTENDED} or {@link CompletionInterface#LEGACY}.
 * @param reason for people to read.
 */
record CompletionChoice(CompletionInterface chosen, String reason) {
    /** Before it, soft-RoCE's {@code next_poll} and {@code end_poll} both pass over the last completion. */
    private static final int SOFT_ROCE_REPAIRED = 55;

    /**
     * Decide.
     *
     * @param asked       what the user wants.
     * @param isSoftRoce  whether the device is rdma_rxe's.
     * @param version     of rdma-core.
     * @param hasExtended whether the device can create extended queues.
     * @throws VerbsException EOPNOTSUPP when an extended interface is asked for that the device does not have.
     */
    static CompletionChoice of(
        final CompletionInterface asked,
        final boolean isSoftRoce,
        final LibraryVersion version,
        final boolean hasExtended) {
        if (asked == CompletionInterface.LEGACY) {
            return new CompletionChoice(CompletionInterface.LEGACY, "asked for");
        }
        if (!hasExtended) {
            if (asked == CompletionInterface.EXTENDED) {
                throw new VerbsException("ibv_create_cq_ex", Errno.EOPNOTSUPP,
                    "the device has no extended completion queues: use LEGACY or AUTO");
            }
            return new CompletionChoice(CompletionInterface.LEGACY, "the device has no extended completion queues");
        }
        if (asked == CompletionInterface.EXTENDED) {
            return new CompletionChoice(CompletionInterface.EXTENDED, "asked for");
        }
        if (isSoftRoce && version.major() < SOFT_ROCE_REPAIRED) {
            return new CompletionChoice(CompletionInterface.LEGACY, "soft-RoCE's extended completion queues lose count"
                + " before rdma-core " + SOFT_ROCE_REPAIRED + ", and this is " + version);
        }
        return new CompletionChoice(CompletionInterface.EXTENDED, "the device has it");
    }
}

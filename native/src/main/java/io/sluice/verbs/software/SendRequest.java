package io.sluice.verbs.software;

/**
 * Data path: what is to be sent or fetched, as it is posted. Reused: a send queue has one that its poster fills, a
 * chain one for each of its places, and each waiting send a copy. Whoever posts it leaves it alone until the post
 * returns; other threads carry out copies only, under the lock of the waiting sends. The operation, one of
 * {@link Wire}, goes beside it: where it is a constant of the caller, the compiler leaves out what the others do. What
 * an operation does not have, as a SEND its remote address, is left from the last one and never read.
 */
final class SendRequest {
    private long workRequestId;
    private int flags;
    private long localAddress;
    private int localKey;
    /** Length and immediate, as a completion entry has them: one store for each post instead of two. */
    private long body;
    private long remoteAddress;
    private int remoteKey;
    private long operand;
    private long replacement;

    /** Begin with what all have; the immediate is 0 where there is none. */
    SendRequest start(final long newWorkRequestId, final int newFlags, final int length, final int immediate) {
        workRequestId = newWorkRequestId;
        flags = newFlags;
        body = QueuePairLayout.body(immediate, length);
        return this;
    }

    /** Set where this side's bytes are. */
    SendRequest local(final long address, final int key) {
        localAddress = address;
        localKey = key;
        return this;
    }

    /** Set where the peer's bytes are. */
    SendRequest remote(final long address, final int key) {
        remoteAddress = address;
        remoteKey = key;
        return this;
    }

    /** Set the one or two operands of an atomic. */
    SendRequest operands(final long newOperand, final long newReplacement) {
        operand = newOperand;
        replacement = newReplacement;
        return this;
    }

    /** Become a copy of another one, whose local bytes are kept at an address of their own. */
    void copy(final SendRequest other, final long keptAddress) {
        start(other.workRequestId, other.flags, other.length(), other.immediate())
            .local(keptAddress, other.localKey)
            .remote(other.remoteAddress, other.remoteKey)
            .operands(other.operand, other.replacement);
    }

    long workRequestId() {
        return workRequestId;
    }

    int flags() {
        return flags;
    }

    long body() {
        return body;
    }

    int immediate() {
        return QueuePairLayout.immediate(body);
    }

    long localAddress() {
        return localAddress;
    }

    int localKey() {
        return localKey;
    }

    int length() {
        return QueuePairLayout.byteLength(body);
    }

    long remoteAddress() {
        return remoteAddress;
    }

    int remoteKey() {
        return remoteKey;
    }

    long operand() {
        return operand;
    }

    long replacement() {
        return replacement;
    }
}

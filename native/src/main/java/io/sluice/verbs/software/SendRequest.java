package io.sluice.verbs.software;

/**
 * Data path: a send, a READ or an atomic as it is posted. Reused: a send queue has one that its poster fills, a chain
 * one for each of its places, and each waiting send a copy. Whoever posts it leaves it alone until the post returns;
 * other threads carry out copies only, under the lock of the waiting sends. What a kind of operation does not have, as
 * a SEND its remote address, is left from the last one and never read.
 */
final class SendRequest {
    private int operation;
    private long workRequestId;
    private int flags;
    private int immediate;
    private long localAddress;
    private int localKey;
    private int length;
    private long remoteAddress;
    private int remoteKey;
    private long operand;
    private long replacement;

    /** Begin with what all have; the immediate is 0 where there is none. */
    SendRequest start(
        final int newOperation, final long newWorkRequestId, final int newFlags, final int newImmediate) {
        operation = newOperation;
        workRequestId = newWorkRequestId;
        flags = newFlags;
        immediate = newImmediate;
        return this;
    }

    /** Set where this side's bytes are. */
    SendRequest local(final long address, final int key, final int newLength) {
        localAddress = address;
        localKey = key;
        length = newLength;
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
        start(other.operation, other.workRequestId, other.flags, other.immediate)
            .local(keptAddress, other.localKey, other.length)
            .remote(other.remoteAddress, other.remoteKey)
            .operands(other.operand, other.replacement);
    }

    /** Whether it is a READ or an atomic, which bring bytes here. */
    boolean isFetch() {
        return operation >= Wire.READ;
    }

    /** Return one of the operations of {@link Wire}. */
    int operation() {
        return operation;
    }

    long workRequestId() {
        return workRequestId;
    }

    int flags() {
        return flags;
    }

    int immediate() {
        return immediate;
    }

    long localAddress() {
        return localAddress;
    }

    int localKey() {
        return localKey;
    }

    int length() {
        return length;
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

package io.sluice.verbs.software;

/** One send that waits; reused. */
final class WaitingSend {
    private int operation;
    private long workRequestId;
    private int flags;
    private long localAddress;
    private int localKey;
    private int length;
    private long remoteAddress;
    private int remoteKey;
    private int immediate;
    private long covered;
    private long operand;
    private long replacement;

    void set(
        final int newOperation,
        final long newWorkRequestId,
        final int newFlags,
        final long newLocalAddress,
        final int newLocalKey,
        final int newLength,
        final long newRemoteAddress,
        final int newRemoteKey,
        final int newImmediate,
        final long newCovered) {
        operation = newOperation;
        workRequestId = newWorkRequestId;
        flags = newFlags;
        localAddress = newLocalAddress;
        localKey = newLocalKey;
        length = newLength;
        remoteAddress = newRemoteAddress;
        remoteKey = newRemoteKey;
        immediate = newImmediate;
        covered = newCovered;
    }

    /** The operands of an atomic, besides. */
    void operands(final long newOperand, final long newReplacement) {
        operand = newOperand;
        replacement = newReplacement;
    }

    int transmit(final Transmitter transmitter) {
        if (operation >= Wire.READ) {
            return transmitter.fetch(operation, workRequestId, localAddress, localKey, length, remoteAddress,
                remoteKey, operand, replacement);
        }
        return transmitter.transmit(
            operation, workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey, immediate);
    }

    int operation() {
        return operation;
    }

    long workRequestId() {
        return workRequestId;
    }

    int flags() {
        return flags;
    }

    int length() {
        return length;
    }

    /** Requests posted up to and with this one. */
    long covered() {
        return covered;
    }
}

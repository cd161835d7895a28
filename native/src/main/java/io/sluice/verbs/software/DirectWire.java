package io.sluice.verbs.software;

import org.agrona.UnsafeApi;

/** The wire of production: nothing is in the way. */
final class DirectWire extends Wire {
    /**
     * The number of bytes up to which messages of whole words are copied here: cheaper than the call, and each word
     * arrives in one piece.
     */
    private static final int WORDWISE_LENGTH = 256;
    private static final int WORD_MASK = Long.BYTES - 1;

    @Override
    int decide(final int operation, final long workRequestId, final int length, final int immediate) {
        return FaultHook.PASS;
    }

    @Override
    void copy(final long workRequestId, final long source, final long target, final int length) {
        copy(source, target, length);
    }

    static void copy(final long source, final long target, final int length) {
        if (((source | target | length) & WORD_MASK) == 0 && length <= WORDWISE_LENGTH) {
            for (int i = 0; i < length; i += Long.BYTES) {
                UnsafeApi.putLong(target + i, UnsafeApi.getLong(source + i));
            }
        } else {
            UnsafeApi.copyMemory(source, target, length);
        }
    }

    @Override
    void skipCopy(final long workRequestId, final int length) {
    }

    @Override
    void complete(final long workRequestId, final long entry, final long body, final long seal) {
        UnsafeApi.putLong(entry, body);
        UnsafeApi.putLongRelease(null, entry + QueuePairLayout.SEAL_OFFSET, seal);
    }
}

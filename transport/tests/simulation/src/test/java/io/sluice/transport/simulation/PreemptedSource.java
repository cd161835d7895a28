package io.sluice.transport.simulation;

import org.agrona.concurrent.UnsafeBuffer;

/** A buffer that messages are offered from: at times something happens when one is about to be copied. */
final class PreemptedSource extends UnsafeBuffer {
    private Runnable beforeCopy;

    PreemptedSource(final byte[] content) {
        super(content);
    }

    /** Set what happens once, before the next copy in bulk; null for nothing. */
    void beforeCopy(final Runnable newBeforeCopy) {
        beforeCopy = newBeforeCopy;
    }

    @Override
    public void boundsCheck(final int index, final int length) {
        super.boundsCheck(index, length);
        final Runnable due = beforeCopy;
        if (due != null) {
            beforeCopy = null;
            due.run();
        }
    }
}

package io.sluice.transport.simulation;

import org.agrona.concurrent.UnsafeBuffer;

/** What a message is offered from: at times something happens when it is about to be copied, within the offer. */
final class PreemptedSource extends UnsafeBuffer {
    private Runnable beforeCopy;

    PreemptedSource(final byte[] content) {
        super(content);
    }

    /** What happens once, before the next copy in bulk; null for nothing. */
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

package io.sluice.transport.receive;

import io.sluice.transport.carrier.NextStep;
import org.agrona.concurrent.UnsafeBuffer;

/** The view of a link whose messages go onto a ring: there it only has to be. */
final class UnusedView implements MessageView {
    @Override
    public long stampDistanceNs() {
        return 0;
    }

    @Override
    public boolean isClosed() {
        return false;
    }

    @Override
    public NextStep onMessage(
        final UnsafeBuffer ring, final int frameOffset, final long lengthWord, final long endPosition) {
        throw new AssertionError("not by a poll");
    }

    @Override
    public NextStep onEvent(final EventSlot event) {
        throw new AssertionError("not by a poll");
    }

    @Override
    public void onPolled(final long position) {
        throw new AssertionError("not by a poll: position=" + position);
    }

    @Override
    public void onOverwritten(final long framePosition) {
        throw new AssertionError("not by a poll: framePosition=" + framePosition);
    }
}

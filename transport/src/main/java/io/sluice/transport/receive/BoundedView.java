package io.sluice.transport.receive;

import io.sluice.transport.carrier.NextStep;
import org.agrona.concurrent.UnsafeBuffer;

/** The view of an image for polls that stop at a position: other polls do not ask. The polling thread. */
public final class BoundedView implements MessageView {
    private final MessageView view;
    private long limitPosition;

    /**
     * A view that stops at position 0.
     *
     * @param view that messages before the stop go to.
     */
    public BoundedView(final MessageView view) {
        this.view = view;
    }

    /**
     * Sets where the poll to come stops.
     *
     * @param position the first message that begins there or later stays.
     */
    public void limitPosition(final long position) {
        limitPosition = position;
    }

    @Override
    public long stampDistanceNs() {
        return view.stampDistanceNs();
    }

    @Override
    public boolean isClosed() {
        return view.isClosed();
    }

    @Override
    public NextStep onMessage(
        final UnsafeBuffer ring, final int frameOffset, final long lengthWord, final long endPosition) {
        return MessageView.beginPosition(lengthWord, endPosition) >= limitPosition
            ? NextStep.ABORT : view.onMessage(ring, frameOffset, lengthWord, endPosition);
    }

    @Override
    public NextStep onEvent(final EventSlot event) {
        return view.onEvent(event);
    }

    @Override
    public void onPolled(final long position) {
        view.onPolled(position);
    }

    @Override
    public void onOverwritten(final long framePosition) {
        view.onOverwritten(framePosition);
    }
}

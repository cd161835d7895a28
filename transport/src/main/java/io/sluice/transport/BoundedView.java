package io.sluice.transport;

import io.sluice.transport.carrier.NextStep;
import io.sluice.transport.receive.EventSlot;
import io.sluice.transport.receive.MessageView;
import org.agrona.concurrent.UnsafeBuffer;

/** The view of an image for polls that stop at a position: other polls do not ask. The polling thread. */
final class BoundedView implements MessageView {
    private final MessageView view;
    private long limitPosition;

    BoundedView(final MessageView view) {
        this.view = view;
    }

    /** Sets where the poll to come stops: at the first message that begins there or later. */
    void limitPosition(final long position) {
        limitPosition = position;
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

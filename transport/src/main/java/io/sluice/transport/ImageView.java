package io.sluice.transport;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.NextStep;
import io.sluice.transport.carrier.StampClock;
import io.sluice.transport.receive.EventSlot;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.LapCheck;
import io.sluice.transport.receive.MessageView;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The place where messages of an image leave the data path: each is wrapped, with its header, for the handler that is
 * to see it. The polling thread hands them over in INVOKER mode; in DEDICATED mode consumers take them from the ring,
 * each on its own thread.
 */
final class ImageView implements MessageView {
    private static final int NO_MEMORY = 0;

    private final Image image;
    private final Subscription subscription;
    private final InboundLink link;
    private final LapCheck lapCheck;
    private final StampClock stamps;
    private final ErrorHandler errorHandler;
    private final Header header;
    private final UnsafeBuffer message = new UnsafeBuffer(NO_MEMORY, 0);
    /**
     * The position where {@code Subscription.poll} stands in DEDICATED mode; the poller gives the bytes back a little
     * later.
     */
    private final AtomicLong polledPosition = new AtomicLong();
    private volatile boolean passed;

    ImageView(final Image image, final InboundLink link, final ErrorHandler errorHandler) {
        this.image = image;
        this.link = link;
        this.errorHandler = errorHandler;
        subscription = image.subscription();
        lapCheck = link.reader().newLapCheck();
        stamps = link.reader().stamps();
        header = new Header(image);
    }

    /** The view that an event came by: links have no other ones. */
    static ImageView of(final EventSlot event) {
        return (ImageView) event.view();
    }

    Image image() {
        return image;
    }

    InboundLink link() {
        return link;
    }

    @Override
    public boolean isClosed() {
        return image.isClosed();
    }

    @Override
    public long stampDistanceNs() {
        return stamps.distanceNs();
    }

    @Override
    public NextStep onMessage(
        final UnsafeBuffer ring, final int frameOffset, final long lengthWord, final long endPosition) {
        message.wrap(
            ring.addressOffset() + frameOffset + FrameDescriptor.HEADER_LENGTH,
            FrameDescriptor.frameLengthOf(lengthWord) - FrameDescriptor.HEADER_LENGTH);
        header.wrap(ring, frameOffset, lengthWord, endPosition);
        return subscription.handle(message, header);
    }

    @Override
    public NextStep onEvent(final EventSlot event) {
        if (isOverwritten(event)) {
            return NextStep.CONTINUE;
        }
        wrap(event);
        try {
            return subscription.handle(message, header);
        } finally {
            checkIntact(event);
        }
    }

    /**
     * Whether a message was overwritten on its way over the ring: the publication went on without this image, which
     * then ends before it. Consumers.
     */
    boolean isOverwritten(final EventSlot event) {
        if (!passed && !lapCheck.isIntact(event.ring(), framePosition(event))) {
            pass();
        }
        return passed;
    }

    /** Passes over messages that come: so the link must end, if it has not ended already. Consumers. */
    private void pass() {
        if (!passed) {
            passed = true;
            subscription.endOverwritten(link);
        }
    }

    private static long framePosition(final EventSlot event) {
        return MessageView.beginPosition(event.lengthWord(), event.endPosition());
    }

    private void wrap(final EventSlot event) {
        message.wrap(
            event.ring().addressOffset() + event.frameOffset() + FrameDescriptor.HEADER_LENGTH, event.length());
        header.wrap(event);
    }

    /** Tell when a message was overwritten under its handler: the image ends with it. Consumers. */
    void checkIntact(final EventSlot event) {
        if (!lapCheck.isIntact(event.ring(), framePosition(event))) {
            pass();
            onOverwritten(framePosition(event));
        }
    }

    @Override
    public void onOverwritten(final long framePosition) {
        errorHandler.onError(new TransportException(ErrorKind.MESSAGE_MISREAD,
            "a message may have changed under its handler: the publication went on without this image, for it was"
                + " too slow or stood still: sessionId=" + image.sessionId() + " position=" + framePosition
                + "; log=copied prevents it"));
    }

    @Override
    public void onPolled(final long position) {
        polledPosition.lazySet(position);
    }

    /** The wall clock's time of a stamp, in nanoseconds since 1970. Any thread. */
    long epochNs(final long stampNs) {
        return stamps.epochNs(stampNs);
    }

    /** The position behind the last message that was consumed. Any thread. */
    long position() {
        return Math.max(link.positions().consumed(), polledPosition.get());
    }
}

package io.sluice.transport.receive;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.carrier.NextStep;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A view of an image, for its messages: the one door through which they leave the data path, from an {@link ImagePoll}
 * and from {@link PolledConsumer}. The API's views of images implement it. The thread that polls.
 */
public interface MessageView {
    /** {@return whether messages are not to be handed out any more} Any thread. */
    boolean isClosed();

    /**
     * The distance from this host's monotonic clock to the one that messages are stamped by. Any thread: consumers ask
     * here, since the poller writes the memory beside a link's reader.
     *
     * @return nanoseconds to add to the monotonic clock.
     */
    long stampDistanceNs();

    /**
     * Hands a message to the handler of the poll that is under way.
     *
     * @param ring        that its frame lies in.
     * @param frameOffset where the frame begins there.
     * @param lengthWord  of the frame, checked.
     * @param endPosition behind the frame.
     * @return what the poll is to do next.
     */
    NextStep onMessage(UnsafeBuffer ring, int frameOffset, long lengthWord, long endPosition);

    /**
     * Hands a message that came over the ring to the handler of the poll that is under way, unless it was written over.
     *
     * @param event where its frame lies.
     * @return what the poll is to do next.
     */
    NextStep onEvent(EventSlot event);

    /**
     * Notes that messages that came over the ring were handled; the poller gives their bytes back a little later.
     *
     * @param position behind the last of them.
     */
    void onPolled(long position);

    /**
     * Notes that a message was written over while its handler was at it: the link ends with it.
     *
     * @param framePosition where its frame begins.
     */
    void onOverwritten(long framePosition);

    /**
     * The position where a message's frame begins.
     *
     * @param lengthWord  of the frame, checked.
     * @param endPosition behind the frame.
     * @return the position.
     */
    static long beginPosition(final long lengthWord, final long endPosition) {
        return endPosition - FrameDescriptor.alignedLength(FrameDescriptor.frameLengthOf(lengthWord));
    }
}

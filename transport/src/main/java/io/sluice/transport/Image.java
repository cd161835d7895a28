package io.sluice.transport;

import io.sluice.transport.receive.BoundedView;
import io.sluice.transport.receive.MessageView;
import io.sluice.transport.stream.ImageState;
import org.agrona.ErrorHandler;

/**
 * One publication's stream as a subscription sees it: a gapless run of messages without duplicates, from the join
 * position on. The thread that polls the subscription may poll its images one by one; everything else may be called
 * from any thread.
 */
public final class Image {
    private static final long UNBOUNDED = Long.MAX_VALUE;

    private final Subscription subscription;
    private final ImageState state;
    private final ImageView view;
    private final BoundedView boundedView;
    private volatile boolean closed;

    Image(final Subscription subscription, final ImageState state, final ErrorHandler errorHandler) {
        this.subscription = subscription;
        this.state = state;
        view = new ImageView(this, state.link(), errorHandler);
        boundedView = new BoundedView(view);
    }

    /**
     * Handle waiting messages of this image only; see {@link Subscription#poll}.
     *
     * @param handler      told of each message.
     * @param messageLimit messages to handle at most, at least 1.
     * @return messages handled, 0 when the image is closed.
     * @throws IllegalStateException when the subscription is not in INVOKER mode: its images share one ring.
     */
    public int poll(final FragmentHandler handler, final int messageLimit) {
        return subscription.pollImage(this, UNBOUNDED, handler, messageLimit);
    }

    /**
     * Handle waiting messages of this image only; see {@link Subscription#controlledPoll}.
     *
     * @param handler      told of each message.
     * @param messageLimit messages to handle at most, at least 1.
     * @return messages handled, the aborted one not counted; 0 when the image is closed.
     * @throws IllegalStateException when the subscription is not in INVOKER mode: its images share one ring.
     */
    public int controlledPoll(final ControlledFragmentHandler handler, final int messageLimit) {
        return subscription.controlledPollImage(this, UNBOUNDED, handler, messageLimit);
    }

    /**
     * Handle waiting messages of this image that begin before a position; otherwise like {@link #poll}.
     *
     * @param handler       told of each message.
     * @param limitPosition the first message that begins here or later, and all behind it, stay.
     * @param messageLimit  messages to handle at most, at least 1.
     * @return messages handled, 0 when the image is closed.
     * @throws IllegalStateException when the subscription is not in INVOKER mode: its images share one ring.
     */
    public int boundedPoll(final FragmentHandler handler, final long limitPosition, final int messageLimit) {
        return subscription.pollImage(this, limitPosition, handler, messageLimit);
    }

    /**
     * Handle waiting messages of this image that begin before a position; otherwise like {@link #controlledPoll}.
     *
     * @param handler       told of each message.
     * @param limitPosition the first message that begins here or later, and all behind it, stay.
     * @param messageLimit  messages to handle at most, at least 1.
     * @return messages handled, the aborted one not counted; 0 when the image is closed.
     * @throws IllegalStateException when the subscription is not in INVOKER mode: its images share one ring.
     */
    public int boundedControlledPoll(
        final ControlledFragmentHandler handler, final long limitPosition, final int messageLimit) {
        return subscription.controlledPollImage(this, limitPosition, handler, messageLimit);
    }

    /** The wall clock's time of a stamp of the publication, in nanoseconds since 1970. Any thread. */
    long epochNs(final long stampNs) {
        return view.epochNs(stampNs);
    }

    /** The view for a poll up to a position. Polling thread, inside its poll. */
    MessageView view(final long limitPosition) {
        if (limitPosition == UNBOUNDED) {
            return view;
        }
        boundedView.limitPosition(limitPosition);
        return boundedView;
    }

    void close() {
        closed = true;
    }

    ImageView view() {
        return view;
    }

    ImageState state() {
        return state;
    }

    /**
     * Whether the image is at its end and its memory released. Any thread.
     *
     * @return true from just before the unavailable handler on.
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * The position behind the last consumed message. Any thread.
     *
     * @return the position; the final one when closed.
     */
    public long position() {
        // the polling thread may not have let the link join yet
        return Math.max(view.position(), state.joinPosition());
    }

    /**
     * The position where this image joined the stream.
     *
     * @return the position.
     */
    public long joinPosition() {
        return state.joinPosition();
    }

    /**
     * Whether the publication was closed and everything that it sent was consumed. Any thread.
     *
     * @return true at the end of the stream; false for an image that was lost.
     */
    public boolean isEndOfStream() {
        return position() >= state.endOfStreamPosition();
    }

    /**
     * The position where the stream ends. Any thread.
     *
     * @return the position, or {@link Long#MAX_VALUE} until the publication has announced it.
     */
    public long endOfStreamPosition() {
        return state.endOfStreamPosition();
    }

    /**
     * The session of the publication.
     *
     * @return the session id.
     */
    public int sessionId() {
        return state.sessionId();
    }

    /**
     * The publisher of the image's stream, as a text for people.
     *
     * @return for example {@code "pid 4711"}.
     */
    public String sourceIdentity() {
        return state.sourceIdentity();
    }

    /**
     * The subscription that this image belongs to.
     *
     * @return the subscription.
     */
    public Subscription subscription() {
        return subscription;
    }

    @Override
    public String toString() {
        return "Image{sessionId=" + sessionId() + " streamId=" + subscription.streamId()
            + " joinPosition=" + joinPosition()
            + " position=" + position() + " source=" + sourceIdentity() + (closed ? " closed}" : "}");
    }
}

package io.sluice.transport;

import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.carrier.NextStep;
import io.sluice.transport.receive.ImagePoll;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.PolledConsumer;
import io.sluice.transport.status.BackPressureListener;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.stream.ImageState;
import io.sluice.transport.stream.SubscriptionEnd;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receiving end of a channel and stream id, over all its publications. In INVOKER mode the thread that first polls
 * it owns it: it drains the completion queue and handles messages in place. Any thread may read the rest and close it.
 */
public final class Subscription implements AutoCloseable {
    private static final Image[] NO_IMAGES = new Image[0];

    private final SubscriptionEnd state;
    private final ImagePoll imagePoll;
    private final PolledConsumer events;
    private final boolean handled;
    private final EntryGuard guard;
    private final ErrorHandler errorHandler;
    private volatile Image[] images = NO_IMAGES;
    private volatile Thread owner;
    /** The handler of the poll that is under way, or was the last; one of the two is null. */
    private FragmentHandler plainHandler;
    private ControlledFragmentHandler controlledHandler;

    Subscription(final SubscriptionEnd state, final boolean handled, final ErrorHandler errorHandler) {
        this.state = state;
        this.handled = handled;
        this.errorHandler = errorHandler;
        imagePoll = state.newPoll(errorHandler);
        events = state.eventRing() == null ? null : new PolledConsumer(state.eventRing(), !handled, errorHandler);
        guard = state.pollGuard();
        if (events != null && !handled) {
            state.consumers().add(events.progress());
        }
    }

    /**
     * Handle waiting messages, taking turns between the images. Never blocks. The handler is kept until the next poll.
     *
     * @param handler      told of each message.
     * @param messageLimit messages to handle at most, at least 1.
     * @return messages handled, 0 when none was found or the subscription is closed.
     * @throws IllegalStateException when another thread owns this subscription, or its handlers are a graph's; a {@link
     *                               ReentrantCallException} when its own handler polls it.
     */
    public int poll(final FragmentHandler handler, final int messageLimit) {
        Objects.requireNonNull(handler, "handler");
        if (!enter()) {
            return 0;
        }
        try {
            handleWith(handler, null);
            return events == null ? imagePoll.poll(messageLimit) : events.poll(messageLimit);
        } finally {
            guard.leave();
        }
    }

    /**
     * Handle waiting messages, taking turns between the images, as the handler directs. Never blocks.
     *
     * @param handler      told of each message.
     * @param messageLimit messages to handle at most, at least 1.
     * @return messages handled, aborted ones not counted; 0 when none was found or the subscription is closed.
     * @throws IllegalStateException when another thread owns this subscription, or its handlers are a graph's; a {@link
     *                               ReentrantCallException} when its own handler polls it.
     */
    public int controlledPoll(final ControlledFragmentHandler handler, final int messageLimit) {
        Objects.requireNonNull(handler, "handler");
        if (!enter()) {
            return 0;
        }
        try {
            handleWith(null, handler);
            return events == null ? imagePoll.pollAll(messageLimit) : events.poll(messageLimit);
        } finally {
            guard.leave();
        }
    }

    /**
     * Stores the handler of a poll if it is new only: each store of a reference costs the garbage collector's barrier.
     */
    private void handleWith(final FragmentHandler newHandler, final ControlledFragmentHandler newControlledHandler) {
        if (plainHandler != newHandler) {
            plainHandler = newHandler;
        }
        if (controlledHandler != newControlledHandler) {
            controlledHandler = newControlledHandler;
        }
    }

    /** Hands a message to the handler of the poll under way. Polling thread. */
    NextStep handle(final UnsafeBuffer message, final Header header) {
        final ControlledFragmentHandler controlled = controlledHandler;
        if (controlled != null) {
            return nextStep(controlled.onFragment(message, 0, message.capacity(), header));
        }
        plainHandler.onFragment(message, 0, message.capacity(), header);
        return NextStep.CONTINUE;
    }

    private static NextStep nextStep(final Action action) {
        return action == Action.COMMIT ? NextStep.COMMIT
            : action == Action.BREAK ? NextStep.BREAK
            : action == Action.ABORT ? NextStep.ABORT : NextStep.CONTINUE;
    }

    int pollImage(
        final Image image, final long limitPosition, final FragmentHandler handler, final int messageLimit) {
        Objects.requireNonNull(handler, "handler");
        checkInvoker();
        if (!enter()) {
            return 0;
        }
        try {
            handleWith(handler, null);
            return imagePoll.poll(image.view().link(), image.view(limitPosition), messageLimit);
        } finally {
            guard.leave();
        }
    }

    int controlledPollImage(
        final Image image,
        final long limitPosition,
        final ControlledFragmentHandler handler,
        final int messageLimit) {
        Objects.requireNonNull(handler, "handler");
        checkInvoker();
        if (!enter()) {
            return 0;
        }
        try {
            handleWith(null, handler);
            return imagePoll.poll(image.view().link(), image.view(limitPosition), messageLimit);
        } finally {
            guard.leave();
        }
    }

    private void checkInvoker() {
        if (events != null) {
            throw new IllegalStateException("images are polled one by one in INVOKER mode only: in DEDICATED mode they"
                + " share one ring; poll the subscription: streamId=" + streamId());
        }
    }

    /** Breaks a link of which a message was overwritten on its way over the ring, or under its handler. Consumers. */
    void endOverwritten(final InboundLink link) {
        state.endOverwritten(link);
    }

    private boolean enter() {
        if (Thread.currentThread() != owner) {
            takeOwnership();
        }
        if (guard.isInside()) {
            throw new ReentrantCallException("a handler polls its own subscription: return from it instead, and the"
                + " next messages come with this poll or the next one: streamId=" + streamId());
        }
        guard.enter();
        if (state.isClosed()) {
            guard.leave();
            return false;
        }
        return true;
    }

    private synchronized void takeOwnership() {
        if (handled) {
            throw new IllegalStateException(
                "a subscription with handlers of its own is not polled: streamId=" + streamId());
        }
        if (owner != null) {
            throw new IllegalStateException("a subscription is polled by one thread: streamId=" + streamId()
                + " owner=" + identity(owner) + " caller=" + identity(Thread.currentThread()));
        }
        owner = Thread.currentThread();
        state.polledBy(owner);
        if (events != null) {
            events.progress().begin(owner);
        }
    }

    /** The name and number of a thread as thread dumps have them: virtual threads have no names. */
    private static String identity(final Thread thread) {
        return "\"" + thread.getName() + "\" #" + thread.threadId();
    }

    /** Whether the calling thread is inside a poll of this subscription, and so in a handler of it. */
    boolean isPolledHere() {
        return owner == Thread.currentThread() && guard.isInside();
    }

    /** Whether nothing is left of it that the transport would have to wait for. */
    boolean isReleased() {
        return state.isReleased();
    }

    /** An image whose messages nobody is handed yet. */
    Image newImage(final ImageState imageState) {
        return new Image(this, imageState, errorHandler);
    }

    /** Hand the messages of an image out from now on. */
    synchronized void addImage(final Image image) {
        final Image[] next = Arrays.copyOf(images, images.length + 1);
        next[images.length] = image;
        images = next;
        image.state().link().view(image.view());
    }

    /** {@return the image of a link, or null when there is none any more} */
    synchronized Image removeImage(final ImageState imageState) {
        Image removed = null;
        for (final Image image : images) {
            if (image.state() == imageState) {
                removed = image;
            }
        }
        final Image gone = removed;
        images = Arrays.stream(images).filter(image -> image != gone).toArray(Image[]::new);
        return removed;
    }

    /**
     * The images that can be polled. Any thread.
     *
     * @return a copy.
     */
    public List<Image> images() {
        return List.of(images);
    }

    /**
     * The number of images that can be polled. Any thread.
     *
     * @return the count.
     */
    public int imageCount() {
        return images.length;
    }

    /**
     * The image of a session. Any thread.
     *
     * @param sessionId of its publication.
     * @return the image, or null when there is none.
     */
    public Image imageBySessionId(final int sessionId) {
        for (final Image image : images) {
            if (image.sessionId() == sessionId) {
                return image;
            }
        }
        return null;
    }

    /**
     * The image at a place among those that can be polled; images that come and go move it. Any thread.
     *
     * @param index 0 to {@link #imageCount()} − 1.
     * @return the image.
     * @throws ArrayIndexOutOfBoundsException when there is none at it.
     */
    public Image imageAtIndex(final int index) {
        return images[index];
    }

    /**
     * Call for each image that can be polled. Any thread.
     *
     * @param consumer called on this thread.
     */
    public void forEachImage(final Consumer<Image> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        for (final Image image : images) {
            consumer.accept(image);
        }
    }

    /**
     * Whether no image can be polled. Any thread.
     *
     * @return true while there is none.
     */
    public boolean hasNoImages() {
        return images.length == 0;
    }

    /**
     * Whether at least one publication is connected. Any thread.
     *
     * @return true while there is an image.
     */
    public boolean isConnected() {
        return images.length > 0;
    }

    /**
     * The state that says how far this subscription is from holding its publications up, as the conductor last saw it,
     * up to 50 ms ago. Any thread.
     *
     * @return the state.
     */
    public PressureState pressureState() {
        return state.pressure().state();
    }

    /**
     * Sets the listener that is told when this subscription comes under pressure or out of it, in addition to
     * {@link Context#backPressureListener()}. Any thread.
     *
     * @param listener called on the thread of listeners from now on.
     */
    public void backPressureListener(final BackPressureListener listener) {
        state.pressure().listener(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * The channel that the subscription was added with.
     *
     * @return its text.
     */
    public String channel() {
        return state.channel();
    }

    /**
     * The number under which publications and subscriptions of the channel meet.
     *
     * @return the stream id.
     */
    public int streamId() {
        return state.streamId();
    }

    /**
     * Whether the subscription was closed. Any thread.
     *
     * @return true after {@link #close()} of this subscription or of its transport; also when its last consumer has
     *         left or was evicted, or the thread that polled it has ended. Then a poll returns 0, and it is added anew.
     */
    public boolean isClosed() {
        return state.isClosed();
    }

    /**
     * Stop polling and return at once: as soon as no handler is at a message, images become unavailable, and their
     * publications are told. Messages not yet handled are not delivered, but for those of a poll that is under way.
     * Idempotent; any thread, in any handler.
     */
    @Override
    public void close() {
        state.close();
    }

    /** {@return the text that says which stream it is, and how many images it has} Any thread. */
    @Override
    public String toString() {
        return "Subscription{streamId=" + streamId() + " images=" + (isClosed() ? "closed" : images.length)
            + " channel=" + channel() + "}";
    }
}

package io.sluice.samples;

import io.sluice.transport.Image;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A consumer on the ring with typed handlers, which publishes what it knows when a batch ends. Of several feeds on
 * the stream it follows the newest, from its first message on: that depends on the messages alone, so that all
 * consumers decide alike. Its own thread, but for {@link #snapshots()}.
 *
 * @param <T> an immutable copy of what it knows.
 */
final class FeedConsumer<T> implements MessageEventHandler {
    private final String name;
    private final MessageDispatcher dispatcher;
    private final Runnable onNewFeed;
    private final SnapshotPublisher<T> snapshots;
    private final Set<Image> feeds = new HashSet<>();
    private Image feed;
    private long foreign;

    /**
     * A consumer for a handler graph.
     *
     * @param name       of its thread.
     * @param dispatcher with the typed handlers.
     * @param onNewFeed  forgets everything.
     * @param copy       of what it knows.
     */
    FeedConsumer(
        final String name, final MessageDispatcher dispatcher, final Runnable onNewFeed, final Supplier<T> copy) {
        this.name = name;
        this.dispatcher = dispatcher;
        this.onNewFeed = onNewFeed;
        snapshots = new SnapshotPublisher<>(copy);
    }

    @Override
    public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
        if (isOfNewestFeed(event.image())) {
            dispatcher.onEvent(event, sequence, endOfBatch);
        } else {
            foreign++;
        }
        if (endOfBatch) {
            snapshots.onBatchEnd();
        }
    }

    private boolean isOfNewestFeed(final Image image) {
        if (image == feed) {
            return true;
        }
        if (!feeds.add(image)) {
            return false;
        }
        feeds.removeIf(Image::isClosed);
        feed = image;
        onNewFeed.run();
        return true;
    }

    @Override
    public void onShutdown() {
        snapshots.publish();
    }

    @Override
    public String name() {
        return name;
    }

    /** Snapshots for the thread that shows what this one knows. */
    SnapshotPublisher<T> snapshots() {
        return snapshots;
    }

    /** Messages of feeds that a newer one has replaced. When its thread has ended. */
    long foreign() {
        return foreign;
    }
}

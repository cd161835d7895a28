package io.sluice.perf.jmh;

import io.sluice.perf.rig.TemporaryFolders;
import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two transports of one process with their defaults, of which one publishes and the other subscribes. One thread
 * opens, uses and closes them.
 */
final class LinkedTransports implements AutoCloseable {
    private static final int STREAM_ID = 1001;
    /** The smallest one that is not in the way, since each publication has a log of its own. */
    private static final String CHANNEL = "sluice:ipc?endpoint=set-up|window=64k";
    private static final long CONNECT_LIMIT_NS = TimeUnit.SECONDS.toNanos(120);

    private final Path folder;
    private final Transport publisher;
    private final Transport subscriber;

    /** Makes the transports, without a link yet. */
    LinkedTransports() {
        try {
            folder = Files.createTempDirectory("sluice-set-up-");
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot make a temporary folder", ex);
        }
        publisher = Transport.launch(new Context().directory(folder));
        subscriber = Transport.launch(new Context().directory(folder));
    }

    /** Make so many links, one after the other, and wait until both ends of each are connected. Returns the images. */
    int connect(final int links) {
        final Subscription subscription = subscriber.addSubscription(CHANNEL, STREAM_ID);
        final List<ExclusivePublication> publications = new ArrayList<>();
        for (int i = 0; i < links; i++) {
            publications.add(publisher.addExclusivePublication(CHANNEL, STREAM_ID));
        }
        final long startNs = System.nanoTime();
        int connected = 0;
        while (connected < links || subscription.imageCount() < links) {
            subscription.poll((buffer, offset, length, header) -> { }, 1);
            if (connected < links && publications.get(connected).isConnected()) {
                connected++;
            }
            if (System.nanoTime() - startNs > CONNECT_LIMIT_NS) {
                throw new IllegalStateException("not connected: links=" + links + " connected=" + connected);
            }
            Thread.onSpinWait();
        }
        return subscription.imageCount();
    }

    /** The folder that the two share. */
    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        try (subscriber) {
            publisher.close();
        } finally {
            TemporaryFolders.delete(folder);
        }
    }
}

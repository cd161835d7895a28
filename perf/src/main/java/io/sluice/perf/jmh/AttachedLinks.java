package io.sluice.perf.jmh;

import io.sluice.perf.rig.TemporaryFolders;
import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A subscription in INVOKER mode with many publications of one transport attached to it, of which one is used. One
 * thread opens, uses and closes it, and does all the transport's work.
 */
final class AttachedLinks implements AutoCloseable {
    private static final int STREAM_ID = 1001;
    private static final int MESSAGE_LENGTH = 32;
    /** The smallest one that is not in the way, since each publication has a log of its own. */
    private static final String CHANNEL = "sluice:ipc?endpoint=links|mode=invoker|window=64k";
    private static final long CONNECT_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private final Path folder;
    private final Transport transport;
    private final Subscription subscription;
    private final List<ExclusivePublication> publications = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private final FragmentHandler handler = (buffer, offset, length, header) -> onMessage();
    private long received;

    /** A receiver with so many links, the active one among them. */
    AttachedLinks(final int links) {
        try {
            folder = Files.createTempDirectory("sluice-links-");
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot make a temporary folder", ex);
        }
        transport = Transport.launch(new Context().directory(folder).threadingMode(ThreadingMode.INVOKER));
        subscription = transport.addSubscription(CHANNEL, STREAM_ID);
        for (int i = 0; i < links; i++) {
            publications.add(transport.addExclusivePublication(CHANNEL, STREAM_ID));
        }
        final long startNs = System.nanoTime();
        while (subscription.imageCount() < links
            || !publications.stream().allMatch(ExclusivePublication::isConnected)) {
            doWork();
            subscription.poll(handler, 1);
            if (System.nanoTime() - startNs > CONNECT_LIMIT_NS) {
                final int images = subscription.imageCount();
                close();
                throw new IllegalStateException("not connected: links=" + links + " images=" + images);
            }
        }
    }

    /** Let the transport do its slow duties. */
    void doWork() {
        transport.doWork();
    }

    private void onMessage() {
        received++;
    }

    /** Send one message over the link in the middle, and handle it. Returns messages handled so far. */
    long offerAndPoll() {
        if (publications.get(publications.size() / 2).offer(message, 0, MESSAGE_LENGTH) < 0) {
            throw new IllegalStateException("an empty stream is full");
        }
        final long target = received + 1;
        while (received < target) {
            subscription.poll(handler, 1);
        }
        return received;
    }

    /** Poll when nothing is there. Returns messages handled so far. */
    long pollIdle() {
        subscription.poll(handler, 1);
        return received;
    }

    @Override
    public void close() {
        try {
            transport.close();
        } finally {
            TemporaryFolders.delete(folder);
        }
    }
}

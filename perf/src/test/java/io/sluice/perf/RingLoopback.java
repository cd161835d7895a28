package io.sluice.perf;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.PollerOptions;
import io.sluice.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** A publication whose messages go through a ring to two handlers, one behind the other, on threads of their own. */
final class RingLoopback implements AutoCloseable {
    private static final int STREAM_ID = 1002;

    private final Path folder;
    private final Transport transport;
    private final ExclusivePublication publication;
    private final UnsafeBuffer message;
    private long checksum;
    private long sent;
    private volatile long handled;

    /** Loop messages to a handler that reads the event and some bytes of the message. */
    RingLoopback(final String parameters, final int messageLength) {
        this(parameters, new UnsafeBuffer(new byte[messageLength]), null);
    }

    /** Loop messages to a handler that they are made for; null for the plain one. */
    RingLoopback(final String parameters, final UnsafeBuffer message, final MessageEventHandler handler) {
        this.message = message;
        try {
            folder = Files.createTempDirectory("sluice-ring-");
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot make a temporary folder", ex);
        }
        final HandlerGraph graph = new HandlerGraph().waitStrategy("yielding");
        final MessageEventHandler plain = (event, sequence, endOfBatch) ->
            checksum += event.templateId() + event.position() + event.buffer().getLong(event.offset());
        graph.handleEventsWith(handler == null ? plain : handler)
            .then((event, sequence, endOfBatch) -> handled = sequence + 1);
        transport = Transport.launch(
            new Context().directory(folder).pollers(new PollerOptions().idleStrategy("yielding")));
        transport.addSubscription("sluice:ipc?" + parameters, STREAM_ID, graph);
        publication = transport.addExclusivePublication("sluice:ipc", STREAM_ID);
        while (!publication.isConnected()) {
            Thread.yield();
        }
    }

    /** Send so many messages and wait until the last handler has had them. */
    void run(final int messages) {
        for (int i = 0; i < messages; i++) {
            while (publication.offer(message, 0, message.capacity()) < 0) {
                Thread.yield();
            }
        }
        sent += messages;
        while (handled < sent) {
            Thread.yield();
        }
    }

    @Override
    public void close() {
        try {
            transport.close();
        } finally {
            IoUtil.delete(folder.toFile(), true);
        }
    }
}

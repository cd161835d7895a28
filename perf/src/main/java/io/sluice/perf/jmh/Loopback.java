package io.sluice.perf.jmh;

import io.sluice.perf.rig.TemporaryFolders;
import io.sluice.transport.BufferClaim;
import io.sluice.transport.Context;
import io.sluice.transport.DirectBufferVector;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.ReservedValueSupplier;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A publication and a subscription of one transport with its defaults, connected to each other over the software
 * device, for one thread that offers and polls in turn. That thread opens and closes it.
 */
public final class Loopback implements AutoCloseable {
    private static final int STREAM_ID = 1001;
    private static final int MESSAGES_PER_POLL = 256;
    private static final long CONNECT_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private final Path folder;
    private final Transport transport;
    private final Publication publication;
    private final Subscription subscription;
    private final UnsafeBuffer message;
    private final BufferClaim claim = new BufferClaim();
    private final DirectBufferVector[] vectors = {new DirectBufferVector(), new DirectBufferVector()};
    private final ReservedValueSupplier supplier = (termBuffer, termOffset, frameLength) ->
        termBuffer.getLong(termOffset + ReservedValueSupplier.HEADER_LENGTH);
    private final FragmentHandler handler = (buffer, offset, length, header) -> onMessage();
    private long received;

    /**
     * Open and connect.
     *
     * @param channel       of both ends.
     * @param messageLength in bytes.
     * @param threadingMode of the transport; in INVOKER mode call {@link #doWork()} now and then.
     */
    public Loopback(final String channel, final int messageLength, final ThreadingMode threadingMode) {
        this(channel, messageLength, threadingMode, false);
    }

    /**
     * Open and connect.
     *
     * @param channel       of both ends.
     * @param messageLength in bytes.
     * @param threadingMode of the transport; in INVOKER mode call {@link #doWork()} now and then.
     * @param isShared      whether the publication is a shared one, instead of an exclusive one.
     */
    public Loopback(
        final String channel, final int messageLength, final ThreadingMode threadingMode, final boolean isShared) {
        this(channel, messageLength, threadingMode, isShared, UnaryOperator.identity());
    }

    /**
     * Open and connect.
     *
     * @param channel       of both ends.
     * @param messageLength in bytes.
     * @param threadingMode of the transport; in INVOKER mode call {@link #doWork()} now and then.
     * @param isShared      whether the publication is a shared one, instead of an exclusive one.
     * @param equipment     of the transport's context, which has its directory already.
     */
    public Loopback(
        final String channel,
        final int messageLength,
        final ThreadingMode threadingMode,
        final boolean isShared,
        final UnaryOperator<Context> equipment) {
        try {
            folder = Files.createTempDirectory("sluice-loop-");
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot make a temporary folder", ex);
        }
        message = new UnsafeBuffer(new byte[messageLength]);
        transport = Transport.launch(equipment.apply(new Context().directory(folder).threadingMode(threadingMode)));
        publication = isShared
            ? transport.addPublication(channel, STREAM_ID) : transport.addExclusivePublication(channel, STREAM_ID);
        subscription = transport.addSubscription(channel, STREAM_ID);
        final long startNs = System.nanoTime();
        while (!publication.isConnected() || !subscription.isConnected()) {
            subscription.poll(handler, 1);
            doWork();
            if (System.nanoTime() - startNs > CONNECT_LIMIT_NS) {
                close();
                throw new IllegalStateException("not connected: channel=" + channel);
            }
            Thread.onSpinWait();
        }
    }

    /** Let the transport do its slow duties, when it has no threads for them. */
    public void doWork() {
        if (transport.context().threadingMode() == ThreadingMode.INVOKER) {
            transport.doWork();
        }
    }

    private void onMessage() {
        received++;
    }

    /**
     * Send one message and handle it.
     *
     * @return messages handled so far.
     */
    public long offerAndPoll() {
        if (publication.offer(message, 0, message.capacity()) < 0) {
            throw new IllegalStateException("an empty stream is full");
        }
        final long target = received + 1;
        while (received < target) {
            subscription.poll(handler, 1);
        }
        return received;
    }

    /**
     * Poll in vain, as one does who waits for a message; then send one and handle it.
     *
     * @return messages handled so far.
     */
    public long awaitOffered() {
        subscription.poll(handler, 1);
        subscription.poll(handler, 1);
        return offerAndPoll();
    }

    /**
     * Send one message and handle it by a poll of its image that stops behind it.
     *
     * @return messages handled so far.
     */
    public long offerAndPollImage() {
        final long end = publication.offer(message, 0, message.capacity());
        if (end < 0) {
            throw new IllegalStateException("an empty stream is full");
        }
        final long target = received + 1;
        while (received < target) {
            subscription.imageAtIndex(0).boundedPoll(handler, end, 1);
        }
        return received;
    }

    /**
     * Encode one message in place, and handle it.
     *
     * @return messages handled so far.
     */
    public long claimAndPoll() {
        if (publication.tryClaim(message.capacity(), claim) < 0) {
            throw new IllegalStateException("an empty stream is full");
        }
        claim.buffer().putLong(claim.offset(), received);
        claim.commit();
        final long target = received + 1;
        while (received < target) {
            subscription.poll(handler, 1);
        }
        return received;
    }

    /**
     * Send two messages of two parts with values that are computed from them, and handle them.
     *
     * @return messages handled so far.
     */
    public long gatherAndPoll() {
        final int half = message.capacity() / 2;
        vectors[0].reset(message, 0, half);
        vectors[1].reset(message, half, message.capacity() - half);
        if (publication.offer(vectors, supplier) < 0
            || publication.offer(message, 0, half, message, half, half, supplier) < 0) {
            throw new IllegalStateException("an empty stream is full");
        }
        return drain(2, 1);
    }

    /**
     * Send until the stream is full, then handle everything.
     *
     * @return messages sent.
     */
    public int fillAndDrain() {
        final long before = received;
        int sent = 0;
        while (publication.offer(message, 0, message.capacity()) > 0) {
            sent++;
        }
        while (received < before + sent) {
            subscription.poll(handler, MESSAGES_PER_POLL);
        }
        return sent;
    }

    /**
     * Send so many messages and handle none.
     *
     * @param messages for which the stream has room.
     */
    public void fill(final int messages) {
        for (int i = 0; i < messages; i++) {
            if (publication.offer(message, 0, message.capacity()) < 0) {
                throw new IllegalStateException("the stream has no room: messages=" + messages + " sent=" + i);
            }
        }
    }

    /**
     * Handle messages that were sent before.
     *
     * @param messages        to handle.
     * @param messagesPerPoll at most.
     * @return messages handled so far.
     */
    public long drain(final int messages, final int messagesPerPoll) {
        final long target = received + messages;
        while (received < target) {
            subscription.poll(handler, messagesPerPoll);
        }
        return received;
    }

    /** Poll when nothing is there. */
    public void pollIdle() {
        subscription.poll(handler, 1);
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

package io.sluice.perf.jmh;

import io.sluice.perf.peer.Peer;
import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.peer.Receiver;
import io.sluice.perf.peer.Sender;
import io.sluice.perf.rig.TemporaryFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A stream of one of the rig's systems whose both ends one thread plays, the poller of Sluice's included: it publishes
 * a batch onto the ring and consumes it. That thread opens and closes it.
 */
public final class RingHandOff implements AutoCloseable {
    private static final int STREAM_ID = 1001;
    private static final int MESSAGE_LENGTH = 32;
    private static final int MESSAGES_PER_POLL = 256;
    private static final long CONNECT_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private final Path folder;
    private final Peer peer;
    private final Sender sender;
    private final Receiver receiver;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private long sent;
    private long received;
    private long misfits;

    /**
     * Open and connect.
     *
     * @param kind of system, one whose ends can be threads.
     */
    public RingHandOff(final PeerKind kind) {
        try {
            folder = Files.createTempDirectory("sluice-hand-off-");
        } catch (final IOException ex) {
            throw new UncheckedIOException("cannot make a temporary folder", ex);
        }
        peer = kind.create("");
        peer.launch(folder, true, MESSAGE_LENGTH);
        sender = peer.addSender(STREAM_ID);
        receiver = peer.addReceiver(STREAM_ID, this::onMessage, MESSAGES_PER_POLL);
        peer.start();
        final long startNs = System.nanoTime();
        // not short-circuited: a receiver may fetch its image here
        while (!(sender.isConnected() & receiver.isConnected())) {
            receiver.poll();
            if (System.nanoTime() - startNs > CONNECT_LIMIT_NS) {
                close();
                throw new IllegalStateException("not connected: peer=" + kind.label());
            }
            Thread.yield();
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        if (length != MESSAGE_LENGTH || buffer.getLong(offset) != received) {
            misfits++;
        }
        received++;
    }

    /**
     * Publish messages in one batch, and consume them.
     *
     * @param messages of the batch.
     * @return messages consumed so far.
     */
    public long handOff(final int messages) {
        for (int i = 0; i < messages; i++) {
            message.putLong(0, sent++);
            if (!sender.offer(message, 0, MESSAGE_LENGTH)) {
                throw new IllegalStateException("an empty ring is full");
            }
        }
        sender.flush();
        while (received < sent) {
            if (receiver.poll() == 0) {
                sender.flush();
            }
        }
        if (misfits != 0) {
            throw new IllegalStateException("messages were lost, repeated or torn: misfits=" + misfits);
        }
        return received;
    }

    @Override
    public void close() {
        try {
            peer.close();
        } finally {
            TemporaryFolders.delete(folder);
        }
    }
}

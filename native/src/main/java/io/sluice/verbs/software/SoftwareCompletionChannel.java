package io.sluice.verbs.software;

import io.sluice.environment.LocalListener;
import io.sluice.environment.LocalSocket;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.collections.ArrayUtil;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * A completion channel: a socket to which peers that find a queue armed write its number. Completions made in this
 * process go past the socket.
 */
final class SoftwareCompletionChannel implements CompletionChannel, NamedFiles {
    private static final String CALL = "ibv_get_cq_event";
    /** Bytes read at once: peers write 4 for each event. */
    private static final int READ_LENGTH = 256;

    private final DeviceContext device;
    private final int number;
    private final LocalListener listener;
    private final ManyToOneConcurrentArrayQueue<CompletionEvents> events =
        new ManyToOneConcurrentArrayQueue<>(SoftwareLimits.MAX_COMPLETION_QUEUES);
    private final AtomicBoolean isWoken = new AtomicBoolean();
    private final List<Peer> peers = new CopyOnWriteArrayList<>();
    /** Events of the queues that are announced here; copied on every change. */
    private volatile CompletionEvents[] queues = {};
    private volatile boolean isClosed;

    private SoftwareCompletionChannel(final DeviceContext device, final int number, final LocalListener listener) {
        this.device = device;
        this.number = number;
        this.listener = listener;
    }

    static SoftwareCompletionChannel create(final DeviceContext device) {
        final int number = device.newNumber();
        device.removedFiles().ensureFolder();
        try {
            final SoftwareCompletionChannel created =
                new SoftwareCompletionChannel(device, number, device.environment().localSockets().listen(
                    device.folder().resolve(FabricNames.channelSocket(number)), SoftwareLimits.CHANNEL_BACKLOG));
            device.removedFiles().add(Kind.CHANNEL, created);
            return created;
        } catch (final IOException e) {
            throw SystemRefusal.of("ibv_create_comp_channel", Errno.ENOMEM, "no socket", e);
        }
    }

    @Override
    public CompletionQueue getEvent(final long timeoutNs) {
        final long startNs = device.environment().nanoTime();
        while (!isClosed) {
            final CompletionQueue queue = takeEvent();
            if (queue != null) {
                return queue;
            }
            try {
                if (readPeers()) {
                    continue;
                }
                final long remainingNs = Math.max(0, timeoutNs) - (device.environment().nanoTime() - startNs);
                if (isWoken.getAndSet(false) || remainingNs <= 0 || Thread.currentThread().isInterrupted()) {
                    return null;
                }
                listener.await(remainingNs);
            } catch (final IOException e) {
                if (isClosed) {
                    return null;
                }
                throw SystemRefusal.of(CALL, 0, "cannot wait", e);
            }
        }
        throw closed();
    }

    @Override
    public boolean await(final long timeoutNs) {
        if (isClosed) {
            throw closed();
        }
        try {
            // also without a wait, so that the listener's own wake-up does not outlive this one
            final boolean isReady =
                listener.await(isWoken.get() || !events.isEmpty() ? 0 : Math.max(0, timeoutNs));
            return isWoken.getAndSet(false) || isReady || !events.isEmpty();
        } catch (final IOException e) {
            if (isClosed) {
                return true;
            }
            throw SystemRefusal.of(CALL, 0, "cannot wait", e);
        }
    }

    private static VerbsException closed() {
        return new VerbsException(CALL, Errno.EINVAL, "the channel is closed");
    }

    private CompletionQueue takeEvent() {
        while (true) {
            final CompletionEvents queue = events.poll();
            if (queue == null) {
                return null;
            }
            if (queue.take()) {
                return queue.queue();
            }
        }
    }

    private boolean readPeers() throws IOException {
        LocalSocket accepted = listener.accept();
        while (accepted != null) {
            keep(accepted);
            accepted = listener.accept();
        }
        peers.removeIf(peer -> !peer.read());
        return !events.isEmpty();
    }

    /** Keeps a peer's socket; closes it when the channel was closed meanwhile, or there is no memory to read it. */
    private void keep(final LocalSocket accepted) {
        boolean isKept = false;
        try {
            final Peer peer = new Peer(accepted);
            synchronized (this) {
                isKept = !isClosed && peers.add(peer);
            }
        } finally {
            if (!isKept) {
                accepted.close();
            }
        }
    }

    /** Set-up: adds a queue, which peers may announce. */
    synchronized void add(final CompletionEvents queue) {
        queues = ArrayUtil.add(queues, queue);
    }

    synchronized void remove(final CompletionEvents queue) {
        queues = ArrayUtil.remove(queues, queue);
    }

    /** Any thread: announces an event of a queue of this channel. */
    void announce(final CompletionEvents queue) {
        // There is room: each queue has at most one event here, and the device no more queues than that.
        events.offer(queue);
        listener.wake();
    }

    @Override
    public void wake() {
        isWoken.set(true);
        listener.wake();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        device.removedFiles().remove(Kind.CHANNEL, this);
        listener.wake();
        try {
            listener.close();
        } finally {
            for (final Peer peer : peers) {
                peer.socket.close();
            }
        }
    }

    @Override
    public String missing() {
        return isClosed || listener.isThere() ? null : device.folder().resolve(FabricNames.channelSocket(number))
            + ", a socket that wakes a poller: no link that completes there is added or resumed";
    }

    @Override
    public void restoreFiles() throws IOException {
        if (missing() != null) {
            listener.restore();
        }
    }

    DeviceContext device() {
        return device;
    }

    int number() {
        return number;
    }

    /** A connected peer; what it writes is not trusted. */
    private final class Peer {
        private final LocalSocket socket;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_LENGTH);

        private Peer(final LocalSocket socket) {
            this.socket = socket;
        }

        /** Read what is there; false when the peer is gone. */
        private boolean read() {
            try {
                int count = socket.read(buffer);
                while (count > 0) {
                    buffer.flip();
                    while (buffer.remaining() >= Integer.BYTES) {
                        announceNumber(buffer.getInt());
                    }
                    buffer.compact();
                    count = socket.read(buffer);
                }
                if (count == 0) {
                    return true;
                }
            } catch (final IOException e) {
                // The peer is gone; its queue pairs' owners learn that from its process folder.
                socket.close();
                return false;
            }
            socket.close();
            return false;
        }

        private void announceNumber(final int queueNumber) {
            for (final CompletionEvents queue : queues) {
                if (queue.number() == queueNumber) {
                    queue.announce();
                }
            }
        }
    }
}

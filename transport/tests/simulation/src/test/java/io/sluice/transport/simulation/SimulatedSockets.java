package io.sluice.transport.simulation;

import io.sluice.environment.LocalListener;
import io.sluice.environment.LocalSocket;
import io.sluice.environment.LocalSockets;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.CloseHelper;

/**
 * Stream sockets in memory, as one process has them, which take and give any part of what they could: a stream has no
 * boundaries. Who waits for them is not stepped until something arrives. When the process dies they are closed, with
 * whatever has not been read yet still to be read.
 */
final class SimulatedSockets implements LocalSockets {
    /** Bytes under way: small, so that sockets are full at times. */
    private static final int CAPACITY = 512;

    private final SimulatedMachine machine;
    private final Host host;
    private final SplittableRandom random;
    private final Set<AutoCloseable> open = new LinkedHashSet<>();

    SimulatedSockets(final SimulatedMachine machine, final SplittableRandom random) {
        this.machine = machine;
        host = machine.host();
        this.random = random;
    }

    /** The process is dead: the operating system closes its sockets. */
    void die() {
        CloseHelper.closeAll(List.copyOf(open));
    }

    /** Sockets that were not closed. */
    int openCount() {
        return open.size();
    }

    @Override
    public LocalListener listen(final Path path, final int backlog) throws IOException {
        if (host.listeners.containsKey(path)) {
            throw new FileAlreadyExistsException(path.toString());
        }
        final Listener listener = new Listener(path, backlog);
        host.listeners.put(path, listener);
        open.add(listener);
        return listener;
    }

    @Override
    public LocalSocket connect(final Path path) throws IOException {
        final Listener listener = host.listeners.get(path);
        if (listener == null) {
            throw new ConnectException("nobody listens there: path=" + path);
        }
        if (listener.waiting.size() == listener.backlog) {
            throw new IOException("the backlog is full: path=" + path);
        }
        final Pipe there = new Pipe();
        final Pipe back = new Pipe();
        listener.add(there, back);
        return socket(back, there);
    }

    private Socket socket(final Pipe in, final Pipe out) {
        final Socket socket = new Socket(in, out);
        open.add(socket);
        return socket;
    }

    /** The listeners that all processes share. */
    static final class Host {
        private final Map<Path, Listener> listeners = new HashMap<>();

        /** Sockets that are open to connect to. */
        int listenerCount() {
            return listeners.size();
        }
    }

    private static final class Pipe {
        private final ByteBuffer bytes = ByteBuffer.allocate(CAPACITY);
        private boolean ended;
        private boolean abandoned;
        private Runnable watcher = () -> { };
    }

    private final class Socket implements LocalSocket {
        private final Pipe in;
        private final Pipe out;

        Socket(final Pipe in, final Pipe out) {
            this.in = in;
            this.out = out;
        }

        @Override
        public int read(final ByteBuffer buffer) {
            final int count = part(Math.min(in.bytes.position(), buffer.remaining()));
            if (in.bytes.position() == 0 && in.ended) {
                return -1;
            }
            in.bytes.flip();
            for (int i = 0; i < count; i++) {
                buffer.put(in.bytes.get());
            }
            in.bytes.compact();
            return count;
        }

        @Override
        public int write(final ByteBuffer buffer) throws IOException {
            if (out.abandoned || out.ended) {
                throw new IOException("the peer has closed");
            }
            final int count = part(Math.min(out.bytes.remaining(), buffer.remaining()));
            for (int i = 0; i < count; i++) {
                out.bytes.put(buffer.get());
            }
            out.watcher.run();
            return count;
        }

        private boolean isReadable() {
            return in.bytes.position() > 0 || in.ended;
        }

        private int part(final int most) {
            return most == 0 || random.nextBoolean() ? most : 1 + random.nextInt(most);
        }

        @Override
        public void close() {
            open.remove(this);
            out.ended = true;
            in.abandoned = true;
            out.watcher.run();
        }
    }

    private final class Listener implements LocalListener {
        private final Path path;
        private final int backlog;
        private final Deque<Socket> waiting = new ArrayDeque<>();
        private final Set<Socket> accepted = new LinkedHashSet<>();
        private SimulatedWorker waiter;
        private boolean woken;

        Listener(final Path path, final int backlog) {
            this.path = path;
            this.backlog = backlog;
        }

        void add(final Pipe in, final Pipe out) {
            in.watcher = this::end;
            waiting.add(socket(in, out));
            end();
        }

        @Override
        public LocalSocket accept() {
            final Socket socket = waiting.poll();
            if (socket != null) {
                accepted.add(socket);
            }
            return socket;
        }

        /** Returns at once: the agent that waits is not stepped before the wait is over. */
        @Override
        public boolean await(final long timeoutNs) {
            accepted.retainAll(open);
            if (woken || !waiting.isEmpty() || accepted.stream().anyMatch(Socket::isReadable)) {
                woken = false;
                return true;
            }
            if (timeoutNs > 0) {
                waiter = machine.parkIdling(timeoutNs);
            }
            return false;
        }

        @Override
        public void wake() {
            if (!end()) {
                woken = true;
            }
        }

        /** End a wait, if there is one. */
        private boolean end() {
            final boolean isWaiting = waiter != null && waiter.isParked();
            if (isWaiting) {
                waiter.wake();
            }
            waiter = null;
            return isWaiting;
        }

        @Override
        public boolean isThere() {
            return true;
        }

        @Override
        public void restore() {
            // nobody removes paths here
        }

        @Override
        public void close() {
            open.remove(this);
            if (host.listeners.remove(path, this)) {
                List.copyOf(waiting).forEach(Socket::close);
            }
        }
    }
}

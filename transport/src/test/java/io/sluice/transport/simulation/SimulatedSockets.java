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
import java.util.Map;
import java.util.SplittableRandom;

/** Stream sockets in memory, which take and give any part of what they could: a stream has no boundaries. */
final class SimulatedSockets implements LocalSockets {
    /** Bytes under way: small, so that sockets are full at times. */
    private static final int CAPACITY = 512;

    private final SplittableRandom random;
    private final Map<Path, Listener> listeners = new HashMap<>();

    SimulatedSockets(final SplittableRandom random) {
        this.random = random;
    }

    @Override
    public LocalListener listen(final Path path, final int backlog) throws IOException {
        if (listeners.containsKey(path)) {
            throw new FileAlreadyExistsException(path.toString());
        }
        final Listener listener = new Listener(path, backlog);
        listeners.put(path, listener);
        return listener;
    }

    @Override
    public LocalSocket connect(final Path path) throws IOException {
        final Listener listener = listeners.get(path);
        if (listener == null) {
            throw new ConnectException("nobody listens there: path=" + path);
        }
        if (listener.waiting.size() == listener.backlog) {
            throw new IOException("the backlog is full: path=" + path);
        }
        final Pipe there = new Pipe();
        final Pipe back = new Pipe();
        listener.waiting.add(new Socket(there, back));
        return new Socket(back, there);
    }

    /** Sockets that are open to connect to. */
    int listenerCount() {
        return listeners.size();
    }

    private static final class Pipe {
        private final ByteBuffer bytes = ByteBuffer.allocate(CAPACITY);
        private boolean ended;
        private boolean abandoned;
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
            return count;
        }

        private int part(final int most) {
            return most == 0 || random.nextBoolean() ? most : 1 + random.nextInt(most);
        }

        @Override
        public void close() {
            out.ended = true;
            in.abandoned = true;
        }
    }

    private final class Listener implements LocalListener {
        private final Path path;
        private final int backlog;
        private final Deque<Socket> waiting = new ArrayDeque<>();

        Listener(final Path path, final int backlog) {
            this.path = path;
            this.backlog = backlog;
        }

        @Override
        public LocalSocket accept() {
            return waiting.poll();
        }

        @Override
        public boolean await(final long timeoutNs) {
            throw new UnsupportedOperationException("nothing in the transport waits in a system call");
        }

        @Override
        public void wake() {
            // nobody waits
        }

        @Override
        public void close() {
            if (listeners.remove(path, this)) {
                waiting.forEach(Socket::close);
            }
        }
    }
}

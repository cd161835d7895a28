package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SystemLocalSocketTest {
    private static final int BACKLOG = 4;
    private static final long FOREVER_NS = Long.MAX_VALUE;
    private static final int CONNECTIONS = 500;

    @TempDir
    private Path directory;
    private Path path;
    private LocalListener listener;
    private final LocalSockets sockets = SystemEnvironment.instance().localSockets();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64);

    @BeforeEach
    void listen() throws IOException {
        path = directory.resolve("socket");
        listener = sockets.listen(path, BACKLOG);
    }

    @AfterEach
    void closeListener() {
        listener.close();
    }

    @Test
    void shouldAcceptNothingWhenNobodyWaits() throws IOException {
        assertNull(listener.accept());
        assertFalse(listener.await(0));
        assertFalse(listener.await(1));
    }

    @Test
    void shouldCarryBytesBothWays() throws IOException {
        try (LocalSocket connected = sockets.connect(path); LocalSocket accepted = listener.accept()) {
            assertEquals(3, connected.write(ByteBuffer.wrap(new byte[] {1, 2, 3})));
            assertArrayEquals(new byte[] {1, 2, 3}, read(accepted));
            assertEquals(2, accepted.write(ByteBuffer.wrap(new byte[] {4, 5})));
            assertArrayEquals(new byte[] {4, 5}, read(connected));
        }
    }

    @Test
    void shouldReadNothingWhenNothingWaits() throws IOException {
        try (LocalSocket connected = sockets.connect(path); LocalSocket accepted = listener.accept()) {
            assertEquals(0, connected.read(buffer));
            assertEquals(0, accepted.read(buffer));
        }
    }

    @Test
    void shouldWriteNothingWhenTheSocketIsFullAndLoseNothing() throws IOException {
        try (LocalSocket connected = sockets.connect(path); LocalSocket accepted = listener.accept()) {
            final ByteBuffer chunk = ByteBuffer.allocateDirect(4096);
            long written = 0;
            int count = connected.write(chunk);
            while (count > 0) {
                written += count;
                count = connected.write(chunk.clear());
            }
            assertTrue(written > 0);
            long received = 0;
            while (received < written) {
                received += accepted.read(buffer.clear());
            }
            assertEquals(written, received);
            assertEquals(0, accepted.read(buffer.clear()));
        }
    }

    @Test
    void shouldReadTheEndWhenThePeerHasClosed() throws IOException {
        final LocalSocket connected = sockets.connect(path);
        try (LocalSocket accepted = listener.accept()) {
            connected.write(ByteBuffer.wrap(new byte[] {1}));
            connected.close();
            connected.close();
            assertTrue(listener.await(FOREVER_NS));
            assertArrayEquals(new byte[] {1}, read(accepted));
            assertEquals(-1, accepted.read(buffer));
            assertThrows(IOException.class, () -> accepted.write(ByteBuffer.wrap(new byte[] {1})));
        }
    }

    /** The listener's selector keeps the descriptor for a while; the peer must not notice. */
    @Test
    void shouldReadTheEndAtOnceWhenAnAcceptedSocketIsClosed() throws IOException {
        try (LocalSocket connected = sockets.connect(path)) {
            final LocalSocket accepted = listener.accept();
            accepted.close();
            accepted.close();
            assertEquals(-1, connected.read(buffer));
            assertThrows(IOException.class, () -> connected.write(ByteBuffer.wrap(new byte[] {1})));
            assertThrows(ClosedChannelException.class, () -> accepted.read(buffer));
        }
    }

    @Test
    void shouldReadTheEndWhenThePeerIsKilled() throws IOException {
        try (ChildJvm child = ChildJvm.start(ConnectingMain.class, path.toString())) {
            assertTrue(listener.await(FOREVER_NS));
            try (LocalSocket accepted = listener.accept()) {
                assertTrue(listener.await(FOREVER_NS));
                assertArrayEquals(new byte[] {7}, read(accepted));
                assertFalse(listener.await(0));
                child.kill();
                assertTrue(listener.await(FOREVER_NS), "death ends the wait");
                assertEquals(-1, accepted.read(buffer));
            }
        }
    }

    @Test
    void shouldAwaitConnectionsAndBytes() throws IOException {
        try (LocalSocket connected = sockets.connect(path)) {
            assertTrue(listener.await(FOREVER_NS));
            assertTrue(listener.await(0), "the connection still waits");
            try (LocalSocket accepted = listener.accept()) {
                assertFalse(listener.await(0));
                connected.write(ByteBuffer.wrap(new byte[] {1}));
                assertTrue(listener.await(FOREVER_NS));
                read(accepted);
                assertFalse(listener.await(0));
            }
        }
    }

    @Test
    void shouldEndTheNextAwaitWhenWoken() throws IOException {
        listener.wake();
        assertFalse(listener.await(FOREVER_NS));
    }

    @Test
    void shouldEndARunningAwaitWhenWoken() throws Exception {
        final FutureTask<Boolean> await = new FutureTask<>(() -> listener.await(FOREVER_NS));
        Thread.ofPlatform().start(await);
        listener.wake();
        assertFalse(await.get());
    }

    @Test
    void shouldEndARunningAwaitWhenClosed() throws Exception {
        final FutureTask<Throwable> await =
            new FutureTask<>(() -> assertThrows(IOException.class, () -> listener.await(FOREVER_NS)));
        Thread.ofPlatform().start(await);
        listener.close();
        assertNotNull(await.get());
        assertThrows(ClosedChannelException.class, () -> listener.await(0));
        assertThrows(ClosedChannelException.class, listener::accept);
        listener.wake();
    }

    @Test
    void shouldRefuseToAwaitANegativeTime() {
        assertThrows(IllegalArgumentException.class, () -> listener.await(-1));
    }

    @Test
    void shouldLetAcceptedSocketsLiveOnWhenTheListenerIsClosed() throws IOException {
        try (LocalSocket connected = sockets.connect(path)) {
            try (LocalSocket accepted = listener.accept()) {
                listener.close();
                accepted.write(ByteBuffer.wrap(new byte[] {1}));
                assertArrayEquals(new byte[] {1}, read(connected));
            }
            assertEquals(-1, connected.read(buffer));
        }
    }

    @Test
    void shouldServeAnInterruptedThread() throws IOException {
        Thread.currentThread().interrupt();
        try (LocalSocket connected = sockets.connect(path); LocalSocket accepted = listener.accept()) {
            connected.write(ByteBuffer.wrap(new byte[] {1}));
            assertArrayEquals(new byte[] {1}, read(accepted));
            listener.await(TimeUnit.SECONDS.toNanos(1));
        }
        assertTrue(Thread.interrupted());
        assertNull(listener.accept(), "the listener is still open");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKeepNoDescriptorsOfClosedSockets() throws IOException {
        final long before = descriptors();
        for (int i = 0; i < CONNECTIONS; i++) {
            sockets.connect(path).close();
            listener.accept().close();
        }
        assertTrue(descriptors() - before < CONNECTIONS / 2, "before=" + before + " after=" + descriptors());
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.count();
        }
    }

    private byte[] read(final LocalSocket socket) throws IOException {
        final int count = socket.read(buffer.clear());
        final byte[] bytes = new byte[count];
        buffer.get(0, bytes);
        return bytes;
    }

    /** Connects, writes one byte, and waits for its end. */
    static final class ConnectingMain {
        public static void main(final String[] arguments) throws IOException {
            final LocalSocket socket = SystemEnvironment.instance().localSockets().connect(Path.of(arguments[0]));
            socket.write(ByteBuffer.wrap(new byte[] {7}));
            System.in.read();
            socket.close();
        }
    }
}

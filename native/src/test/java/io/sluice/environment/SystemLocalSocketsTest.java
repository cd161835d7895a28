package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SystemLocalSocketsTest {
    private static final int BACKLOG = 4;

    /** More than any system queues beyond the backlog that it was given. */
    private static final int MANY = 16 * BACKLOG;

    @TempDir
    private Path directory;
    private Path path;
    private final LocalSockets sockets = SystemEnvironment.instance().localSockets();

    @BeforeEach
    void namePath() {
        path = directory.resolve("socket");
    }

    @Test
    void shouldKeepTheSocketPrivateToTheUserAndDeleteItWhenClosed() throws IOException {
        try (LocalListener _ = sockets.listen(path, BACKLOG)) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
            assertEquals(List.of(path), SystemEnvironment.instance().files().list(directory));
        }
        try (Stream<Path> entries = Files.list(directory)) {
            assertEquals(List.of(), entries.toList());
        }
    }

    @Test
    void shouldListenAgainWhereItWasClosed() throws IOException {
        sockets.listen(path, BACKLOG).close();
        try (LocalListener _ = sockets.listen(path, BACKLOG); LocalSocket socket = sockets.connect(path)) {
            assertNotNull(socket);
        }
    }

    /** The other socket is the very one, under a second name: what tells them apart is the directory. */
    @Test
    void shouldDeleteNothingBelowALinkThatTookThePlaceOfItsDirectory() throws IOException {
        final Path mine = Files.createDirectory(directory.resolve("mine"));
        final Path other = Files.createDirectory(directory.resolve("other"));
        final LocalListener listener = sockets.listen(mine.resolve("socket"), BACKLOG);
        final Path socket = Files.createLink(other.resolve("socket"), mine.resolve("socket"));
        final Path lock = Files.createFile(other.resolve(SystemFiles.HIDDEN_PREFIX + "lock-socket"));
        Files.move(mine, directory.resolve("aside"));
        Files.createSymbolicLink(mine, other);

        assertThrows(UncheckedIOException.class, listener::close);

        assertTrue(Files.exists(socket));
        assertTrue(Files.exists(lock));
        assertFalse(SystemLocks.isLocked(directory.resolve("aside").resolve(lock.getFileName())));
    }

    @Test
    void shouldRefuseThePathOfALivingListener() throws IOException {
        try (LocalListener listener = sockets.listen(path, BACKLOG)) {
            assertThrows(FileAlreadyExistsException.class, () -> sockets.listen(path, BACKLOG));
            try (LocalSocket _ = sockets.connect(path); LocalSocket accepted = listener.accept()) {
                assertNotNull(accepted, "the listener is as it was");
            }
        }
    }

    @Test
    void shouldRefuseThePathOfALivingListenerOfAnotherProgram() throws IOException {
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(path));
            assertThrows(FileAlreadyExistsException.class, () -> sockets.listen(path, BACKLOG));
            sockets.connect(path).close();
        }
    }

    @Test
    void shouldTakeOverThePathOfADeadProcess() throws IOException {
        try (ChildJvm child = ChildJvm.start(ListeningMain.class, path.toString())) {
            assertEquals("listening", child.readLine());
            assertThrows(FileAlreadyExistsException.class, () -> sockets.listen(path, BACKLOG));
            sockets.connect(path).close();
            child.kill();
        }
        assertTrue(Files.exists(path));
        final String message = assertThrows(ConnectException.class, () -> sockets.connect(path)).getMessage();
        assertTrue(message.contains("nobody listens there") && message.contains("path=" + path), message);
        try (LocalListener _ = sockets.listen(path, BACKLOG); LocalSocket socket = sockets.connect(path)) {
            assertNotNull(socket);
        }
    }

    @Test
    void shouldRefuseAPathThatIsNotASocket() throws IOException {
        Files.writeString(path, "theirs");
        for (final IOException refusal : List.of(
            assertThrows(IOException.class, () -> sockets.listen(path, BACKLOG)),
            assertThrows(IOException.class, () -> sockets.connect(path)))) {
            assertTrue(refusal.getMessage().contains("not a socket: path=" + path), refusal.getMessage());
        }
        assertEquals("theirs", Files.readString(path));
    }

    @Test
    void shouldRefuseASymbolicLink() throws IOException {
        final Path link = Files.createSymbolicLink(directory.resolve("link"), path);
        try (LocalListener _ = sockets.listen(path, BACKLOG)) {
            assertThrows(IOException.class, () -> sockets.connect(link));
            assertThrows(IOException.class, () -> sockets.listen(link, BACKLOG));
        }
    }

    @Test
    void shouldRefuseAPathOfMoreThanAHundredBytes() throws IOException {
        final int prefixLength = directory.toString().length() + 1;
        final Path longest = directory.resolve("x".repeat(100 - prefixLength));
        sockets.listen(longest, BACKLOG).close();
        final Path tooLong = directory.resolve("x".repeat(98 - prefixLength) + "\u20ac");
        for (final IOException refusal : List.of(
            assertThrows(IOException.class, () -> sockets.listen(tooLong, BACKLOG)),
            assertThrows(IOException.class, () -> sockets.connect(tooLong)))) {
            assertTrue(refusal.getMessage().contains("length=101 bytes, at most 100"), refusal.getMessage());
        }
    }

    @Test
    void shouldRefuseABacklogThatIsNotPositive() {
        assertThrows(IllegalArgumentException.class, () -> sockets.listen(path, 0));
        assertFalse(Files.exists(path));
    }

    @Test
    void shouldNotConnectWhereNothingIs() {
        assertThrows(NoSuchFileException.class, () -> sockets.connect(path));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldRefuseToConnectWhenTheBacklogIsFull() throws IOException {
        final List<LocalSocket> connected = new ArrayList<>();
        try (LocalListener listener = sockets.listen(path, BACKLOG)) {
            final String message = assertThrows(IOException.class, () -> {
                while (connected.size() < MANY) {
                    connected.add(sockets.connect(path));
                }
            }).getMessage();
            assertTrue(message.contains("path=" + path), message);
            assertTrue(message.contains("backlog of the listener is full"), message);
            assertTrue(connected.size() >= BACKLOG, "connected=" + connected.size());
            for (int i = 0; i < connected.size(); i++) {
                listener.accept().close();
            }
            assertNull(listener.accept(), "the refused one does not wait");
            sockets.connect(path).close();
        } finally {
            connected.forEach(LocalSocket::close);
        }
    }

    /** Clients that had come before are accepted, and those that come afterwards. */
    @Test
    void shouldListenAgainWhenThePathWasRemoved() throws IOException {
        try (LocalListener listener = sockets.listen(path, BACKLOG); LocalSocket early = sockets.connect(path)) {
            assertTrue(listener.isThere());
            for (int times = 0; times < 3; times++) {
                Files.delete(path);
                assertFalse(listener.isThere());
                listener.restore();
                assertTrue(listener.isThere());
                try (LocalSocket late = sockets.connect(path)) {
                    assertTrue(listener.await(0));
                    assertNotNull(late);
                    listener.accept().close();
                }
            }
            assertNotNull(early);
            listener.accept().close();
            assertNull(listener.accept(), "one early client and three late ones");
        }
        try (Stream<Path> entries = Files.list(directory)) {
            assertEquals(List.of(), entries.toList(), "closing leaves nothing");
        }
    }

    @Test
    void shouldHaveItsLockAgainWhenThatFileWasRemoved() throws IOException {
        try (LocalListener listener = sockets.listen(path, BACKLOG)) {
            try (Stream<Path> entries = Files.list(directory)) {
                Files.delete(entries.filter(entry -> !entry.equals(path)).findAny().orElseThrow());
            }
            assertFalse(listener.isThere());
            listener.restore();
            assertTrue(listener.isThere());
            assertThrows(FileAlreadyExistsException.class, () -> sockets.listen(path, BACKLOG));
        }
        sockets.listen(path, BACKLOG).close();
    }

    /** Listens until its input ends. */
    static final class ListeningMain {
        public static void main(final String[] arguments) throws IOException {
            final LocalListener listener =
                SystemEnvironment.instance().localSockets().listen(Path.of(arguments[0]), BACKLOG);
            System.out.println("listening");
            System.in.read();
            listener.close();
        }
    }
}

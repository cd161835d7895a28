package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Folders of shared memory that are stale, foreign, full of garbage, or not there. */
class SharedFolderTest {
    private static final int STREAM_ID = 5;
    private static final int NOBODY = 65534;

    @RegisterExtension
    private final Transports transports = new Transports();

    private int nextStreamId = 100;

    private void assertWorks(final Transport transport, final String endpoint) {
        final int streamId = nextStreamId++;
        final Subscription subscription = transport.addSubscription("sluice:ipc?endpoint=" + endpoint, streamId);
        final ExclusivePublication publication =
            transport.addExclusivePublication("sluice:ipc?window=64k|endpoint=" + endpoint, streamId);
        Transports.awaitImages(subscription, 1);
        for (int i = 0; i < 100; i++) {
            Transports.offer(publication, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
        }
    }

    private void assertRefused(final Path directory, final String... texts) {
        final TransportException ex = assertThrows(
            TransportException.class, () -> Transport.launch(transports.context().directory(directory)));
        assertEquals(ErrorKind.STORAGE, ex.kind());
        assertFalse(ex.getMessage().contains("ibv_"), ex.getMessage());
        for (final String text : texts) {
            assertTrue(ex.getMessage().contains(text), ex.getMessage());
        }
        assertTrue(ex.getMessage().contains(directory.toString()), ex.getMessage());
    }

    private Path folder() {
        return transports.fabric().directory();
    }

    private static void write(final Path file, final int length) throws IOException {
        Files.createDirectories(file.getParent(), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------")));
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Files.write(file, bytes);
    }

    @Test
    void shouldWorkBesideGarbage() throws IOException {
        final String dead = "4711-0123456789abcdef";
        final String listener = "0123456789abcdef0123456789abcdef";
        write(folder().resolve(dead).resolve("r0badcafe.h"), 4096);
        write(folder().resolve(dead).resolve("r0badcafe.d"), 65536);
        write(folder().resolve(dead).resolve("q000001"), 100);
        write(folder().resolve(dead).resolve("lock"), 0);
        write(folder().resolve("99-fedcba9876543210").resolve("subfolder").resolve("deep"), 10);
        write(folder().resolve("not-a-process").resolve("file"), 10);
        write(folder().resolve("file"), 10);
        write(folder().resolve("l/ipc=/default=").resolve(listener), 4096);
        write(folder().resolve("l/ipc=/default=").resolve("short"), 3);
        write(folder().resolve("l/ipc=/default=").resolve("empty"), 0);
        write(folder().resolve("l/ipc=/default=").resolve("%00%ff%"), 4096);
        write(folder().resolve("l/ipc=/default=/deeper=/deeper=").resolve(listener), 4096);
        write(folder().resolve("l/garbage"), 4096);
        Files.createSymbolicLink(folder().resolve("l/ipc=/default=/link"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(folder().resolve("12-0123456789abcdef"), Path.of("/etc"));
        assertWorks(transports.launch(), "default");
        assertFalse(Files.exists(folder().resolve(dead)), "what a dead process has left is removed");
        assertFalse(Files.exists(folder().resolve("l/ipc=/default=").resolve(listener)));
        assertTrue(Files.exists(folder().resolve("not-a-process/file")), "what is not ours is left alone");
        assertTrue(Files.exists(Path.of("/etc/passwd")));
    }

    /** Sparse ones, which take no memory as long as nobody touches them. */
    @Test
    void shouldWorkBesideFilesOfATerabyte() throws IOException {
        final String dead = "4711-0123456789abcdef";
        final String listener = "l/ipc=/default=/0123456789abcdef0123456789abcdef";
        final List<String> names = List.of("lock", "turns", listener, dead + "/lock", dead + "/r0badcafe.h",
            dead + "/r0badcafe.d", dead + "/q000001", dead + "/c000001", dead + "/x000001",
            "status/" + dead + "/lock", "status/" + dead + "/counters", "status/" + dead + "/errors");
        for (final String name : names) {
            final Path file = folder().resolve(name);
            write(file, 100);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
                opened.setLength(1L << 40);
            }
        }
        assertWorks(transports.launch(), "default");
        assertFalse(Files.exists(folder().resolve(dead)), "what a dead process has left is removed");
        assertFalse(Files.exists(folder().resolve("status").resolve(dead)));
        assertFalse(Files.exists(folder().resolve(listener)));
    }

    /** Garbage comes while transports run: somebody may put it where they look for each other. */
    @Test
    void shouldWorkWhenGarbageComesLater() throws IOException {
        final Transport transport = transports.launch();
        assertWorks(transport, "default");
        for (int i = 0; i < 50; i++) {
            write(folder().resolve("l/ipc=/default=").resolve(String.format(Locale.ROOT, "%032x", i * 7919L)), i * 100);
            write(folder().resolve("l/ipc=/default=").resolve(String.format(Locale.ROOT, "%032x", -i * 7919L)), 4096);
        }
        assertWorks(transport, "default");
        assertWorks(transports.launch(), "default");
    }

    @Test
    void shouldReportAFileWhereAFolderOfItsEndpointShouldBe() throws IOException {
        final Transport transport = transports.launch();
        assertWorks(transport, "good");
        final Path file = folder().resolve("l/ipc=/bad=");
        write(file, 10);
        assertRefused(folder(), "not a directory", file.toString());
        final Subscription subscription = transport.addSubscription("sluice:ipc?endpoint=bad", STREAM_ID);
        transports.awaitError("l/ipc=/bad=");
        assertWorks(transport, "good");
        assertEquals(0, subscription.imageCount());
    }

    @Test
    void shouldKeepItsLinksAndMakeNewOnesWhenItsFolderIsDeleted() throws IOException {
        final Transport transport = transports.launch();
        final Transport other = transports.launch();
        final Subscription subscription = other.addSubscription("sluice:ipc", STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication("sluice:ipc?window=64k", STREAM_ID);
        Transports.awaitImages(subscription, 1);
        try (Stream<Path> files = Files.walk(folder())) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
        for (int i = 0; i < 100; i++) {
            Transports.offer(publication, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
        }
        assertWorks(transport, "default");
        transports.awaitError("somebody has removed shared memory that is in use", folder().toString());
        assertWorks(transports.launch(), "default");
        transport.close();
        other.close();
    }

    @Test
    void shouldRefuseAFolderThatOthersMayWriteTo() throws IOException {
        final Path open = Files.createDirectory(folder().resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused(open, "writable by others", "777");
    }

    @Test
    void shouldRefuseAFolderOfAnotherUser() throws IOException {
        final Path foreign = Files.createDirectory(folder().resolve("foreign"));
        assumeTrue(isGivenAway(foreign), "only root can give a folder away");
        assertRefused(foreign, "another user", "ownerUid=" + NOBODY);
    }

    private static boolean isGivenAway(final Path path) {
        try {
            Files.setAttribute(path, "unix:uid", NOBODY);
            return true;
        } catch (final IOException ex) {
            return false;
        }
    }

    @Test
    void shouldRefuseWhatIsNoFolder() throws IOException {
        final Path file = Files.createFile(folder().resolve("file"));
        assertRefused(file, "not a directory");
        final Path link = Files.createSymbolicLink(folder().resolve("link"), folder());
        assertRefused(link, "symbolic link");
        assertRefused(Path.of("/proc/sluice"), "cannot use");
    }

    @Test
    void shouldRefuseAFolderWhoseNameIsTooLongForSockets() {
        assertRefused(folder().resolve("x".repeat(70)), "bytes", "at most");
    }
}

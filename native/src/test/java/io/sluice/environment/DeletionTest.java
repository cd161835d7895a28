package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class DeletionTest {
    private static final int SOMEBODY_ELSE = 12345;
    /** Rounds of swapping, many more than the few dozen in which a deletion by path finds the gap. */
    private static final int SWAP_ROUNDS = 3000;

    /** Rounds of owning a directory, many more than the few hundred in which somebody meets its end. */
    private static final int LOCK_ROUNDS = 2000;

    @TempDir
    private Path directory;
    private Path tree;
    private final SharedFiles files = SystemEnvironment.instance().files();

    @BeforeEach
    void createTree() throws IOException {
        tree = directory.resolve("tree");
        for (final String name : new String[] {"a", "b", "c"}) {
            Files.createDirectories(tree.resolve(name).resolve("child"));
            Files.createFile(tree.resolve(name).resolve("child/file"));
        }
    }

    @Test
    void shouldDeleteAFile() throws IOException {
        files.delete(tree.resolve("a/child/file"));
        assertFalse(Files.exists(tree.resolve("a/child/file")));
        assertTrue(Files.exists(tree.resolve("a/child")));
    }

    @Test
    void shouldDeleteADirectoryWithAllThatIsInIt() throws IOException {
        Files.createFile(tree.resolve(SystemFiles.HIDDEN_PREFIX + "partial-1"));
        files.delete(tree);
        assertFalse(Files.exists(tree));
    }

    @Test
    void shouldNotMindWhatDoesNotExist() throws IOException {
        files.delete(directory.resolve("absent"));
        files.delete(directory.resolve("absent/child"));
        assertTrue(Files.exists(tree));
    }

    @Test
    void shouldRemoveSymbolicLinksAndNeverFollowThem() throws IOException {
        final Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.createFile(outside.resolve("file"));
        Files.createSymbolicLink(tree.resolve("link"), outside);
        final Path top = Files.createSymbolicLink(directory.resolve("top"), outside);
        files.delete(tree);
        files.delete(top);
        assertFalse(Files.exists(tree));
        assertFalse(Files.exists(top, LinkOption.NOFOLLOW_LINKS));
        assertTrue(Files.exists(outside.resolve("file")));
    }

    @Test
    void shouldDeleteNothingElseWhileAnotherThreadSwapsLinksIntoTheTree() throws Exception {
        final Path outside = Files.createDirectory(directory.resolve("outside"));
        final Path theirs = outside.resolve("file");
        final Path child = tree.resolve("a/child");
        final Path aside = directory.resolve("aside");
        Files.createFile(theirs);
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread swapper = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                swap(child, aside, outside);
            }
        });
        try {
            for (int i = 0; i < SWAP_ROUNDS && Files.exists(theirs); i++) {
                plant(child);
                deleteAsFarAsPossible();
            }
        } finally {
            isOver.set(true);
            swapper.join();
        }
        assertTrue(Files.exists(theirs), "a file outside of the tree went with it");
    }

    /** Swaps a child for a link, as another user may in his own directory; failures are the other thread's doing. */
    private static void swap(final Path child, final Path aside, final Path outside) {
        try {
            Files.move(child, aside);
            Files.createSymbolicLink(child, outside);
            Files.delete(child);
            Files.move(aside, child);
        } catch (final IOException e) {
            deleteQuietly(aside.resolve("file"));
            deleteQuietly(aside);
        }
    }

    private static void deleteQuietly(final Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (final IOException e) {
            return;
        }
    }

    private static void plant(final Path child) {
        try {
            Files.createDirectories(child);
            Files.createFile(child.resolve("file"));
        } catch (final IOException e) {
            // the other thread is at it
            return;
        }
    }

    private void deleteAsFarAsPossible() {
        try {
            files.delete(tree);
        } catch (final IOException e) {
            // what was put there meanwhile stays
            return;
        }
    }

    @Test
    void shouldDeleteNoFileBelowALinkThatTookThePlaceOfItsDirectory() throws IOException {
        assertNoFileGoesWhenALinkTakesThePlaceOf(tree.resolve("a/child"));
    }

    @Test
    void shouldDeleteNoFileBelowALinkThatTookThePlaceOfADirectoryFurtherUp() throws IOException {
        assertNoFileGoesWhenALinkTakesThePlaceOf(tree.resolve("a"));
    }

    @Test
    void shouldDeleteNoTreeBelowALinkThatTookThePlaceOfADirectory() throws IOException {
        final Path looked = tree.resolve("a/child");
        final Path theirs = Files.createDirectories(directory.resolve("outside/a/child"));
        final Deletion deletion = Deletion.find(looked);
        replaceByLink(tree, directory.resolve("outside"));

        assertReplaced("cause=its directory was replaced", looked, deletion);
        assertTrue(Files.exists(theirs));
        assertTrue(Files.exists(directory.resolve("aside/a/child/file")));
    }

    @Test
    void shouldNotDeleteWhatTookThePlaceOfWhatWasLookedAt() throws IOException {
        final Path file = tree.resolve("a/child/file");
        final Deletion ofFile = Deletion.find(file);
        Files.move(file, directory.resolve("moved"));
        Files.createFile(file);
        assertReplaced("cause=it was replaced", file, ofFile);
        assertTrue(Files.exists(file));

        final Path child = tree.resolve("b/child");
        final Deletion ofTree = Deletion.find(child);
        Files.move(child, directory.resolve("aside"));
        Files.createDirectory(child);
        assertReplaced("cause=it was replaced", child, ofTree);
        assertTrue(Files.exists(child));
    }

    /** The other file is the very one, under a second name: what tells them apart is the directory. */
    private void assertNoFileGoesWhenALinkTakesThePlaceOf(final Path replaced) throws IOException {
        final Path file = tree.resolve("a/child/file");
        final Path outside = directory.resolve("outside");
        final Path theirs = outside.resolve(replaced.relativize(file));
        Files.createDirectories(theirs.getParent());
        Files.createLink(theirs, file);
        final Deletion deletion = Deletion.find(file);
        replaceByLink(replaced, outside);

        assertReplaced("cause=its directory was replaced", file, deletion);
        assertTrue(Files.exists(theirs));
    }

    private void replaceByLink(final Path replaced, final Path target) throws IOException {
        Files.move(replaced, directory.resolve("aside"));
        Files.createSymbolicLink(replaced, target);
    }

    private static void assertReplaced(final String cause, final Path path, final Deletion deletion) {
        final IOException refusal = assertThrows(IOException.class, deletion::delete);
        assertTrue(refusal.getMessage().contains("cannot delete: path=" + path + " " + cause), refusal.getMessage());
    }

    @Test
    void shouldDeleteNothingInADirectoryWhereOthersMayReplaceIt() throws IOException {
        final Path child = tree.resolve("a/child");
        Files.setPosixFilePermissions(child, PosixFilePermissions.fromString("rwxrwxrwx"));
        final Path file = child.resolve("file");
        final IOException refusal = assertThrows(IOException.class, () -> files.delete(file));
        assertTrue(refusal.getMessage().contains("directory is writable by others: path=" + child),
            refusal.getMessage());
        assertTrue(Files.exists(file));
    }

    @Test
    void shouldDeleteNothingOfAnotherUser() throws IOException {
        assumeTrue(CurrentUser.uid() == 0, "giving a file away takes root");
        final Path theirFile = tree.resolve("a/child/file");
        Files.setAttribute(theirFile, "unix:uid", SOMEBODY_ELSE);
        assertRefused(theirFile);
        Files.setAttribute(tree.resolve("b"), "unix:uid", SOMEBODY_ELSE);
        assertRefused(tree.resolve("b"));
        final IOException failure = assertThrows(IOException.class, () -> files.delete(tree));
        assertTrue(failure.getMessage().contains("path=" + tree.resolve("b") + " cause=belongs to another user"),
            failure.getMessage());
        assertTrue(Files.exists(tree.resolve("b/child/file")));
        assertFalse(Files.exists(tree.resolve("c")));
    }

    private void assertRefused(final Path path) {
        final IOException refusal = assertThrows(IOException.class, () -> files.delete(path));
        assertTrue(refusal.getMessage().contains("belongs to another user: path=" + path), refusal.getMessage());
        assertTrue(Files.exists(path));
    }

    @Test
    void shouldDeleteWithoutALockOnlyWhatIsNoDirectory() throws IOException {
        final IOException refusal = assertThrows(IOException.class, () -> Deletion.deleteFile(tree.resolve("a")));
        assertTrue(refusal.getMessage().contains("it has become a directory"), refusal.getMessage());
        assertTrue(Files.exists(tree.resolve("a/child/file")));
        Deletion.deleteFile(tree.resolve("a/child/file"));
        assertFalse(Files.exists(tree.resolve("a/child/file")));
        Deletion.deleteFile(tree.resolve("absent"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldDeleteEverythingElseWhenSomethingCannotBeDeleted() throws IOException, InterruptedException {
        // Not even root may delete from an immutable directory; everybody else may not from one without write access.
        final boolean isRoot = CurrentUser.uid() == 0;
        assumeTrue(protect(isRoot, "a") && protect(isRoot, "c"), "this file system knows no immutable files");
        try {
            final IOException failure = assertThrows(IOException.class, () -> files.delete(tree));
            final Path first = tree.resolve("a/child/file");
            final Path second = tree.resolve("c/child/file");
            final String message = failure.getMessage() + failure.getSuppressed()[1].getMessage()
                + failure.getSuppressed()[2].getMessage() + failure.getSuppressed()[3].getMessage();
            assertTrue(message.contains("path=" + first + " cause="), message);
            assertTrue(message.contains("path=" + second + " cause="), message);
            assertEquals(6, failure.getSuppressed().length, "two files, four directories and the tree");
            assertFalse(Files.exists(tree.resolve("b")));
        } finally {
            run("chattr", "-i", tree.resolve("a/child").toString(), tree.resolve("c/child").toString());
            run("chmod", "-R", "u+w", tree.toString());
        }
    }

    private boolean protect(final boolean isRoot, final String name) throws IOException, InterruptedException {
        final String child = tree.resolve(name).resolve("child").toString();
        return isRoot ? run("chattr", "+i", child) : run("chmod", "u-w", child);
    }

    private static boolean run(final String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    }

    /** The lock of a new directory, which somebody else may take for an abandoned one at first. */
    private AutoCloseable own(final Path owned, final Path lockFile) throws IOException {
        AutoCloseable lock = null;
        while (lock == null) {
            try {
                files.createDirectory(owned);
                lock = files.tryLock(lockFile);
            } catch (final IOException ex) {
                // it was taken for one, or again and again
                continue;
            }
        }
        return lock;
    }

    /** A launch tries the lock, and so makes a file in a directory that its owner is emptying. */
    @Test
    void shouldDeleteADirectoryWhoseLockIsTriedMeanwhile() throws Exception {
        final AtomicBoolean isOver = new AtomicBoolean();
        final Path owned = directory.resolve("owned");
        final Path lockFile = owned.resolve("lock");
        final Thread other = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                try {
                    files.deleteIfUnlocked(owned, lockFile, ProcessHandle.current().pid());
                } catch (final IOException ex) {
                    // the owner was quicker, whose deletion is in question
                    continue;
                }
            }
        });
        try {
            for (int i = 0; i < LOCK_ROUNDS; i++) {
                try (AutoCloseable lock = own(owned, lockFile)) {
                    assertNotNull(lock);
                    files.delete(owned);
                }
            }
        } finally {
            isOver.set(true);
            other.join();
        }
    }
}

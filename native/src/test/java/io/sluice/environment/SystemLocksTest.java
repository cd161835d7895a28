package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemLocksTest {
    private static final int ROUNDS = 2000;

    @TempDir
    private Path directory;
    private Path file;
    private final SharedFiles files = SystemEnvironment.instance().files();

    @BeforeEach
    void nameFile() {
        file = directory.resolve("lock");
    }

    @Test
    void shouldHoldALockUntilItIsClosed() throws Exception {
        try (AutoCloseable lock = files.tryLock(file)) {
            assertNotNull(lock);
            assertTrue(files.isLocked(file));
            assertNull(files.tryLock(file));
        }
        assertFalse(files.isLocked(file));
        try (AutoCloseable lock = files.tryLock(file)) {
            assertNotNull(lock);
        }
    }

    @Test
    void shouldNotReleaseTheNextLockWhenClosedTwice() throws Exception {
        final AutoCloseable first = files.tryLock(file);
        first.close();
        try (AutoCloseable second = files.tryLock(file)) {
            first.close();
            assertNotNull(second);
            assertTrue(files.isLocked(file));
        }
    }

    @Test
    void shouldAnswerForAFileUnderAnyOfItsNames() throws Exception {
        try (AutoCloseable _ = files.tryLock(file)) {
            final Path other = Files.createLink(directory.resolve("other"), file);
            assertTrue(files.isLocked(other));
            assertNull(files.tryLock(other));
        }
    }

    @Test
    void shouldNotCreateTheFileThatItIsAskedFor() {
        assertFalse(files.isLocked(file));
        assertFalse(files.isLocked(directory.resolve("absent/lock")));
        assertFalse(Files.exists(file));
    }

    @Test
    void shouldCountAFileThatIsGoneAsFree() throws Exception {
        try (AutoCloseable _ = files.tryLock(file)) {
            files.delete(file);
            assertFalse(files.isLocked(file));
            try (AutoCloseable next = files.tryLock(file)) {
                assertNotNull(next, "the new file of that name is another one");
            }
        }
    }

    @Test
    void shouldSeeTheLockOfAnotherProcessAndItsEndWhenThatIsKilled() throws Exception {
        try (ChildJvm child = ChildJvm.start(HoldingMain.class, file.toString())) {
            assertEquals("locked", child.readLine());
            assertTrue(files.isLocked(file));
            assertTrue(files.isLocked(file), "the first question changed nothing");
            assertNull(files.tryLock(file));
            child.kill();
        }
        assertFalse(files.isLocked(file));
        try (AutoCloseable lock = files.tryLock(file)) {
            assertNotNull(lock);
        }
    }

    @Test
    void shouldKeepTheLockOfAFileThatThisProcessMapsAndAsksFor() throws Exception {
        files.create(file, 1).close();
        try (AutoCloseable _ = files.tryLock(file);
            ChildJvm child = ChildJvm.start(AskingMain.class, file.toString())) {
            files.open(file, true).close();
            files.open(file, false).close();
            assertTrue(files.isLocked(file));
            assertNull(files.tryLock(file));
            Thread.currentThread().interrupt();
            files.open(file, true).close();
            assertTrue(Thread.interrupted());
            assertEquals("isLocked=true tryLock=false", ask(child));
        }
    }

    @Test
    void shouldAnswerOtherProcessesWhileTheyTakeAndReleaseTheLock() throws Exception {
        try (ChildJvm child = ChildJvm.start(AskingMain.class, file.toString())) {
            assertEquals("isLocked=false tryLock=true", ask(child));
            try (AutoCloseable _ = files.tryLock(file)) {
                assertEquals("isLocked=true tryLock=false", ask(child));
            }
            assertEquals("isLocked=false tryLock=true", ask(child));
        }
    }

    /** Asking takes a lock for a moment; the owner must neither fail nor be missed for that. */
    @Test
    void shouldGiveTheLockToItsOwnerWhileOthersAsk() throws Exception {
        Files.createFile(file);
        try (ChildJvm child = ChildJvm.start(AskingForeverMain.class, file.toString())) {
            assertEquals("asking", child.readLine());
            for (int i = 0; i < ROUNDS; i++) {
                try (AutoCloseable lock = files.tryLock(file)) {
                    assertNotNull(lock, "round " + i);
                }
            }
        }
    }

    private static String ask(final ChildJvm child) throws IOException {
        child.writeLine("?");
        return child.readLine();
    }

    /** Takes a lock and keeps it for as long as it lives. */
    static final class HoldingMain {
        public static void main(final String[] arguments) throws IOException {
            final AutoCloseable lock = SystemEnvironment.instance().files().tryLock(Path.of(arguments[0]));
            System.out.println(lock == null ? "taken" : "locked");
            System.in.read();
        }
    }

    /** Answers each line of input with what it finds the lock to be. */
    static final class AskingMain {
        public static void main(final String[] arguments) throws Exception {
            final SharedFiles files = SystemEnvironment.instance().files();
            final Path file = Path.of(arguments[0]);
            while (readLine()) {
                final boolean isLocked = files.isLocked(file);
                final AutoCloseable lock = files.tryLock(file);
                if (lock != null) {
                    lock.close();
                }
                System.out.println("isLocked=" + isLocked + " tryLock=" + (lock != null));
            }
        }

        private static boolean readLine() throws IOException {
            int next = System.in.read();
            while (next != '\n' && next >= 0) {
                next = System.in.read();
            }
            return next >= 0;
        }
    }

    /** Asks whether a file is locked, without a pause, until its input ends. */
    static final class AskingForeverMain {
        public static void main(final String[] arguments) throws IOException {
            final SharedFiles files = SystemEnvironment.instance().files();
            final Path file = Path.of(arguments[0]);
            Thread.ofPlatform().daemon().start(() -> {
                while (true) {
                    files.isLocked(file);
                }
            });
            System.out.println("asking");
            System.in.read();
        }
    }
}

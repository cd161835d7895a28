package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SystemLocksTest {
    private static final int ROUNDS = 2000;
    /** More than there can be: PID_MAX_LIMIT is 2^22. */
    private static final long NOBODY = 1L << 30;
    /** Longer than a folder without a lock file is left alone. */
    private static final long AGE_MS = 60_000;
    private static final long DEADLINE_SECONDS = 60;

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
            files.open(file, true, LockOwner.LENGTH).close();
            files.open(file, false, LockOwner.LENGTH).close();
            assertTrue(files.isLocked(file));
            assertNull(files.tryLock(file));
            Thread.currentThread().interrupt();
            files.open(file, true, LockOwner.LENGTH).close();
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

    @Test
    void shouldKeepTheLockOfAFileThatThisProcessOpensAndClosesByOtherMeans() throws Exception {
        try (AutoCloseable _ = files.tryLock(file);
            ChildJvm child = ChildJvm.start(PlainLockMain.class, file.toString())) {
            assertEquals("held", ask(child));
            useByOtherMeans(file);
            assertEquals("held", ask(child));
            assertTrue(files.isLocked(file));
            assertNull(files.tryLock(file));
        }
    }

    /** Uses a file as a library, an agent or a tool inside the process may use any. */
    private static void useByOtherMeans(final Path file) throws IOException {
        assertFalse(Files.readString(file).isEmpty());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.map(FileChannel.MapMode.READ_ONLY, 0, 1);
            try (FileLock lock = channel.tryLock()) {
                assertTrue(lock == null || lock.isValid());
            }
        }
        new RandomAccessFile(file.toFile(), "rw").close();
    }

    @Test
    void shouldKeepTheLockThatAnotherClassLoaderAsksForAndMaps() throws Exception {
        try (AutoCloseable _ = files.tryLock(file);
            ChildJvm child = ChildJvm.start(PlainLockMain.class, file.toString())) {
            SecondLoader.run(UsingTask.class, file);
            assertEquals("held", ask(child));
            assertTrue(files.isLocked(file));
        }
    }

    @Test
    void shouldKeepTheLockThatAnotherClassLoaderAsksForWithoutNativeAccess() throws Exception {
        try (ChildJvm plain = ChildJvm.start(PlainLockMain.class, file.toString());
            ChildJvm child = ChildJvm.startWithoutNativeAccess(TwoLoadersMain.class, file.toString())) {
            assertEquals("locked", child.readLine());
            assertEquals("held", ask(plain));
            assertTrue(files.isLocked(file));
        }
    }

    /** Then the lock of the process is gone, and only the name that it left in the file says that it lives. */
    @Test
    void shouldCountALivingOwnerAsAliveThatHasLostItsLock() throws Exception {
        try (ChildJvm plain = ChildJvm.start(PlainLockMain.class, file.toString());
            ChildJvm child = ChildJvm.startWithoutNativeAccess(LosingMain.class, file.toString())) {
            assertEquals("lost", child.readLine());
            assumeTrue("free".equals(ask(plain)), "here a lock of a process is not dropped when the file is closed");
            assertTrue(files.isLocked(file));
            assertNull(files.tryLock(file));
            assertFalse(files.deleteIfUnlocked(directory, file, NOBODY));
            assertTrue(Files.exists(file));
            child.kill();
            assertFalse(files.isLocked(file));
        }
    }

    @Test
    void shouldNotHandItsLocksToProcessesThatItStarts() throws Exception {
        final AutoCloseable lock = files.tryLock(file);
        try (ChildJvm child = ChildJvm.start(PlainLockMain.class, file.toString())) {
            assertEquals("held", ask(child));
            lock.close();
            assertEquals("free", ask(child));
        }
    }

    /** A fork that executes no other program inherits descriptors, and with them the locks. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldCountAnOwnerAsDeadWhoseForkedChildHasItsLock() throws Exception {
        final Path folder = Files.createDirectory(directory.resolve("folder"));
        final Path lockFile = folder.resolve("lock");
        long forked = 0;
        try (ChildJvm plain = ChildJvm.start(PlainLockMain.class, lockFile.toString());
            ChildJvm child = ChildJvm.start(ForkingMain.class, lockFile.toString())) {
            forked = Long.parseLong(child.readLine());
            assertTrue(files.isLocked(lockFile));
            assertFalse(files.deleteIfUnlocked(folder, lockFile, NOBODY));
            child.kill();
            assertEquals("held", ask(plain), "by the child of the dead owner");
            assertFalse(files.isLocked(lockFile));
            try (AutoCloseable lock = files.tryLock(lockFile)) {
                assertNotNull(lock);
                assertTrue(files.isLocked(lockFile));
            }
            assertTrue(files.deleteIfUnlocked(folder, lockFile, NOBODY));
            assertFalse(Files.exists(folder));
        } finally {
            if (forked > 0) {
                ProcessHandle.of(forked).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    @Test
    void shouldDeleteADirectoryOnlyWhenItsOwnerIsDead() throws Exception {
        final Path folder = Files.createDirectory(directory.resolve("folder"));
        final Path lockFile = folder.resolve("lock");
        try (ChildJvm child = ChildJvm.start(HoldingMain.class, lockFile.toString())) {
            assertEquals("locked", child.readLine());
            assertFalse(files.deleteIfUnlocked(folder, lockFile, NOBODY));
            assertTrue(Files.exists(lockFile));
            child.kill();
        }
        assertTrue(files.deleteIfUnlocked(folder, lockFile, NOBODY));
        assertFalse(Files.exists(folder));
        assertTrue(files.deleteIfUnlocked(folder, lockFile, NOBODY), "what is not there is no error");
    }

    @Test
    void shouldNotDeleteADirectoryThatHasLostItsLockFileWhileItsOwnerLives() throws Exception {
        final Path folder = Files.createDirectory(directory.resolve("folder"));
        final Path lockFile = folder.resolve("lock");
        assertFalse(files.deleteIfUnlocked(folder, lockFile, ProcessHandle.current().pid()));
        assertFalse(files.deleteIfUnlocked(folder, lockFile, NOBODY), "of another PID namespace, perhaps");
        assertTrue(Files.exists(folder));
        Files.setLastModifiedTime(folder, FileTime.fromMillis(System.currentTimeMillis() - AGE_MS));
        assertFalse(files.deleteIfUnlocked(folder, lockFile, ProcessHandle.current().pid()));
        assertTrue(files.deleteIfUnlocked(folder, lockFile, NOBODY));
        assertFalse(Files.exists(folder));
    }

    /** Removing files does not make their owner dead. */
    @Test
    void shouldWatchTheLockOfAFileThatHasLostItsName() throws Exception {
        final AutoCloseable lock = files.tryLock(file);
        try (LockWatch watch = files.watch(file, NOBODY)) {
            assertTrue(watch.isHeld());
            Files.delete(file);
            assertTrue(watch.isHeld());
            assertFalse(files.isLocked(file), "by its name there is nothing");
            try (AutoCloseable next = files.tryLock(file)) {
                assertNotNull(next);
                assertTrue(watch.isHeld());
                lock.close();
                assertFalse(watch.isHeld(), "the next file's lock is another one");
            }
        }
    }

    @Test
    void shouldWatchTheLockOfAnotherProcessUntilThatIsKilled() throws Exception {
        for (final boolean isNative : List.of(true, false)) {
            try (ChildJvm child = isNative
                ? ChildJvm.start(HoldingMain.class, file.toString())
                : ChildJvm.startWithoutNativeAccess(HoldingMain.class, file.toString())) {
                assertEquals("locked", child.readLine());
                try (LockWatch watch = files.watch(file, NOBODY)) {
                    Files.delete(file);
                    assertTrue(watch.isHeld());
                    child.kill();
                    assertFalse(watch.isHeld());
                }
            }
        }
    }

    /** Watching must not take the lock, nor drop it. */
    @Test
    void shouldWatchAnotherProcessWithoutNativeAccess() throws Exception {
        final AutoCloseable lock = files.tryLock(file);
        try (ChildJvm child = ChildJvm.startWithoutNativeAccess(WatchingMain.class, file.toString())) {
            assertEquals("true", ask(child));
            Files.delete(file);
            assertEquals("true", ask(child));
            lock.close();
            assertEquals("false", ask(child));
        }
        try (ChildJvm child = ChildJvm.startWithoutNativeAccess(WatchingItselfMain.class, file.toString())) {
            assertEquals("true true false", child.readLine());
        }
    }

    /** The owner may have lost the file, and make it anew. */
    @Test
    void shouldGoByTheOwnersProcessWhileThereIsNoFile() throws Exception {
        try (LockWatch own = files.watch(file, ProcessHandle.current().pid());
            LockWatch watch = files.watch(file, NOBODY)) {
            assertTrue(own.isHeld(), "the process lives");
            assertFalse(watch.isHeld(), "there is no such process");
            Files.createFile(file, NewFile.PRIVATE_FILE);
            assertTrue(own.isHeld(), "made anew, and not locked yet");
            assertFalse(watch.isHeld());
            final AutoCloseable lock = files.tryLock(file);
            assertTrue(own.isHeld());
            assertTrue(watch.isHeld());
            Files.delete(file);
            assertTrue(watch.isHeld());
            lock.close();
            assertFalse(own.isHeld(), "it is not asked by its name any more");
            assertFalse(watch.isHeld());
        }
    }

    @Test
    void shouldAnswerWhileAnotherThreadIsSlowAtALock() throws Exception {
        assumeTrue(LockCalls.instance() != null, "with locks of the process a question must wait");
        try (AutoCloseable _ = files.tryLock(file)) {
            final boolean[] isHeld = new boolean[2];
            final Thread asking = Thread.ofPlatform().daemon().unstarted(() -> {
                isHeld[0] = files.isLocked(file);
                try (LockWatch watch = files.watch(file, NOBODY)) {
                    isHeld[1] = watch.isHeld();
                }
            });
            synchronized ("io.sluice.environment.SystemLocks.MONITOR".intern()) {
                asking.start();
                assertTrue(asking.join(Duration.ofSeconds(DEADLINE_SECONDS)), "it waits for the other thread");
            }
            assertTrue(isHeld[0] && isHeld[1]);
        }
    }

    @Test
    void shouldTellWhatExistsWithoutFollowingLinks() throws IOException {
        assertFalse(files.exists(file));
        Files.createSymbolicLink(file, directory.resolve("nowhere"));
        assertTrue(files.exists(file));
        assertFalse(files.exists(directory.resolve("nowhere")));
        assertTrue(files.exists(directory));
    }

    /** Open file description locks and the other ones: processes with either must see each other's. */
    @Test
    void shouldSeeTheLocksOfProcessesWithoutNativeAccessAndBeSeenByThem() throws Exception {
        try (ChildJvm child = ChildJvm.startWithoutNativeAccess(AskingMain.class, file.toString())) {
            assertEquals("isLocked=false tryLock=true", ask(child));
            try (AutoCloseable _ = files.tryLock(file)) {
                assertEquals("isLocked=true tryLock=false", ask(child));
            }
            assertEquals("isLocked=false tryLock=true", ask(child));
        }
        try (ChildJvm child = ChildJvm.startWithoutNativeAccess(HoldingMain.class, file.toString())) {
            assertEquals("locked", child.readLine());
            assertTrue(files.isLocked(file));
            assertNull(files.tryLock(file));
            child.kill();
            assertFalse(files.isLocked(file));
        }
    }

    private static String ask(final ChildJvm child) throws IOException {
        child.writeLine("?");
        return child.readLine();
    }

    /** Answers each line of input with whether the first two bytes are locked, asked by a plain lock of Java. */
    static final class PlainLockMain {
        public static void main(final String[] arguments) throws Exception {
            while (AskingMain.readLine()) {
                try (FileChannel channel = FileChannel.open(
                    Path.of(arguments[0]), StandardOpenOption.READ, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock(0, 2, false)) {
                    System.out.println(lock == null ? "held" : "free");
                }
            }
        }
    }

    /** Uses a file as a second application in the same JVM does when the first one has locked it. */
    public static final class UsingTask implements Consumer<Path> {
        @Override
        public void accept(final Path file) {
            final SharedFiles files = SystemEnvironment.instance().files();
            try {
                if (!files.isLocked(file) || files.tryLock(file) != null
                    || files.deleteIfUnlocked(file.getParent(), file, NOBODY)) {
                    throw new AssertionError("the lock of the first class loader is not seen");
                }
                files.open(file, true, LockOwner.LENGTH).close();
            } catch (final IOException e) {
                // without open file description locks it must not be opened
                return;
            }
        }
    }

    /** Takes a lock, and has another class loader ask for it. */
    static final class TwoLoadersMain {
        public static void main(final String[] arguments) throws Exception {
            final Path file = Path.of(arguments[0]);
            final AutoCloseable lock = SystemEnvironment.instance().files().tryLock(file);
            SecondLoader.run(UsingTask.class, file);
            System.out.println(lock == null ? "taken" : "locked");
            System.in.read();
        }
    }

    /** Takes a lock, and loses it where it is one of the process. */
    static final class LosingMain {
        public static void main(final String[] arguments) throws Exception {
            final Path file = Path.of(arguments[0]);
            final AutoCloseable lock = SystemEnvironment.instance().files().tryLock(file);
            FileChannel.open(file, StandardOpenOption.READ).close();
            System.out.println(lock == null ? "taken" : "lost");
            System.in.read();
        }
    }

    /** Takes a lock and forks a child that executes nothing. */
    static final class ForkingMain {
        public static void main(final String[] arguments) throws Throwable {
            final Linker linker = Linker.nativeLinker();
            final FunctionDescriptor noArguments = FunctionDescriptor.of(ValueLayout.JAVA_INT);
            final MethodHandle fork =
                linker.downcallHandle(linker.defaultLookup().find("fork").orElseThrow(), noArguments);
            final MethodHandle pause =
                linker.downcallHandle(linker.defaultLookup().find("pause").orElseThrow(), noArguments);
            final AutoCloseable lock = SystemEnvironment.instance().files().tryLock(Path.of(arguments[0]));
            // The child's only thread may not run Java for long: no other thread of the JVM is there.
            final int forked = (int) fork.invokeExact();
            while (forked == 0) {
                int _ = (int) pause.invokeExact();
            }
            System.out.println(lock == null ? "taken" : forked);
            System.in.read();
        }
    }

    /** Answers each line of input with whether the lock is held that it has watched from the beginning. */
    static final class WatchingMain {
        public static void main(final String[] arguments) throws IOException {
            try (LockWatch watch = SystemEnvironment.instance().files().watch(Path.of(arguments[0]), NOBODY)) {
                while (AskingMain.readLine()) {
                    System.out.println(watch.isHeld());
                }
            }
        }
    }

    /** Says whether its own lock is held: with a name, without, and when it is released. */
    static final class WatchingItselfMain {
        public static void main(final String[] arguments) throws Exception {
            final Path file = Path.of(arguments[0]);
            final SharedFiles files = SystemEnvironment.instance().files();
            final AutoCloseable lock = files.tryLock(file);
            try (LockWatch watch = files.watch(file, NOBODY)) {
                final boolean isNamedHeld = watch.isHeld();
                Files.delete(file);
                final boolean isNamelessHeld = watch.isHeld();
                lock.close();
                System.out.println(isNamedHeld + " " + isNamelessHeld + " " + watch.isHeld());
            }
        }
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

        static boolean readLine() throws IOException {
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

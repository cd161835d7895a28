package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class SystemFilesTest {
    private static final int SOMEBODY_ELSE = 12345;
    private static final int PAGE_SIZE = 4096;
    private static final int LENGTH = 3 * PAGE_SIZE + 5;
    private static final long TERABYTE = 1L << 40;
    private static final long MORE_THAN_ANY_DISK = Long.MAX_VALUE / 2;

    @TempDir
    private Path directory;
    private Path file;
    private final SharedFiles files = SystemEnvironment.instance().files();

    @BeforeEach
    void nameFile() {
        file = directory.resolve("file");
    }

    @Test
    void shouldCreateASmallFileWithItsContent() throws IOException {
        final byte[] content = {1, 2, 3, 4, 5};
        files.create(file, content);
        assertArrayEquals(content, Files.readAllBytes(file));
        assertEquals(PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(file));
        assertThrows(FileAlreadyExistsException.class, () -> files.create(file, content));
        assertThrows(IllegalArgumentException.class, () -> files.create(directory.resolve("empty"), new byte[0]));
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(List.of(file), left.toList());
        }
    }

    @Test
    void shouldKnowAnExistingDirectoryToShareFilesIn() {
        assertTrue(Files.isDirectory(files.sharedDirectory()));
    }

    @Test
    void shouldTellUsersWithoutANameApartByTheirNumber() throws IOException {
        final String name = System.getProperty("user.name");
        assertEquals(name, files.userName());
        try {
            // what the JDK makes of a user without an entry in the password file
            System.setProperty("user.name", "?");
            assertEquals(Integer.toString(CurrentUser.uid()), files.userName());
            System.clearProperty("user.name");
            assertEquals(Integer.toString(CurrentUser.uid()), files.userName());
        } finally {
            System.setProperty("user.name", name);
        }
    }

    @Test
    void shouldCreateADirectoryAndItsParentsPrivateToTheUser() throws IOException {
        final Path child = directory.resolve("parent/child");
        files.createDirectory(child);
        assertEquals("rwx------", permissions(child));
        assertEquals("rwx------", permissions(child.getParent()));
    }

    @Test
    void shouldAcceptADirectoryThatItCreatedBefore() throws IOException {
        final Path child = directory.resolve("child");
        files.createDirectory(child);
        files.createDirectory(child);
        assertTrue(Files.isDirectory(child));
    }

    @Test
    void shouldRefuseADirectoryThatOthersMayWriteTo() throws IOException {
        for (final String permissions : List.of("rwxrwx---", "rwx----w-")) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
            assertRefused("chmod go-w", directory, () -> files.createDirectory(directory));
            assertRefused("chmod go-w", directory, () -> files.list(directory));
            assertRefused("chmod go-w", directory, () -> files.create(file, LENGTH));
            assertRefused("chmod go-w", directory, () -> files.open(file, true, LENGTH));
            assertRefused("chmod go-w", directory, () -> files.tryLock(file));
        }
    }

    @Test
    void shouldAcceptADirectoryThatOthersMayReadOrThatIsSticky() throws IOException {
        for (final int mode : new int[] {0755, 01777}) {
            Files.setAttribute(directory, "unix:mode", mode);
            files.createDirectory(directory);
            assertEquals(List.of(), files.list(directory));
        }
    }

    @Test
    void shouldListWhatComesAndGoesInADirectoryThatHadRested() throws IOException {
        final long longAgoMs = 1_000_000;
        Files.setLastModifiedTime(directory, FileTime.fromMillis(longAgoMs));
        assertEquals(List.of(), files.list(directory));
        assertEquals(List.of(), files.list(directory));
        Files.createFile(file);
        assertEquals(List.of(file), files.list(directory));
        Files.delete(file);
        assertEquals(List.of(), files.list(directory));
    }

    @Test
    void shouldRefuseASymbolicLinkAsDirectory() throws IOException {
        final Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        assertRefused("symbolic links", link, () -> files.createDirectory(link));
        assertRefused("symbolic links", link, () -> files.list(link));
    }

    @Test
    void shouldRefuseAFileAsDirectory() throws IOException {
        Files.createFile(file);
        assertRefused("not a directory", file, () -> files.createDirectory(file));
    }

    @Test
    void shouldRefuseADirectoryOfSomebodyElse() throws IOException {
        final Path theirs = isRoot() ? directory : Path.of("/usr");
        if (isRoot()) {
            Files.setAttribute(theirs, "unix:uid", SOMEBODY_ELSE);
        }
        assertRefused("belongs to another user", theirs, () -> files.createDirectory(theirs));
    }

    @Test
    void shouldListEntriesInOrder() throws IOException {
        Files.createFile(directory.resolve("b"));
        Files.createDirectory(directory.resolve("a"));
        assertEquals(List.of(directory.resolve("a"), directory.resolve("b")), files.list(directory));
    }

    @Test
    void shouldListNothingWhereThereIsNoDirectory() throws IOException {
        assertEquals(List.of(), files.list(directory.resolve("absent")));
    }

    @Test
    void shouldNotListWhatIsHalfWritten() throws IOException {
        Files.createFile(directory.resolve(SystemFiles.HIDDEN_PREFIX + "partial-1"));
        assertEquals(List.of(), files.list(directory));
    }

    @Test
    void shouldDeleteADirectoryOnlyWhenItIsEmpty() throws IOException {
        final Path child = directory.resolve("parent/child");
        files.createDirectory(child);
        assertFalse(files.deleteIfEmpty(child.getParent()));
        assertTrue(Files.exists(child));
        assertTrue(files.deleteIfEmpty(child));
        assertTrue(files.deleteIfEmpty(child), "gone already");
        Files.createFile(child.resolveSibling(".sluice-partial-1"));
        assertFalse(files.deleteIfEmpty(child.getParent()));
        files.create(file, 1).close();
        assertThrows(IOException.class, () -> files.deleteIfEmpty(file));
        assertTrue(Files.exists(file));
    }

    @Test
    void shouldFillASparseFileWhereItIsTold() throws IOException {
        final long length = 1L << 40;
        final long offset = (1L << 39) + 5;
        try (MappedMemory memory = files.createSparse(file, length)) {
            assertEquals(length, memory.length());
            assertEquals("rw-------", permissions(file));
            files.fill(file, offset, 16);
            UnsafeApi.putLong(memory.address() + offset, 7);
            try (MappedMemory other = files.view(file, length)) {
                assertEquals(7, UnsafeApi.getLong(other.address() + offset));
            }
            assertThrows(IllegalArgumentException.class, () -> files.fill(file, length - 15, 16));
            assertThrows(IllegalArgumentException.class, () -> files.fill(file, Long.MAX_VALUE - 15, 16));
            assertEquals(length, Files.size(file));
        }
        Files.delete(file);
        assertThrows(NoSuchFileException.class, () -> files.fill(file, 0, 16));
    }

    @Test
    void shouldSayHowMuchRoomThePartOfASparseFileNeeds() throws IOException {
        final long length = 1L << 42;
        files.createSparse(file, length).close();
        final IOException ex = assertThrows(IOException.class, () -> files.fill(file, 0, length));
        assertTrue(ex.getMessage().contains("path=" + file + " bytesNeeded=" + length), ex.getMessage());
    }

    @Test
    void shouldCreateAFileOfZerosPrivateToTheUser() throws IOException {
        try (MappedMemory memory = files.create(file, LENGTH)) {
            assertEquals(LENGTH, memory.length());
            assertEquals(0, memory.address() % PAGE_SIZE);
            assertEquals(-1, segment(memory).mismatch(MemorySegment.ofArray(new byte[LENGTH])));
        }
        assertEquals("rw-------", permissions(file));
        assertEquals(List.of(file), allEntries());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldGiveEveryByteOfANewFileItsPlaceOnTheDisk() throws IOException, InterruptedException {
        final int length = 3 * 1024 * 1024 + 1;
        files.create(file, length).close();
        final long allocated = allocated();
        assertTrue(allocated >= length, "allocated=" + allocated);
    }

    @Test
    void shouldShareMemoryBetweenMappings() throws IOException {
        try (MappedMemory created = files.create(file, LENGTH);
            MappedMemory writable = files.open(file, true, LENGTH);
            MappedMemory readable = files.open(file, false, LENGTH)) {
            segment(created).set(ValueLayout.JAVA_BYTE, LENGTH - 1, (byte) 1);
            segment(writable).set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
            assertEquals(LENGTH, readable.length());
            assertEquals(1, segment(readable).get(ValueLayout.JAVA_BYTE, LENGTH - 1));
            assertEquals(2, segment(readable).get(ValueLayout.JAVA_BYTE, 0));
        }
        assertEquals(2, Files.readAllBytes(file)[0]);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldMapReadOnlyWhenNotWritable() throws IOException {
        try (MappedMemory _ = files.create(file, LENGTH)) {
            assertEquals("rw-s", protection());
        }
        try (MappedMemory _ = files.open(file, false, LENGTH)) {
            assertEquals("r--s", protection());
        }
    }

    @Test
    void shouldRefuseAFileThatIsLongerThanItsKind() throws IOException {
        files.create(file, LENGTH).close();
        files.open(file, true, LENGTH).close();
        files.view(file, LENGTH).close();
        stretch(TERABYTE);
        final String named = "bytes=" + TERABYTE + " maximum=" + LENGTH;
        assertRefused(named, file, () -> files.open(file, true, LENGTH));
        assertRefused(named, file, () -> files.open(file, false, LENGTH));
        assertRefused(named, file, () -> files.view(file, LENGTH));
        stretch(LENGTH + 1);
        assertRefused("maximum=" + LENGTH, file, () -> files.view(file, LENGTH));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTouchNothingOfWhatIsOnlyLookedAtOrLongerThanAnyWindow() throws IOException, InterruptedException {
        file = files.sharedDirectory().resolve(directory.getFileName() + "-untouched");
        try {
            files.create(file, PAGE_SIZE).close();
            stretch(1L << 30);
            files.view(file, TERABYTE).close();
            assertEquals(PAGE_SIZE, allocated());
            stretch(TERABYTE);
            files.open(file, true, TERABYTE).close();
            assertEquals(PAGE_SIZE, allocated());
            stretch(2 * PAGE_SIZE);
            files.open(file, true, TERABYTE).close();
            assertEquals(2 * PAGE_SIZE, allocated(), "a ring is touched");
        } finally {
            files.delete(file);
        }
    }

    private void stretch(final long length) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(length);
        }
    }

    private long allocated() throws IOException, InterruptedException {
        final Process du = new ProcessBuilder("du", "--block-size=1", file.toString()).start();
        final long allocated = Long.parseLong(du.inputReader().readLine().split("\\s")[0]);
        du.waitFor();
        return allocated;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldUnmapOnceWhenClosed() throws IOException {
        final MappedMemory memory = files.create(file, LENGTH);
        memory.close();
        memory.close();
        assertEquals("", protection());
        assertTrue(Files.exists(file));
    }

    @Test
    void shouldRefuseToCreateAFileThatExists() throws IOException {
        Files.writeString(file, "theirs");
        assertThrows(FileAlreadyExistsException.class, () -> files.create(file, LENGTH));
        assertEquals("theirs", Files.readString(file));
        assertEquals(List.of(file), allEntries());
    }

    @Test
    void shouldRefuseToCreateAFileThroughASymbolicLink() throws IOException {
        final Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertThrows(FileAlreadyExistsException.class, () -> files.create(link, LENGTH));
        assertEquals(List.of(link), allEntries());
    }

    @Test
    void shouldRefuseALengthThatIsNotPositive() {
        for (final long length : new long[] {0, -1, Long.MIN_VALUE}) {
            final String message =
                assertThrows(IllegalArgumentException.class, () -> files.create(file, length)).getMessage();
            assertTrue(message.contains("length=" + length + " must be greater than 0"), message);
        }
    }

    @Test
    void shouldRefuseAFileThatCannotFitBeforeWritingIt() throws IOException {
        final String message =
            assertThrows(IOException.class, () -> files.create(file, MORE_THAN_ANY_DISK)).getMessage();
        assertTrue(message.contains("path=" + file + " bytesNeeded=" + MORE_THAN_ANY_DISK + " bytesUsable="), message);
        assertEquals(List.of(), allEntries());
    }

    @Test
    void shouldWriteAndMapForAThreadThatIsInterrupted() throws IOException {
        Thread.currentThread().interrupt();
        try (MappedMemory created = files.create(file, 100_000);
            MappedMemory opened = files.open(file, true, 100_000)) {
            files.fill(file, 50_000, 50_000);
            assertTrue(Thread.interrupted(), "kept for afterwards");
            new UnsafeBuffer(created.address(), 100_000).putLong(50_000, 7);
            assertEquals(7, new UnsafeBuffer(opened.address(), 100_000).getLong(50_000));
        }
    }

    /** A limit on the size of files stands for the disk that fills while the file is written. */
    @Test
    void shouldLeaveNothingBehindWhenTheDiskIsFullInTheMiddle() throws IOException {
        try (ChildJvm child = ChildJvm.startAfter("ulimit -f 256", CreatingMain.class, file.toString())) {
            final String message = child.readLine();
            assertTrue(message.contains("path=" + file + " bytesNeeded=1048576 bytesUsable="), message);
            assertTrue(message.contains("cause=pwrite failed: errno=27 (EFBIG); it is longer"), message);
            assertEquals(message.indexOf("errno="), message.lastIndexOf("errno="), message);
        }
        assertEquals(List.of(), allEntries());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldRefuseAFileThatDoesNotFitOnATinyDisk() throws IOException, InterruptedException {
        assumeTrue(isRoot(), "mounting a tiny disk takes root");
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tiny", directory.toString()),
            "this container may not mount a tmpfs");
        try {
            final String message = assertThrows(IOException.class, () -> files.create(file, 65537)).getMessage();
            assertTrue(message.contains("path=" + file + " bytesNeeded=65537 bytesUsable=65536"), message);
            files.create(file, 65536).close();
            assertEquals(List.of(file), allEntries());
        } finally {
            run("umount", directory.toString());
        }
    }

    @Test
    void shouldNotOpenWhatDoesNotExist() {
        assertThrows(NoSuchFileException.class, () -> files.open(file, true, LENGTH));
        assertFalse(Files.exists(file));
    }

    @Test
    void shouldNotOpenSymbolicLinks() throws IOException {
        files.create(file, LENGTH).close();
        final Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertRefused("symbolic links", link, () -> files.open(link, false, LENGTH));
        assertRefused("symbolic links", link, () -> files.tryLock(link));
    }

    @Test
    void shouldNotOpenEmptyFiles() throws IOException {
        Files.createFile(file);
        assertRefused("file is empty", file, () -> files.open(file, false, LENGTH));
    }

    @Test
    void shouldNotOpenWhatIsNotAFile() throws IOException, InterruptedException {
        final Path pipe = directory.resolve("pipe");
        assumeTrue(run("mkfifo", pipe.toString()), "no mkfifo");
        assertRefused("not a regular file", pipe, () -> files.open(pipe, false, LENGTH));
        assertRefused("not a regular file", pipe, () -> files.tryLock(pipe));
        assertTrue(files.isLocked(pipe), "what cannot be examined counts as locked");
    }

    @Test
    void shouldNotOpenFilesOfSomebodyElse() throws IOException {
        assumeTrue(isRoot(), "giving a file away takes root");
        files.create(file, LENGTH).close();
        Files.setAttribute(file, "unix:uid", SOMEBODY_ELSE);
        assertRefused("belongs to another user", file, () -> files.open(file, false, LENGTH));
        assertRefused("belongs to another user", file, () -> files.tryLock(file));
        assertTrue(files.isLocked(file), "what cannot be examined counts as locked");
    }

    @Test
    void shouldNotOpenFilesThatOthersMayUse() throws IOException {
        files.create(file, LENGTH).close();
        for (final String permissions : List.of("rw-r-----", "rw--w----", "rw----r--", "rw-----w-")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
            assertRefused("chmod go=", file, () -> files.open(file, false, LENGTH));
            assertRefused("chmod go=", file, () -> files.readSecret(file, LENGTH));
        }
    }

    @Test
    void shouldReadASecretFromWhereverItLies() throws IOException {
        Files.writeString(file, "secret");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertEquals("secret", new String(files.readSecret(file, 6), StandardCharsets.US_ASCII));
        assertRefused("too long", file, () -> files.readSecret(file, 5));
    }

    @Test
    void shouldNotReadASecretWhereOthersCouldPutAnotherOne() throws IOException {
        Files.writeString(file, "secret");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        for (final String permissions : List.of("rwxrwxr-x", "rwxr-xrwx", "rwxrwxrwx")) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
            assertRefused("chmod go-w", directory, () -> files.readSecret(file, LENGTH));
        }
        // sticky, as /tmp is: others may not touch files there that are not theirs
        Files.setAttribute(directory, "unix:mode", 01777);
        assertEquals("secret", new String(files.readSecret(file, LENGTH), StandardCharsets.US_ASCII));
        final Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        final Path viaLink = link.resolve(file.getFileName());
        assertEquals("secret", new String(files.readSecret(viaLink, LENGTH), StandardCharsets.US_ASCII));
        assumeTrue(isRoot(), "giving a directory away takes root");
        Files.setAttribute(directory, "unix:mode", 0755);
        Files.setAttribute(directory, "unix:uid", SOMEBODY_ELSE);
        assertRefused("belongs to another user", directory, () -> files.readSecret(file, LENGTH));
    }

    @Test
    void shouldNotReadASecretThatIsNoFileOfThisUser() throws IOException {
        Files.writeString(file, "secret");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        final Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertRefused("symbolic links", link, () -> files.readSecret(link, LENGTH));
        assertRefused("not a regular file", directory, () -> files.readSecret(directory, LENGTH));
        assertThrows(NoSuchFileException.class, () -> files.readSecret(directory.resolve("absent"), LENGTH));
        assumeTrue(isRoot(), "giving a file away takes root");
        Files.setAttribute(file, "unix:uid", SOMEBODY_ELSE);
        assertRefused("belongs to another user", file, () -> files.readSecret(file, LENGTH));
    }

    @Test
    void shouldWorkForAnInterruptedThreadAndKeepTheInterrupt() throws IOException {
        Thread.currentThread().interrupt();
        files.create(file, LENGTH).close();
        files.open(file, true, LENGTH).close();
        assertTrue(Thread.interrupted());
    }

    private static void assertRefused(final String reason, final Path path, final Executable call) {
        final String message = assertThrows(IOException.class, call).getMessage();
        assertTrue(message.contains(reason) && message.contains("path=" + path), message);
    }

    private List<Path> allEntries() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        }
    }

    private String protection() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.endsWith(file.toString())).map(line -> line.split(" ")[1]).findFirst()
                .orElse("");
        }
    }

    private static MemorySegment segment(final MappedMemory memory) {
        return MemorySegment.ofAddress(memory.address()).reinterpret(memory.length());
    }

    private static String permissions(final Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static boolean isRoot() throws IOException {
        return CurrentUser.uid() == 0;
    }

    private static boolean run(final String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    }

    /** Tries to create a file of one megabyte and prints why it cannot. */
    static final class CreatingMain {
        public static void main(final String[] arguments) {
            final Path file = Path.of(arguments[0]);
            final IOException failure = assertThrows(
                IOException.class, () -> SystemEnvironment.instance().files().create(file, 1024 * 1024));
            System.out.println(failure.getMessage());
        }
    }
}

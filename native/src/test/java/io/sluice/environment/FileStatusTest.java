package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The status of a file says what the JDK's attributes say. */
class FileStatusTest {
    @TempDir
    private Path folder;

    @Test
    void shouldSayWhatTheJdkSays() throws IOException {
        final Path file = Files.writeString(folder.resolve("file ä"), "content");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_234_567_890_123L));
        final Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        for (final Path path : List.of(file, link, folder, Path.of("/dev/null"), Path.of("/proc/self"))) {
            final FileStatus status = FileStatus.of(path);
            final Map<String, Object> known =
                Files.readAttributes(path, "unix:dev,ino,uid,mode,size", LinkOption.NOFOLLOW_LINKS);
            assertEquals(known, Map.of("dev", status.device(), "ino", status.inode(), "uid", status.uid(), "mode",
                status.mode(), "size", status.size()), path::toString);
            assertEquals(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey()
                .toString(), status.key());
        }
        assertEquals(1_234_567_890_123L, FileStatus.of(file).modifiedMs());
    }

    @Test
    void shouldFindNothingWhereNothingIsAndSayWhyItCannotLook() throws IOException {
        final Path missing = folder.resolve("missing");
        assertNull(FileStatus.find(missing));
        assertThrows(NoSuchFileException.class, () -> FileStatus.of(missing));
        final FileSystemException refused =
            assertThrows(FileSystemException.class, () -> FileStatus.find(folder.resolve("x".repeat(300))));
        assertEquals(36, FileErrors.errno(refused), refused::toString);
    }

    @Test
    void shouldNumberDevicesAsTheCLibraryDoes() {
        assertEquals(0x801L, StatusCall.device(8, 1));
        assertEquals(0x0001_2000_6789_599aL, StatusCall.device(0x12959, 0x6789a));
    }
}

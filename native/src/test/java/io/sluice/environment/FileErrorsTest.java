package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileErrorsTest {
    @ParameterizedTest
    @CsvSource({
        "No space left on device, 28", "Too many open files, 24", "Too many open files in system, 23",
        "Read-only file system, 30", "Disk quota exceeded, 122"})
    void shouldFindTheNumberByTheTextThatTheJdkKeeps(final String text, final int errno) {
        assertEquals(errno, FileErrors.errno(new FileSystemException("file", null, text)));
        assertEquals(errno, FileErrors.errno(new IOException(text)));
        assertEquals(errno, FileErrors.errno(new SocketException("cannot bind: " + text)));
        assertEquals(errno, FileErrors.errno(new IOException("ours", new IOException(text))));
    }

    @Test
    void shouldFindTheNumberThatItHasWrittenItself() {
        assertEquals(24, FileErrors.errno(new IOException("open failed: " + FileErrors.describe(24))));
        assertEquals(77, FileErrors.errno(new IOException("fcntl failed: " + FileErrors.describe(77))));
    }

    @Test
    void shouldKnowNoNumberOfWhatIsNoErrorOfTheSystem() {
        assertEquals(FileErrors.UNKNOWN, FileErrors.errno(new IOException("empty: path=Too many open files/a")));
        assertEquals(FileErrors.UNKNOWN, FileErrors.errno(new NoSuchFileException("No space left on device")));
        assertEquals(FileErrors.UNKNOWN, FileErrors.errno(new IllegalStateException("No space left on device")));
        assertEquals(13, FileErrors.errno(new AccessDeniedException("file")));
    }

    /** The JDK says the refusal in the language of this process. */
    @Test
    void shouldFindTheNumberOfARealRefusal(@TempDir final Path directory) throws IOException {
        final Path file = Files.createFile(directory.resolve("file"));
        IOException refusal = null;
        try {
            Files.createFile(file.resolve("below"));
        } catch (final IOException e) {
            refusal = e;
        }
        assertEquals(20, FileErrors.errno(refusal), () -> "ENOTDIR");
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 23, 24, 28, 122})
    void shouldTellAWantFromWhatIsWrongWithTheFile(final int errno) {
        assertTrue(FileErrors.isWant(new IOException(FileErrors.describe(errno))));
        assertFalse(FileErrors.isWant(new AccessDeniedException("file")));
        assertFalse(FileErrors.isWant(new NoSuchFileException("file")));
    }

    @Test
    void shouldTellWhatToDo() {
        assertTrue(FileErrors.remedy(24).contains("ulimit -n"));
        assertTrue(FileErrors.remedy(23).contains("fs.file-max"));
        assertTrue(FileErrors.remedy(28).contains("df -i"));
        assertEquals("", FileErrors.remedy(77));
    }
}

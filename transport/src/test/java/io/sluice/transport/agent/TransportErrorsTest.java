package io.sluice.transport.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.nio.file.FileSystemException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportErrorsTest {
    private static TransportException told(final ErrorKind tried, final Throwable error) {
        return TransportErrors.of(tried, "what failed", error, UnaryOperator.identity());
    }

    @ParameterizedTest
    @CsvSource({
        Errno.ENOMEM + ",RESOURCES", Errno.EMFILE + ",RESOURCES", Errno.ENFILE + ",RESOURCES",
        Errno.ENOENT + ",LINK_FAILED", Errno.OK + ",LINK_FAILED"})
    void shouldTellWhatIsUsedUpFromWhatFails(final int errno, final ErrorKind kind) {
        final VerbsException error = new VerbsException("ibv_create_qp", errno, "not now");
        final TransportException told = told(ErrorKind.LINK_FAILED, error);
        assertEquals(kind, told.kind());
        assertEquals(error.getMessage(), told.getMessage());
        assertSame(error, told.getCause());
    }

    @ParameterizedTest
    @CsvSource({"No space left on device", "Disk quota exceeded"})
    void shouldTellAFullFileSystemByItsCause(final String reason) {
        final VerbsException error = new VerbsException("ibv_reg_mr", Errno.ENOMEM, "no region",
            new FileSystemException("/dev/shm/r1", null, reason));
        assertEquals(ErrorKind.STORAGE, told(ErrorKind.LINK_FAILED, error).kind());
        assertEquals(ErrorKind.STORAGE,
            told(ErrorKind.LINK_FAILED, new TransportException(ErrorKind.LINK_FAILED, "no link", error)).kind());
    }

    @Test
    void shouldHandOnWhatIsToBeToldAlready() {
        final TransportException error = new TransportException(ErrorKind.DEGRADED, "runs unpinned");
        assertSame(error, told(ErrorKind.INTERNAL, error));
    }

    @Test
    void shouldSayWhatIsToldAlreadyInTheWordsOfItsMedium() {
        final TransportException error = new TransportException(ErrorKind.LINK_FAILED, "no queue pair");
        final TransportException told =
            TransportErrors.of(ErrorKind.INTERNAL, "what failed", error, SharedMemoryWords::of);
        assertNotSame(error, told);
        assertEquals(ErrorKind.LINK_FAILED, told.kind());
        assertEquals("no link's end", told.getMessage());
    }

    @Test
    void shouldNameTheClassOfABugThatSaysNothing() {
        assertEquals("what failed: java.lang.NullPointerException",
            told(ErrorKind.INTERNAL, new NullPointerException()).getMessage());
        assertEquals("what failed: java.lang.IllegalStateException",
            told(ErrorKind.INTERNAL, new IllegalStateException()).getMessage());
        assertEquals("agent has not stopped",
            told(ErrorKind.ABANDONED, new IllegalStateException("agent has not stopped")).getMessage());
    }

    @Test
    void shouldTellOfAnErrorThatIsTheCauseOfItsCause() {
        final IllegalStateException one = new IllegalStateException("one");
        one.initCause(new IllegalStateException("other", one));
        assertEquals(ErrorKind.INTERNAL, told(ErrorKind.INTERNAL, one).kind());
        assertFalse(FailureNews.isOfProcess(one));
    }

    @Test
    void shouldShowTheKindWhereverAnErrorIsWritten() {
        assertEquals(TransportException.class.getName() + ": IMAGE_LOST: image given up",
            new TransportException(ErrorKind.IMAGE_LOST, "image given up").toString());
    }
}

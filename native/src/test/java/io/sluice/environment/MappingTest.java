package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Operations on files run on threads of their own, which callers keep for a while; what cannot be mapped is told. */
class MappingTest {
    /** A file as long as a page, on a file system that lets nobody map it. */
    private static final Path UNMAPPABLE = Path.of("/sys/kernel/uevent_seqnum");

    @Test
    void shouldTakeNoThreadLocalsOfWhoAsked() throws IOException {
        final Thread thread = Mapping.uninterrupted(Thread::currentThread);
        assertNotEquals(Thread.currentThread(), thread);
        assertTrue(thread.isDaemon(), "no program waits for it to end");
        final ThreadLocal<String> inherited = new InheritableThreadLocal<>();
        inherited.set("of the caller");
        assertNull(Mapping.uninterrupted(inherited::get));
    }

    @Test
    void shouldGoOnAfterAnOperationThatFailed() throws IOException {
        for (int i = 0; i < 10; i++) {
            final String text = "failure " + i;
            assertEquals(text, assertThrows(IOException.class, () -> Mapping.uninterrupted(() -> {
                throw new IllegalStateException(text);
            })).getMessage());
            assertEquals(i, Mapping.uninterrupted(new Answer(i)));
        }
    }

    @Test
    void shouldKeepTheInterruptOfWhoAskedFromWhoComesNext() throws IOException {
        Thread.currentThread().interrupt();
        final boolean first = Mapping.uninterrupted(() -> Thread.currentThread().isInterrupted());
        assertTrue(Thread.interrupted(), "kept for afterwards");
        assertFalse(first);
        assertFalse(Mapping.uninterrupted(() -> Thread.currentThread().isInterrupted()));
    }

    @Test
    void shouldSayWhichFileCannotBeMappedAndWhatMayBeTheReason() throws IOException {
        assumeTrue(Files.isReadable(UNMAPPABLE) && Files.size(UNMAPPABLE) > 0, "needs Linux with " + UNMAPPABLE);
        try (FileChannel channel = FileChannel.open(UNMAPPABLE)) {
            final IOException e =
                assertThrows(IOException.class, () -> Mapping.map(channel, UNMAPPABLE, Mapping.Use.READ, Long.BYTES));

            assertTrue(e.getMessage().startsWith(
                "cannot map file: path=" + UNMAPPABLE + " bytes=8 cause="), e.getMessage());
            assertTrue(e.getMessage().contains("vm.max_map_count"), e.getMessage());
            assertTrue(e.getMessage().contains("ulimit -v"), e.getMessage());
        }
    }

    private record Answer(int value) implements Callable<Integer> {
        @Override
        public Integer call() {
            return value;
        }
    }
}

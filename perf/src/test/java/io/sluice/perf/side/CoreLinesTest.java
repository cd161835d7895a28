package io.sluice.perf.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two looks at the cores in one folder, each side with mappings of its own as in two processes; and what happens when
 * one side does not come, dies or gives up.
 */
class CoreLinesTest {
    private static final long SHORT_LIMIT_NS = 1_000_000;
    private static final int MIN_CPUS = 2;
    private static final int EARLY_LOOKS = 3;
    private static final Runnable NOTHING = () -> { };

    @TempDir
    private Path folder;

    @Test
    void shouldMeasureBeforeAndAfter() {
        needTwoProcessors();
        final CompletableFuture<Void> host = CompletableFuture.runAsync(() -> {
            CoreLines.before(folder).pong(NOTHING);
            CoreLines.after(folder).pong(NOTHING);
        });

        assertTrue(CoreLines.before(folder).ping(NOTHING) > 0);
        assertTrue(CoreLines.after(folder).ping(NOTHING) > 0);
        host.join();
    }

    @Test
    void shouldAttendToItsPeerUntilTheOtherSideIsThere() {
        needTwoProcessors();
        final AtomicInteger attendances = new AtomicInteger();
        final CompletableFuture<Void> late = new CompletableFuture<>();
        final CompletableFuture<Void> host = late.thenRunAsync(() -> CoreLines.after(folder).pong(NOTHING));

        CoreLines.after(folder).ping(() -> {
            if (attendances.incrementAndGet() == EARLY_LOOKS) {
                late.complete(null);
            }
        });

        host.join();
        assertTrue(attendances.get() >= EARLY_LOOKS);
    }

    @Test
    void shouldAttendToItsPeerUntilTheOtherSideAsks() {
        needTwoProcessors();
        final AtomicInteger attendances = new AtomicInteger();
        final CompletableFuture<Void> late = new CompletableFuture<>();
        final CompletableFuture<Double> guest = late.thenApplyAsync(ignored -> CoreLines.before(folder).ping(NOTHING));

        CoreLines.before(folder).pong(() -> {
            if (attendances.incrementAndGet() == EARLY_LOOKS) {
                late.complete(null);
            }
        });

        assertTrue(guest.join() > 0);
        assertTrue(attendances.get() >= EARLY_LOOKS);
    }

    @Test
    void shouldGiveUpWhenNobodyAnswers() {
        final CoreLines lines = impatient(0);

        assertTrue(failureOf(() -> lines.ping(NOTHING)).contains("to come to it"));
    }

    @Test
    void shouldGiveUpWhenNobodyAsks() {
        final CoreLines lines = impatient(1);

        assertTrue(failureOf(() -> lines.pong(NOTHING)).contains("to come to it"));
    }

    @Test
    void shouldGiveUpWhenTheOtherSideDiesWhileItAsks() throws IOException {
        final CoreLines lines = impatient(0);
        // what a process that has ended right after its first question leaves
        try (FileChannel file = FileChannel.open(onlyFile(), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, 1), 0);
        }

        assertTrue(failureOf(() -> lines.pong(NOTHING)).contains("to go on with it"));
    }

    @Test
    void shouldGiveUpTogether() {
        assertTrue(failureOf(() -> impatient(0).ping(NOTHING)).contains("waited"));

        assertTrue(failureOf(() -> CoreLines.before(folder).pong(NOTHING)).contains("the other side has given up"));
    }

    @Test
    void shouldNotWaitForASideThatHasFailed() {
        CoreLines.before(folder).abandon();
        CoreLines.after(folder).abandon();

        assertTrue(failureOf(() -> CoreLines.before(folder).pong(NOTHING)).contains("the other side has given up"));
        assertTrue(failureOf(() -> CoreLines.after(folder).ping(NOTHING)).contains("the other side has given up"));
    }

    @Test
    void shouldEndAWaitWhenTheOtherSideFails() {
        final CompletableFuture<Void> waiting = new CompletableFuture<>();
        final CompletableFuture<Void> host =
            CompletableFuture.runAsync(() -> CoreLines.after(folder).pong(() -> waiting.complete(null)));
        waiting.join();
        assertFalse(host.isDone());

        CoreLines.after(folder).abandon();

        assertEquals(
            IllegalStateException.class, assertThrows(CompletionException.class, host::join).getCause().getClass());
    }

    @Test
    void shouldKeepTheLooksApart() {
        needTwoProcessors();
        CoreLines.after(folder).abandon();
        final CompletableFuture<Void> host =
            CompletableFuture.runAsync(() -> CoreLines.before(folder).pong(NOTHING));

        assertTrue(CoreLines.before(folder).ping(NOTHING) > 0);
        host.join();
    }

    private static void needTwoProcessors() {
        assumeTrue(Runtime.getRuntime().availableProcessors() >= MIN_CPUS, "two threads that spin take two processors");
    }

    private CoreLines impatient(int page) {
        return new CoreLines(folder, page, SHORT_LIMIT_NS);
    }

    private static String failureOf(Runnable look) {
        return assertThrows(IllegalStateException.class, look::run).getMessage();
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findFirst().orElseThrow();
        }
    }
}

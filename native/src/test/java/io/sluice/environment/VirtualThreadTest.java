package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Virtual threads that spin and yield never leave their carriers to one that was parked and is runnable again. */
class VirtualThreadTest {
    private static final int LENGTH = 4096;
    /** Enough for the one that maps to have had its turn. */
    private static final long YIELDS = 20_000;
    /** Far longer than anything takes: reaching it is a failure. */
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final SharedFiles files = SystemEnvironment.instance().files();
    private final AtomicLong yields = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> spinners = new ArrayList<>();
    private volatile boolean isMapping;
    private volatile boolean isOver;

    @AfterEach
    void end() throws InterruptedException {
        isOver = true;
        for (final Thread spinner : spinners) {
            spinner.join();
        }
    }

    private void spin() {
        while (!isOver) {
            yields.incrementAndGet();
            Thread.yield();
        }
    }

    /** Started by a virtual thread, they wait in the queues of the carriers, which what is unparked never gets into. */
    private void occupyCarriers() {
        for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
            spinners.add(Thread.startVirtualThread(this::spin));
        }
        while (yields.get() < YIELDS) {
            Thread.yield();
        }
    }

    @Test
    void shouldNotKeepLocksWhileOthersHaveItsCarrier() throws Exception {
        final Path mapped = directory.resolve("mapped");
        files.create(mapped, LENGTH).close();
        final Thread mapper = Thread.startVirtualThread(() -> {
            occupyCarriers();
            isMapping = true;
            try {
                files.open(mapped, true, LENGTH).close();
            } catch (final IOException | RuntimeException e) {
                failure.set(e);
            }
        });
        assertTimeoutPreemptively(DEADLINE, () -> {
            while (!isMapping) {
                Thread.onSpinWait();
            }
            final long before = yields.get();
            while (yields.get() - before < YIELDS) {
                Thread.onSpinWait();
            }
            assertFalse(files.isLocked(directory.resolve("other")), "the question is answered");
            assertFalse(files.isLocked(mapped));
            mapper.join();
        });
        assertNull(failure.get());
        assertEquals(Thread.State.TERMINATED, mapper.getState());
    }
}

package io.sluice.transport.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.Environment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.kit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EntryGuardTest {
    private final EntryGuard guard = new EntryGuard();

    @Test
    void shouldSayThatNobodyWasInside() {
        assertTrue(guard.hasLeftSince(guard.snapshot()));
        assertFalse(guard.isInside());
    }

    @Test
    void shouldWaitForTheThreadThatIsInside() {
        guard.enter();
        final long snapshot = guard.snapshot();
        assertTrue(guard.isInside());
        assertFalse(guard.hasLeftSince(snapshot));
        guard.leave();
        assertTrue(guard.hasLeftSince(snapshot));
    }

    @Test
    void shouldKeepWaitingWhenTheThreadThatIsInsideEntersOnceMore() {
        guard.enter();
        final long snapshot = guard.snapshot();
        assertThrows(IllegalStateException.class, guard::enter);
        assertTrue(guard.isInside());
        assertFalse(guard.hasLeftSince(snapshot));
        guard.leave();
        assertTrue(guard.hasLeftSince(snapshot));
    }

    @Test
    void shouldNotWaitForAThreadThatCameBackIn() {
        guard.enter();
        final long snapshot = guard.snapshot();
        guard.leave();
        guard.enter();
        assertTrue(guard.hasLeftSince(snapshot), "it was outside in between, and has seen what changed");
    }

    /**
     * The guard's purpose: memory that was given up is never touched after the guard says that it may be released.
     */
    @Test
    void shouldKeepMemoryUntilTheThreadHasSeenTheChange() {
        final Environment environment = SystemEnvironment.instance();
        final Holder holder = new Holder();
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread application = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                guard.enter();
                final Block block = holder.block;
                if (block.isReleased) {
                    block.wasTouchedAfterRelease = true;
                }
                guard.leave();
            }
        });
        final List<Block> released = new ArrayList<>();
        for (int round = 0; round < 2_000; round++) {
            final Block old = holder.block;
            holder.block = new Block();
            environment.fenceAllThreads();
            final long snapshot = guard.snapshot();
            Await.until("the application thread to be outside once", () -> guard.hasLeftSince(snapshot));
            old.isReleased = true;
            released.add(old);
        }
        isOver.set(true);
        Await.end(application);
        assertEquals(0, released.stream().filter(block -> block.wasTouchedAfterRelease).count());
    }

    /** The holder in which the application thread finds the block, as the publication finds its links. */
    private static final class Holder {
        private volatile Block block = new Block();
    }

    /** Stands for memory: not volatile, as reads of memory are not. */
    private static final class Block {
        private boolean isReleased;
        private volatile boolean wasTouchedAfterRelease;
    }
}

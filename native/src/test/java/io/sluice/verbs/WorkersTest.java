package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The end of a test's workers, which keeps a test that is given up from ending the JVM. */
class WorkersTest extends VerbsSuite {
    @Test
    void shouldEndBeforeTheMemoryThatTheyWriteToIsGone() throws InterruptedException {
        final Endpoint endpoint = rig.onFirst(new EndpointOptions());
        final CountDownLatch writing = new CountDownLatch(1);
        final Thread writer = rig.workers.start(() -> {
            while (rig.workers.mayGoOn()) {
                endpoint.buffer.putLong(0, endpoint.buffer.getLong(0) + 1);
                writing.countDown();
            }
        });
        rig.workers.await(writing);

        // As at a time limit.
        Thread.currentThread().interrupt();
        rig.close();

        assertTrue(Thread.interrupted(), "the interrupt is kept");
        assertFalse(writer.isAlive());
    }

    @Test
    void shouldTellThatOneHasFailedAndStopTheOthers() throws InterruptedException {
        final Thread other = rig.workers.start(() -> {
            final Backoff backoff = new Backoff();
            while (rig.workers.mayGoOn()) {
                backoff.idle();
            }
        });
        final Thread failing = rig.workers.start(() -> {
            throw new IllegalStateException("on purpose");
        });

        final AssertionError failure =
            assertThrows(AssertionError.class, () -> rig.workers.join(other, failing));

        assertEquals("on purpose", failure.getCause().getMessage());
        assertThrows(AssertionError.class, () -> rig.workers.await(new CountDownLatch(1)));
    }
}

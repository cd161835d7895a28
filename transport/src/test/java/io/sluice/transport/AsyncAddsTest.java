package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.agent.TaskAgent;
import org.junit.jupiter.api.Test;

/** Asynchronous adds whose transport closes at any time. */
class AsyncAddsTest {
    private static final String CHANNEL = "sluice:ipc";

    private final TaskAgent setup = new TaskAgent("set-up", Integer.MAX_VALUE, error -> {
        throw new AssertionError(error);
    });
    private final AsyncAdds adds = new AsyncAdds(SystemEnvironment.instance(), setup);
    private final IllegalStateException why = new IllegalStateException("closed");

    /** An add that has looked before the close, and comes after it, would never be answered. */
    @Test
    void shouldRefuseWhatComesAfterTheClose() {
        adds.close(why);
        assertSame(why,
            assertThrows(IllegalStateException.class, () -> adds.add(CHANNEL, String.class, () -> "added")));
    }

    @Test
    void shouldRefuseMoreThanItsBoundOfAddsThatNobodyTakes() {
        final long first = adds.add(CHANNEL, String.class, () -> "added");
        for (int i = 1; i < AsyncAdds.MAX_WAITING; i++) {
            adds.add(CHANNEL, String.class, () -> "added");
        }
        final String message = assertThrows(
            IllegalStateException.class, () -> adds.add(CHANNEL, String.class, () -> "added")).getMessage();
        assertEquals("too many adds wait to be taken: waiting=16384 maximum=16384; get each by its number", message);
        while (setup.doWork() > 0) {
            // each of them
        }
        assertEquals("added", adds.take(first, String.class));
        adds.add(CHANNEL, String.class, () -> "added");
    }

    @Test
    void shouldFailWhatIsUnderWayAtTheClose() {
        final long id = adds.add(CHANNEL, String.class, () -> "added");
        assertNull(adds.take(id, String.class));
        adds.close(why);
        setup.doWork();
        assertSame(why, assertThrows(IllegalStateException.class, () -> adds.take(id, String.class)));
        assertThrows(IllegalArgumentException.class, () -> adds.take(id, String.class));
    }
}

package io.sluice.transport.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskAgentTest {
    private final List<Throwable> errors = new ArrayList<>();
    private final TaskAgent agent = new TaskAgent("tasks", 2, errors::add);
    private int runs;
    private int woken;

    /** A loop that runs the agents rests while nothing else happens. */
    @Test
    void shouldCountNoWorkOfWhatComesRoundAgainAndAgain() {
        agent.waker(() -> woken++);
        agent.submitLook(() -> runs++);
        agent.submit(() -> runs++);
        assertEquals(2, woken);
        assertFalse(agent.isIdle());
        assertEquals(1, agent.doWork());
        assertEquals(2, runs);
        assertTrue(agent.isIdle());

        final RuntimeException failure = new IllegalStateException("planted");
        agent.submitLook(() -> {
            throw failure;
        });
        assertEquals(0, agent.doWork());
        assertEquals(List.of(failure), errors);
        assertTrue(agent.isIdle());
    }
}

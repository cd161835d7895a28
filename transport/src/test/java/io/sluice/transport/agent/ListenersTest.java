package io.sluice.transport.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.conductor.SteppedConductor;
import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.BackPressureListener;
import io.sluice.transport.status.PeerEviction;
import io.sluice.transport.status.PressureState;
import io.sluice.transport.status.PressuredStream;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.stub.StubControlDevice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Listeners are told of what this transport has to say, however many strangers are refused meanwhile.
 */
class ListenersTest {
    private static final int STRANGERS = 4_000;
    private static final String OWN = "something of this transport";

    private final List<Throwable> told = new ArrayList<>();
    private final SteppedConductor stepped = new SteppedConductor(new StubControlDevice());

    /** Strangers fill no more than their part of what waits for a slow handler of errors. */
    @Test
    void shouldTakeAnOwnErrorWhileThoseOfStrangersWait() {
        final TaskAgent agent = new TaskAgent("slow", 2 * Listeners.MAX_REFUSABLE_WAITING, told::add);
        final Listeners listeners =
            new Listeners(agent, stepped.services().counters(), told::add, change -> { });
        for (int i = 0; i < STRANGERS; i++) {
            listeners.reportStranger(new IllegalStateException("10.77.0." + i));
            listeners.countStrangerRepeated(new IllegalStateException("10.77.0." + i));
            listeners.tell(change -> { }, new PeerEviction("consumer", "10.77.0." + i, 1, 1, 0, "behind"));
        }
        assertEquals(STRANGERS - (Listeners.MAX_REFUSABLE_WAITING + 2) / 3,
            stepped.count(TransportCounter.ERRORS_UNREPORTED));
        assertTrue(listeners.reportError(new IllegalStateException(OWN)));
        while (!agent.isIdle()) {
            agent.doWork();
        }
        assertEquals(OWN, told.getLast().getMessage());
    }

    @Test
    void shouldTellOnceWhoListensInBothPlaces() {
        final List<BackPressure> changes = new ArrayList<>();
        final BackPressureListener both = changes::add;
        final TaskAgent agent = new TaskAgent("listeners", 8, told::add);
        final Listeners listeners = new Listeners(agent, stepped.services().counters(), told::add, both);
        final BackPressure change = new BackPressure(PressureState.BLOCKED, PressureState.CLEAR,
            BackPressureCause.RING_FULL, new PressuredStream(PressuredStream.Side.SUBSCRIPTION, "sluice:ipc", 1, 0),
            "poll", 1, 1);
        assertTrue(listeners.tell(both, change, () -> { }));
        agent.doWork();
        assertEquals(List.of(change), changes);
        assertTrue(listeners.tell(other -> changes.add(other), change, () -> { }));
        agent.doWork();
        assertEquals(List.of(change, change, change), changes);
    }
}

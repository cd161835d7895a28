package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.transport.stub.ManualEnvironment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsumerSleepTest {
    private static final int ENOUGH = 10_000;

    private final ManualEnvironment environment = new ManualEnvironment();
    private final ConsumerSleep sleep = new ConsumerSleep(environment);
    private int woken;

    @BeforeEach
    void setWaker() {
        sleep.waker(() -> woken++);
    }

    private void idle(final int cycles) {
        for (int i = 0; i < cycles; i++) {
            sleep.onLook();
            sleep.idle(0);
        }
    }

    @Test
    void shouldSpinForAWhileFirst() {
        idle(100);
        sleep.wake();
        assertEquals(List.of(), environment.parksNs());
        assertEquals(0, woken, "nobody is woken who spins");
        idle(ENOUGH);
        assertFalse(environment.parksNs().isEmpty());
        sleep.wake();
        assertEquals(1, woken);
    }

    /** A message that comes after the consumer's last look and before it says that it sleeps wakes nobody. */
    @Test
    void shouldLookOnceMoreBetweenSayingThatItSleepsAndSleeping() {
        int wokenBefore = woken;
        while (woken == wokenBefore) {
            assertEquals(List.of(), environment.parksNs());
            sleep.onLook();
            sleep.idle(0);
            wokenBefore = woken;
            sleep.wake();
        }
        assertEquals(List.of(), environment.parksNs(), "it has said so, and not looked since");
        for (int i = 0; i < ENOUGH; i++) {
            sleep.idle(0);
        }
        assertEquals(List.of(), environment.parksNs());
        sleep.onLook();
        sleep.idle(0);
        assertEquals(1, environment.parksNs().size());
    }

    @Test
    void shouldSpinAgainAfterAMessage() {
        idle(ENOUGH);
        environment.parksNs().clear();
        sleep.idle(1);
        sleep.wake();
        assertEquals(0, woken);
        idle(100);
        assertEquals(List.of(), environment.parksNs());
    }
}

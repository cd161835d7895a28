package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;

class CoresTest {
    @Test
    void shouldUseBothOfTwoProcessors() {
        final Cores cores = Cores.of(2, 4, 6);
        assertEquals(4, cores.defaultPingCore());
        assertEquals(6, cores.defaultPongCore());
        assertSame(BusySpinIdleStrategy.INSTANCE, cores.idleStrategy());
        assertEquals("", cores.notice());
    }

    @Test
    void shouldLeaveTheFirstOfManyProcessorsAlone() {
        final Cores cores = Cores.of(4, 0, 1, 2, 3);
        assertEquals(1, cores.defaultPingCore());
        assertEquals(2, cores.defaultPongCore());
    }

    @Test
    void shouldNeitherPinNorSpinOnOneProcessor() {
        shouldNeitherPinNorSpinOn(Cores.of(1, 3));
    }

    @Test
    void shouldNeitherPinNorSpinWithTheTimeOfOneProcessor() {
        shouldNeitherPinNorSpinOn(Cores.of(1, 0, 1));
    }

    private static void shouldNeitherPinNorSpinOn(final Cores cores) {
        assertEquals(Cores.NONE, cores.defaultPingCore());
        assertEquals(Cores.NONE, cores.defaultPongCore());
        assertSame(YieldingIdleStrategy.INSTANCE, cores.idleStrategy());
        assertFalse(cores.notice().isEmpty());
        assertEquals("ping yields unpinned", cores.describe("ping", Cores.NONE));
    }

    @Test
    void shouldSayWhereAThreadSpins() {
        final String text = Cores.of(2, 0, 1).describe("pong", 1);
        assertTrue(text.startsWith("pong spins on cpu 1 ("), text);
    }
}

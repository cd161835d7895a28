package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PollerOptionsTest {
    @Test
    void shouldTakeDefaultsFromSystemProperties() {
        System.setProperty(Configuration.POLLER_COMPLETION_MODES_PROP, "spin, event");
        System.setProperty(Configuration.POLLER_SPIN_TIME_PROP, "50us");
        try {
            final PollerOptions options = new PollerOptions();
            assertEquals(List.of(CompletionMode.SPIN, CompletionMode.EVENT), options.completionModes());
            assertEquals(CompletionMode.EVENT, options.completionMode(5), "the last one is for those beyond");
            assertEquals(50_000, options.completionModes(CompletionMode.ADAPTIVE).spinTimeNs(9, 1));
        } finally {
            System.clearProperty(Configuration.POLLER_COMPLETION_MODES_PROP);
            System.clearProperty(Configuration.POLLER_SPIN_TIME_PROP);
        }
        assertEquals(List.of(CompletionMode.SPIN), new PollerOptions().completionModes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"lazy", "spin,", ""})
    void shouldRefuseUnknownWordsOfTheSystemProperty(final String text) {
        System.setProperty(Configuration.POLLER_COMPLETION_MODES_PROP, text);
        try {
            final Exception ex = assertThrows(IllegalArgumentException.class, PollerOptions::new);
            assertTrue(ex.getMessage().contains("known=[SPIN, EVENT, ADAPTIVE]"), ex.getMessage());
        } finally {
            System.clearProperty(Configuration.POLLER_COMPLETION_MODES_PROP);
        }
    }

    /** One processor is left for the application; pollers beyond the others sleep at once. */
    @Test
    void shouldNotSpinOnMorePollersThanTheMachineHasProcessorsFor() {
        final PollerOptions adaptive = new PollerOptions().completionModes(CompletionMode.ADAPTIVE);
        assertEquals(0, adaptive.spinTimeNs(0, 1));
        assertEquals(Configuration.POLLER_SPIN_TIME_DEFAULT_NS, adaptive.spinTimeNs(0, 2));
        assertEquals(0, adaptive.spinTimeNs(1, 2));
        assertEquals(7, adaptive.spinTimeNs(7).spinTimeNs(1, 2), "unless it is asked for");
        assertEquals(0, adaptive.spinTimeNs(7).completionModes(CompletionMode.EVENT).spinTimeNs(0, 8));
    }
}

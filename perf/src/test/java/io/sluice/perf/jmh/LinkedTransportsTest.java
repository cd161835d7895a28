package io.sluice.perf.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The two benchmarks time what they say: all links are there, and a link resumes. */
class LinkedTransportsTest {
    @Test
    void shouldReturnWhenAllLinksAreThere() {
        try (LinkedTransports transports = new LinkedTransports()) {
            assertEquals(7, transports.connect(7));
        }
    }

    /** More than the window holds, which the stopped process has left full. */
    @Test
    void shouldOfferAgainWhenTheLinkHasResumed() {
        try (StoppedSubscriber subscriber = new StoppedSubscriber()) {
            for (int i = 1; i <= 2; i++) {
                subscriber.stop();
                subscriber.proceed(4096);
                assertEquals(i, subscriber.resumes());
            }
        }
    }
}

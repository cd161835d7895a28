package io.sluice.perf.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/**
 * The benchmark's own subject: what it counts has come over one of many links.
 */
class AttachedLinksTest {
    private static final int LINKS = 20;

    @Test
    void shouldHandleWhatOneOfManyLinksCarries() {
        try (AttachedLinks links = new AttachedLinks(LINKS)) {
            assertEquals(0, links.pollIdle());
            assertEquals(1, links.offerAndPoll());
            links.doWork();
            assertEquals(2, links.offerAndPoll());
        }
    }
}

package io.sluice.transport.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class FailureKindTest {
    private static final String FULL = "no space: /dev/shm/sluice-me/fabric/4711-0123456789abcdef/";

    /** Each try makes another file: a full disk is one failure, and not hundreds. */
    @Test
    void shouldTakeNamesOfFilesThatAreMadeAnewForTheSame() {
        assertEquals(FailureKind.of(FULL + "rdcc55735.d"), FailureKind.of(FULL + "r0badcafe.d"));
        assertEquals(FailureKind.of(FULL + "qdefabc"), FailureKind.of(FULL + "q000001"));
        assertNotEquals(FailureKind.of(FULL + "rdcc55735.d"), FailureKind.of(FULL + "rdcc55735.h"));
    }

    @Test
    void shouldTellPlacesApart() {
        assertNotEquals(FailureKind.of("/dev/shm/prices"), FailureKind.of("/dev/shm/orders"));
        assertNotEquals(FailureKind.of("from 10.0.0.1:4711"), FailureKind.of("from 10.0.0.2:4711"));
        assertEquals(FailureKind.of("from 10.0.0.1:4711"), FailureKind.of("from 10.0.0.1:4712"));
    }
}

package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class MissingDeviceTest {
    @Test
    void shouldTellToLoadADriverOnlyWhereThereIsNoDevice() {
        assertEquals(
            "there is no device rxe9 but [rxe0, rxe1]: name one of these",
            RdmaDevices.missing("rxe9", List.of("rxe0", "rxe1"), List.of("rxe0", "rxe1")));
        assertTrue(RdmaDevices.missing("rxe9", List.of(), List.of()).contains("load the driver"));
        assertTrue(RdmaDevices.missing("rxe9", List.of(), List.of("rxe9")).contains("ib_uverbs"));
    }
}

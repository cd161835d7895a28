package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.verbs.foreign.PresentLibraries;
import org.junit.jupiter.api.Test;

class VerbsLibraryTest {
    @Test
    void shouldLinkEveryFunctionInUse() {
        PresentLibraries.assume();

        assertEquals("ibv_open_device", VerbsLibrary.instance().openDevice.name());
        assertEquals("rdma_establish", VerbsLibrary.instance().connectionManager().establish.name());
    }
}

package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuiteReportTest {
    private static final List<String> LINES = List.of("# a comment: rdma", "", "rdma: lacks TAKES_TURNS");

    @Test
    void shouldAllowSkipsByProviderAndReason() {
        assertTrue(SuiteReport.allows(LINES, "rdma(rxe0)", "rdma(rxe0) lacks TAKES_TURNS"));
        assertFalse(SuiteReport.allows(LINES, "rdma(rxe0)", "rdma(rxe0) lacks RESIZES"));
        assertFalse(SuiteReport.allows(LINES, "software", "software lacks TAKES_TURNS"));
        assertThrows(IllegalArgumentException.class,
            () -> SuiteReport.allows(List.of("lacks TAKES_TURNS"), "software", "lacks TAKES_TURNS"));
        assertFalse(SuiteReport.allows(List.of(), "rdma(rxe0)", "rdma(rxe0) lacks TAKES_TURNS"));
    }
}

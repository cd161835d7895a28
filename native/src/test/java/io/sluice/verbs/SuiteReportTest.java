package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
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

    /** The tests with a scripted device run where calls may call Java: in a build, or nowhere. */
    @Test
    void shouldAllowABuildToLackADeviceButNotCallsThatCallJava() throws IOException {
        assumeTrue(System.getProperty(SuiteReport.ALLOWED_SKIPS) != null, "no file of allowed skips is named");
        final List<String> inLab = SuiteReport.allowedSkips();
        final List<String> inBuild = SuiteReport.allowedInBuild(inLab);
        final String critical = "critical calls must not call Java";

        assertTrue(SuiteReport.allows(inLab, "bindings", critical));
        assertFalse(SuiteReport.allows(inBuild, "bindings", critical));
        assertFalse(SuiteReport.allows(inBuild, "bindings", "for no good reason"));
        assertTrue(SuiteReport.allows(inBuild, "bindings", "ibv_get_device_list: there are no RDMA devices: load"));
        assertTrue(SuiteReport.allows(inBuild, "bindings", "no C compiler here: gcc is not installed"));
        assertTrue(SuiteReport.allows(inBuild, "bindings", "only in the lab are huge pages ours to have"));
    }

    @Test
    void shouldAllowLibrpmaToBeMissingInABuildOnly() throws IOException {
        assumeTrue(System.getProperty(SuiteReport.ALLOWED_SKIPS) != null, "no file of allowed skips is named");
        final List<String> inLab = SuiteReport.allowedSkips();
        final List<String> inBuild = SuiteReport.allowedInBuild(inLab);

        for (final String reason : List.of("librpma.so.0 is not installed", "sluice.rpma.address is not set")) {
            assertTrue(SuiteReport.allows(inBuild, "librpma", reason), reason);
            assertFalse(SuiteReport.allows(inLab, "librpma", reason), reason);
        }
        assertTrue(SuiteReport.allows(inLab, "librpma", "no rpma_peer here: native/lab/rpma compiles it"));
    }
}

package io.sluice.verbs.foreign;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.verbs.VerbsException;

/** Whether this machine has rdma-core's libraries, without which much of the provider cannot be tried. */
public final class PresentLibraries {
    private PresentLibraries() {
    }

    /** Skip a test where they are missing, for the reason that a user is given. */
    public static void assume() {
        String missing = "";
        try {
            NativeLibraries.instance();
        } catch (final VerbsException ex) {
            missing = ex.getMessage();
        }
        assumeTrue(missing.isEmpty(), missing);
    }
}

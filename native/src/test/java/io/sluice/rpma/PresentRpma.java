package io.sluice.rpma;

import io.sluice.verbs.VerbsException;

/** Whether this machine has librpma, without which nobody knows the shapes of its functions. */
final class PresentRpma {
    private PresentRpma() {
    }

    /** Skip a test where it is missing, for the reason that a user is given, or fail it. */
    static void require() {
        String missing = "";
        try {
            RpmaLibrary.instance();
        } catch (final VerbsException e) {
            missing = e.getMessage();
        }
        RpmaPlace.require(missing.isEmpty(), missing);
    }
}

package io.sluice.samples.rpma;

import io.sluice.rpma.RpmaException;
import io.sluice.verbs.VerbsException;

/**
 * A connection over librpma cannot be had, or goes on no more, for a reason that one line tells the user.
 */
public final class RpmaLinkFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RpmaLinkFailure(final String message) {
        super(message);
    }

    RpmaLinkFailure(final RuntimeException cause) {
        super(cause.getMessage(), cause);
    }

    /** Do something with librpma. What the binding throws is a failure of the link. */
    static void around(final Runnable action) {
        try {
            action.run();
        } catch (final RpmaException | VerbsException e) {
            throw new RpmaLinkFailure(e);
        }
    }
}

package io.sluice.rpma;

/** What the binding throws, without the library. */
public final class RpmaFailures {
    private RpmaFailures() {
    }

    /** As when libibverbs or librdmacm has failed. */
    public static RpmaException ofProvider(final String call) {
        return new RpmaException(call, RpmaError.E_PROVIDER, 0, "no");
    }
}

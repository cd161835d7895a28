package io.sluice.transport.stream;

import io.sluice.codec.control.LinkBrokenReason;
import io.sluice.transport.counters.BreakReason;

/**
 * The wire's reasons as the transport's. A test holds both lists together. Stateless.
 */
public final class BreakReasons {
    private BreakReasons() {
    }

    /**
     * The reason that a peer has given.
     *
     * @param reason on the wire.
     * @return what the API calls it.
     */
    public static BreakReason of(final LinkBrokenReason reason) {
        // a newer peer's reason that this version does not know
        return reason == LinkBrokenReason.SBE_UNKNOWN ? BreakReason.ADMINISTRATIVE : BreakReason.valueOf(reason.name());
    }
}

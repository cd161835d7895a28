package io.sluice.transport.status;

/**
 * A listener that is told when a publication or a subscription comes under pressure, and when that is over. Called on a
 * thread that the transport has for listeners and the error handler, never on the data path: one that is slow delays
 * those, but no message and no image (with threading mode INVOKER, where the application's thread runs everything, it
 * does). While it is at one change, further ones of the same publication or subscription are counted ({@link
 * TransportCounter#BACK_PRESSURE_UNREPORTED}), and it is told where they have led when it is done. What it throws goes
 * to the error handler.
 */
@FunctionalInterface
public interface BackPressureListener {
    /**
     * Tells that the state has changed. Changes are looked for every 10 ms while the conductor has work, and every 50
     * ms after 200 ms without: one that is shorter may pass unnoticed, unless something was refused meanwhile; the
     * first offer that is refused wakes the conductor. While there is pressure it is told once more, with the same
     * state, when somebody else has been the laggard for 100 ms, at most as often; those who take turns faster are not
     * told.
     *
     * @param change from one state to another, or to another laggard.
     */
    void onBackPressure(BackPressure change);

    /**
     * Tells that a consumer of a subscription with {@code slow=evict} was taken out. Does nothing, unless overridden.
     *
     * @param eviction which one, with whom, and why.
     */
    default void onEviction(final ConsumerEviction eviction) {
    }

    /**
     * Tells that a peer that subscribes to a publication has taken a consumer out. Does nothing, unless overridden.
     *
     * @param eviction which one, and where.
     */
    default void onPeerEviction(final PeerEviction eviction) {
    }
}

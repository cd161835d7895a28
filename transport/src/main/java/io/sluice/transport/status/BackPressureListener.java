package io.sluice.transport.status;

/**
 * Told when a publication or a subscription comes under pressure, and when that is over. Called on the transport's
 * callback thread, never on the data path: one that is slow delays other callbacks, and what the queue to it has no
 * room for is counted ({@link TransportCounter#BACK_PRESSURE_UNREPORTED}), but never a message.
 */
@FunctionalInterface
public interface BackPressureListener {
    /**
     * The state has changed. Changes are looked for every millisecond or so: one that is shorter may pass unnoticed,
     * unless something was refused meanwhile.
     *
     * @param change from one state to another.
     */
    void onBackPressure(BackPressure change);
}

package io.sluice.verbs;

/**
 * What a provider offers to the behavioural suite. The suite knows nothing else of it.
 */
public interface DeviceFixture {
    /**
     * What providers differ in, beyond what the object model says.
     */
    enum Ability {
        /** Receives posted in the ERROR state are flushed too; rxe forgets them. */
        FLUSHES_RECEIVES_POSTED_IN_ERROR,
        /** A queue that has overrun refuses to be polled; rxe goes on with it. */
        REFUSES_POLL_AFTER_OVERRUN,
        /** All queue pairs of a queue that has overrun are in the ERROR state. */
        FAILS_QUEUE_PAIRS_AFTER_OVERRUN,
        /** A receive outside its region is refused when it is posted. */
        CHECKS_RECEIVES_WHEN_POSTED,
        /** Completion queues can be resized. */
        RESIZES,
        /** {@link RdmaDevice#listeners} tells who listens. */
        TELLS_LISTENERS
    }

    /**
     * Open two devices that reach each other.
     *
     * @return the devices, owned by the caller.
     */
    Devices open();

    /**
     * Whether the provider does what not all do.
     *
     * @param ability in question.
     * @return true when it does.
     */
    boolean has(Ability ability);

    /**
     * An address to listen at that nobody has used before.
     *
     * @return of the provider's form.
     */
    String newAddress();

    /**
     * Two devices, which may be the same one twice.
     */
    interface Devices extends AutoCloseable {
        /**
         * One.
         *
         * @return the device.
         */
        RdmaDevice first();

        /**
         * The other.
         *
         * @return the device.
         */
        RdmaDevice second();

        @Override
        void close();
    }
}

package io.sluice.verbs;

import java.util.stream.Stream;

/**
 * A provider, as the behavioural suite uses it. The suite knows nothing else of it.
 */
public interface DeviceFixture {
    /**
     * Abilities that providers differ in, beyond what the object model says.
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
        /** A local range outside its region ends in LOC_PROT_ERR; rxe flushes the request and names no cause. */
        NAMES_LOCAL_FAULTS,
        /** The owner of a region is told by an event when a peer may not access it; rxe is silent. */
        RAISES_ACCESS_EVENTS,
        /** A slot of the send queue is held until a completion is polled; rxe frees it when the request is done. */
        HOLDS_SEND_SLOTS,
        /** Completions of a connected queue pair tell the peer's number; verbs promise it for datagrams only. */
        TELLS_SOURCE_WHEN_CONNECTED,
        /** Queue pairs take turns in a completion queue; in a device's they come as they complete. */
        TAKES_TURNS,
        /** A flushed receive is announced to a queue that is armed for solicited completions; rxe's is not. */
        ANNOUNCES_FLUSHES_AS_SOLICITED,
        /** A message that arrives while a queue pair fails arrives once; rxe may carry out the last packet again. */
        DELIVERS_ONCE_WHILE_FAILING,
        /** A queue can be armed for solicited completions only; mana's and efa's cannot. */
        ANNOUNCES_SOLICITED_ONLY,
        /** Completion queues can be resized. */
        RESIZES,
        /** {@link RdmaDevice#listeners} tells who listens. */
        TELLS_LISTENERS,
        /** {@link CompletionChannel#descriptor()} has one. */
        HAS_CHANNEL_DESCRIPTORS,
        /** Programs that know nothing of this project reach it, since it speaks the protocols of RDMA. */
        REACHES_OTHER_PROGRAMS
    }

    /**
     * Open two devices that reach each other.
     *
     * @return the devices, owned by the caller.
     */
    Devices open();

    /**
     * Fixtures of this provider with each of its interfaces to completion queues and to posting, for tests that are
     * about these.
     *
     * @return fixtures, this one alone where there is only one way.
     */
    default Stream<DeviceFixture> variants() {
        return Stream.of(this);
    }

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

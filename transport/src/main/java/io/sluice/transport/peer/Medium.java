package io.sluice.transport.peer;

import io.sluice.transport.agent.Services;
import io.sluice.transport.settings.TransportParameters;

/**
 * A device that transports meet over, for who has publications and subscriptions. A transport has one medium for
 * {@code sluice:ipc}, and one for each device of its {@code sluice:rdma} channels.
 */
public interface Medium {
    /** {@return the parameters of the transport, with this medium's device} Any thread. */
    TransportParameters parameters();

    /** {@return the services of the transport, whose failures are told in the words of this medium} Any thread. */
    Services services();

    /**
     * Make sure of what one more publication or subscription needs before it is added. Any thread.
     *
     * @param party about to be added.
     * @throws IllegalStateException when somebody else has the name or address; the message says who.
     */
    void acquire(Party party);

    /**
     * Whether publications or subscriptions of this medium are met at an address. Any thread; one that is about to be
     * opened or closed is not waited for.
     *
     * @param address {@code host:port}.
     * @return false on a medium without addresses.
     */
    boolean listensAt(String address);

    /**
     * Meet others where a publication or subscription wants to. Conductor.
     *
     * @param party that was added.
     */
    void use(Party party);

    /**
     * Gives back what was made sure of for a publication or subscription that is gone. Conductor.
     *
     * @param party that was added.
     */
    void leave(Party party);

    /** {@return whether what is registered on the device counts as locked memory} Any thread. */
    boolean locksMemory();

    /** {@return whether there is no device to work with: it was removed or is broken, and looked for} Conductor. */
    boolean isAway();

    /**
     * Hear what the device has to tell, now: not while it tells. Conductor.
     *
     * @return events taken.
     */
    int takeEvents();

    /**
     * A publication or subscription that meets others at a place.
     *
     * @param rendezvous    the place, see {@link RendezvousName}.
     * @param isPublication or else a subscription.
     * @param controlName   that is to belong to one transport, or null.
     */
    record Party(String rendezvous, boolean isPublication, String controlName) {
    }
}

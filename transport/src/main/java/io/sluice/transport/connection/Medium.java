package io.sluice.transport.connection;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.verbs.VerbsException;

/**
 * A device that transports meet over: what is made from it, who is met there and how. A transport has one for
 * {@code sluice:ipc}, and one for each device of its {@code sluice:rdma} channels. Conductor only, but for
 * {@link #parameters()}, {@link #acquire} and {@link #listensAt}.
 */
public abstract class Medium {
    /** Why a peer is refused whose address {@link #allows} does not. */
    static final String NOT_ON_LIST = "the peer's address is not on the list of those that are allowed";

    private final TransportParameters parameters;
    private final Links links;
    private final Services services;
    private final ControlSessions sessions;
    private final DeviceEvents events;
    private final DeviceAbsence absence;

    Medium(final Peers peers, final TransportParameters parameters) {
        links = peers.links();
        services = peers.services();
        this.parameters = parameters;
        sessions = new ControlSessions(this, peers);
        events = new DeviceEvents(this);
        absence = new DeviceAbsence(this, peers);
    }

    /** Those of the transport, with this medium's device. Any thread. */
    final TransportParameters parameters() {
        return parameters;
    }

    final Links links() {
        return links;
    }

    /** Any thread. */
    final Services services() {
        return services;
    }

    final Tasks tasks() {
        return services.tasks();
    }

    final Failures failures() {
        return services.failures();
    }

    final ControlSessions sessions() {
        return sessions;
    }

    /**
     * Make sure of what one more publication or subscription needs before it is added. Any thread.
     *
     * @param party about to be added.
     * @throws IllegalStateException when somebody else has the name or address; the message says who.
     */
    abstract void acquire(Party party);

    /**
     * Whether publications or subscriptions of this medium are met at an address. Any thread; one that is about to be
     * opened or closed is not waited for.
     *
     * @param address {@code host:port}.
     * @return false on a medium without addresses.
     */
    public abstract boolean listensAt(String address);

    /** Meet others where a publication or subscription wants to. */
    abstract void use(Party party);

    /** A publication or subscription is gone; what was made sure of for it is given back. */
    abstract void leave(Party party);

    /** Accept who comes and look for others. */
    abstract int meet(long nowNs);

    /** A session is over and forgotten. */
    abstract void onForgotten(ControlSession session);

    /** Whether a peer is to hear of a subscription. */
    abstract boolean announces(ControlSession session, Party subscription);

    /** Whether a peer's subscription is meant by who meets others under a name. */
    abstract boolean isMet(String rendezvous, ControlSession session, RemoteSubscription subscription);

    /** Whether a session that has just been connected is to go on. */
    abstract boolean isWanted(ControlSession session);

    /** Whether what is registered on the device counts as locked memory. */
    abstract boolean locksMemory();

    /** Whether a peer may have an address; on a medium without addresses every peer may be there. */
    abstract boolean allows(byte[] address);

    /** Addresses of the device, or ways from it, may be others now: what could not be met is tried at once. */
    abstract void onAddressesChanged();

    /** Stop listening. */
    abstract void stopListening();

    final int doWork(final long nowNs) {
        final int work = takeEvents() + absence.doWork(nowNs);
        return work + (absence.isAway() ? 0 : meetOthers(nowNs)) + sessions.doWork(nowNs);
    }

    private int meetOthers(final long nowNs) {
        try {
            return meet(nowNs);
        } catch (final VerbsException ex) {
            // for want of a descriptor, for example: those that were met before must hear from us all the same
            failures().report("cannot look for peers", ex);
            return 0;
        }
    }

    /** Its conduct while its device is away. */
    final DeviceAbsence absence() {
        return absence;
    }

    /** Hear what the device has to tell, now: not while it tells. */
    final int takeEvents() {
        try {
            return parameters.device().poll(events);
        } catch (final VerbsException ex) {
            // heartbeats must leave, whatever the device refuses
            failures().report("cannot take events of device " + parameters.device().name(), ex);
            return 0;
        }
    }

    /** Say goodbye to everybody and stop listening. */
    final void close(final GoodbyeReason reason) {
        absence.close();
        stopListening();
        sessions.close(reason);
    }

    /**
     * Who meets others at a place.
     *
     * @param rendezvous    the place, see {@link RendezvousName}.
     * @param isPublication or else a subscription.
     * @param controlName   that is to belong to one transport, or null.
     */
    record Party(String rendezvous, boolean isPublication, String controlName) {
        static Party of(final PublicationOptions publication) {
            return new Party(publication.rendezvous(), true, publication.controlName());
        }

        static Party of(final SubscriptionOptions subscription) {
            return new Party(subscription.rendezvous(), false, null);
        }
    }
}

package io.sluice.transport.peer;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.agent.Services;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.RdmaDevice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The media of a transport, and the sessions with its peers over all of them. Conductor only. */
public final class Peers {
    private final SessionContext context;
    private final List<DeviceMedium> media = new ArrayList<>();

    /**
     * A transport that has met no other one.
     *
     * @param services of the transport.
     * @param links    that sessions ask whether they are needed, and hand messages to.
     */
    public Peers(final Services services, final Links links) {
        context = new SessionContext(services, links, new ControlEncoder(), this::haveOtherEnd);
    }

    /**
     * Make the medium of {@code sluice:ipc} channels, and meet others there.
     *
     * @param parameters with the transport's own device.
     * @return the medium.
     */
    public Medium addNamed(final TransportParameters parameters) {
        final DeviceMedium medium = new NamedMedium(context.inWordsOfSharedMemory(), parameters);
        media.add(medium);
        return medium;
    }

    /**
     * Make a medium of addresses; the conductor begins to meet others there a little later. Any thread.
     *
     * @param parameters with its device.
     * @param local      device of this host, to tell which process has an address.
     * @return the medium.
     */
    public Medium addAddressed(final TransportParameters parameters, final RdmaDevice local) {
        final DeviceMedium medium = new AddressedMedium(context, parameters, local);
        context.services().tasks().execute(() -> media.add(medium));
        return medium;
    }

    /**
     * Serve all media and sessions. Conductor.
     *
     * @param nowNs time of the conductor's clock.
     * @return how much was done.
     */
    public int doWork(final long nowNs) {
        int work = 0;
        for (int i = 0; i < media.size(); i++) {
            work += media.get(i).doWork(nowNs);
        }
        return work;
    }

    /** Let subscriptions in that peers have announced and that there was no room for. */
    public void admitAnnounced() {
        media.forEach(medium -> medium.sessions().announced().admit());
    }

    /** {@return the peers that links can be made to, a copy} */
    public Collection<ConnectedPeer> ready() {
        final List<ConnectedPeer> ready = new ArrayList<>();
        for (final DeviceMedium medium : media) {
            medium.sessions().ready().forEach(session -> ready.add(session.peer()));
        }
        return ready;
    }

    private boolean haveOtherEnd(final byte[] binding, final boolean isAcceptor) {
        for (final DeviceMedium medium : media) {
            if (medium.sessions().haveOtherEnd(binding, isAcceptor)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Say goodbye to all peers and stop listening.
     *
     * @param reason that peers are told.
     */
    public void close(final GoodbyeReason reason) {
        media.forEach(medium -> medium.close(reason));
    }

    /** {@return whether every connection is closed, after all of them were told to be} */
    public boolean areClosed() {
        return media.stream().allMatch(medium -> medium.sessions().isClosed());
    }

    SessionContext context() {
        return context;
    }
}

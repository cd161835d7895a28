package io.sluice.transport.connection;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.verbs.RdmaDevice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The media of a transport, and the sessions with its peers over all of them. Conductor only. */
final class Peers {
    private final SessionContext context;
    private final List<DeviceMedium> media = new ArrayList<>();

    Peers(final Services services, final Links links) {
        context = new SessionContext(services, links, new ControlEncoder(), this::haveOtherEnd);
    }

    /**
     * Make the medium of {@code sluice:ipc} channels, and meet others there.
     *
     * @param parameters with the transport's own device.
     */
    Medium addNamed(final TransportParameters parameters) {
        final DeviceMedium medium = new NamedMedium(context, parameters);
        media.add(medium);
        return medium;
    }

    /**
     * Make a medium of addresses. Others are met there once it is added. Any thread.
     *
     * @param parameters with its device.
     * @param local      device of this host, to tell which process has an address.
     */
    Medium newAddressed(final TransportParameters parameters, final RdmaDevice local) {
        return new AddressedMedium(context, parameters, local);
    }

    /** Meet others over a medium that was made here. */
    void add(final Medium made) {
        media.add((DeviceMedium) made);
    }

    int doWork(final long nowNs) {
        int work = 0;
        for (int i = 0; i < media.size(); i++) {
            work += media.get(i).doWork(nowNs);
        }
        return work;
    }

    /** Let subscriptions in that peers have announced and that there was no room for. */
    void admitAnnounced() {
        media.forEach(medium -> medium.sessions().announced().admit());
    }

    /** {@return the peers that links can be made to, a copy} */
    Collection<PeerChannel> ready() {
        final List<PeerChannel> ready = new ArrayList<>();
        for (final DeviceMedium medium : media) {
            ready.addAll(medium.sessions().ready());
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

    /** Say goodbye to all peers and stop listening. */
    void close(final GoodbyeReason reason) {
        media.forEach(medium -> medium.close(reason));
    }

    /** {@return whether every connection is closed, after all of them were told to be} */
    boolean areClosed() {
        return media.stream().allMatch(medium -> medium.sessions().isClosed());
    }

    SessionContext context() {
        return context;
    }
}

package io.sluice.transport.peer;

import io.sluice.transport.settings.TransportId;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.Listener;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Processes of one host meet under names: each listens under every name in use and finds the others there. Of two
 * transports the one with the greater id connects; a transport also connects to itself, so that its own publications
 * and subscriptions meet like any others.
 */
final class NamedMedium extends DeviceMedium {
    /** The most connect requests that may wait. */
    private static final int BACKLOG = 128;

    /** The time for each listener between two looks at all of them, each of which is a system call. */
    private static final long ACCEPT_INTERVAL_NS = 2_000_000L;
    /** The longest time between two looks at the listeners, however many there are: who connects waits for it. */
    private static final long MAX_ACCEPT_INTERVAL_NS = 20_000_000L;

    /** The number of looks in a row without a new peer after which one in so many is enough: each lists directories. */
    private static final int LOOKS = 50;
    private static final int CALM_FACTOR = 5;

    /** The time for which a peer is left alone after one of both has refused the other: neither is likely to change. */
    private static final long REFUSED_INTERVAL_NS = 2_000_000_000L;

    private final Map<String, Listener> listeners = new HashMap<>();
    private final Set<String> opening = new HashSet<>();
    /** The number of publications and subscriptions that meet others under each name. */
    private final Map<String, Integer> wanted = new HashMap<>();
    private final Set<TransportId> connecting = new HashSet<>();
    private final Map<TransportId, Long> refusedUntilNs = new HashMap<>();
    /** The addresses that were there at the last look under each name, where nothing is left to be done for them. */
    private final Map<String, List<String>> settled = new HashMap<>();
    private final ControlNames controlNames;
    private long nextAcceptNs;
    private long nextDiscoveryNs;
    private int calmLooks;
    private boolean closed;

    NamedMedium(final SessionContext context, final TransportParameters parameters) {
        super(context, parameters);
        controlNames = new ControlNames(parameters.device());
    }

    @Override
    public void acquire(final Party party) {
        controlNames.acquire(party.controlName());
    }

    @Override
    public boolean listensAt(final String address) {
        return false;
    }

    @Override
    public void use(final Party party) {
        if (!closed) {
            // whoever is there already is met at once, and so is this transport when it has both kinds now
            lookSoon();
            if (wanted.merge(party.rendezvous(), 1, Integer::sum) == 1) {
                listen(party.rendezvous());
            }
        }
    }

    /** Makes the next look for peers due at once, and others soon after it. */
    private void lookSoon() {
        calmLooks = 0;
        // whom this transport may connect to may have changed, too
        settled.clear();
        nextDiscoveryNs = services().nowNs();
    }

    /**
     * Gives a party's control name back, and stops listening under a name with the last one: endpoints may be used once
     * and never again. The sessions that have come of it stay.
     */
    @Override
    public void leave(final Party party) {
        if (wanted.computeIfPresent(party.rendezvous(), (_, count) -> count == 1 ? null : count - 1) == null) {
            tasks().release(listeners.remove(party.rendezvous()));
            settled.remove(party.rendezvous());
        }
        if (party.controlName() != null) {
            // not here: it closes a listener, and waits for whoever is about to listen
            tasks().release(() -> controlNames.release(party.controlName()));
        }
    }

    /**
     * Listen; when that fails the next look tries again. Not here: whoever adds a listener waits for others who are
     * about to, and one of them may have been stopped.
     */
    private void listen(final String rendezvous) {
        if (opening.add(rendezvous)) {
            final String address = rendezvous + "/" + services().id();
            tasks().setUp(() -> {
                final Listener listener = parameters().device().listen(address, BACKLOG);
                tasks().execute(() -> onListening(rendezvous, listener));
            }, error -> {
                opening.remove(rendezvous);
                failures().report(ErrorKind.CONNECTION_FAILED, listeningAt(rendezvous), error);
            });
        }
    }

    private static String listeningAt(final String rendezvous) {
        return "cannot listen at " + rendezvous;
    }

    private void onListening(final String rendezvous, final Listener listener) {
        opening.remove(rendezvous);
        failures().recovered(listeningAt(rendezvous));
        if (closed || !wanted.containsKey(rendezvous)) {
            tasks().release(listener);
        } else {
            listeners.put(rendezvous, listener);
            // where one is this transport itself
            lookSoon();
        }
    }

    @Override
    int meet(final long nowNs) {
        int work = 0;
        if (nowNs - nextAcceptNs >= 0) {
            for (final Listener listener : listeners.values()) {
                work += sessions().accept(listener);
            }
            if (work == 0) {
                // who comes may not come alone
                nextAcceptNs = nowNs + Math.min(MAX_ACCEPT_INTERVAL_NS, ACCEPT_INTERVAL_NS * listeners.size());
            }
        }
        if (nowNs - nextDiscoveryNs >= 0 && !closed) {
            if (refusedUntilNs.values().removeIf(untilNs -> nowNs - untilNs >= 0)) {
                settled.clear();
            }
            calmLooks = Math.min(calmLooks + 1, LOOKS);
            nextDiscoveryNs =
                nowNs + parameters().durations().discoveryIntervalNs() * (calmLooks < LOOKS ? 1 : CALM_FACTOR);
            for (final String rendezvous : wanted.keySet()) {
                if (!listeners.containsKey(rendezvous)) {
                    listen(rendezvous);
                }
                discover(rendezvous);
            }
        }
        return work;
    }

    private void discover(final String rendezvous) {
        final List<String> addresses = parameters().device().listeners(rendezvous);
        // it is the same list while the folder is as it was, and read again and again by a transport that rests
        if (settled.get(rendezvous) == addresses) {
            return;
        }
        boolean isSettled = true;
        for (final String address : addresses) {
            final TransportId peerId = TransportId.parse(address.substring(address.lastIndexOf('/') + 1));
            isSettled &= peerId == null || connecting.contains(peerId) || !mayConnect(peerId);
            if (peerId != null && mayConnect(peerId) && !refusedUntilNs.containsKey(peerId) && sessions().hasRoom()
                && connecting.add(peerId)) {
                calmLooks = 0;
                sessions().connect(
                    address, address, peerId, session -> failures().recovered(connectingTo(rendezvous)),
                    error -> onConnectFailed(rendezvous, peerId, error));
            }
        }
        if (isSettled) {
            settled.put(rendezvous, addresses);
        } else {
            settled.remove(rendezvous);
        }
    }

    /**
     * Reports that connecting has failed: this end lacks something, for a listener that has just gone throws nothing,
     * and the next look tries again.
     */
    private void onConnectFailed(final String rendezvous, final TransportId peerId, final Throwable error) {
        connecting.remove(peerId);
        settled.clear();
        failures().report(connectingTo(rendezvous), new TransportException(ErrorKind.CONNECTION_FAILED,
            "cannot connect to who listens at " + rendezvous + ", " + error.getMessage(), error));
    }

    private static String connectingTo(final String rendezvous) {
        return "cannot connect to who listens at " + rendezvous;
    }

    private boolean mayConnect(final TransportId peerId) {
        final int order = services().id().compareTo(peerId);
        return order > 0 || order == 0
            && links().areOfBothKinds();
    }

    @Override
    public void onForgotten(final ControlSession session) {
        calmLooks = 0;
        settled.clear();
        if (!session.isAcceptor()) {
            connecting.remove(session.identity().id());
            if (session.end().isRefused()) {
                refusedUntilNs.put(session.identity().id(), services().nowNs() + REFUSED_INTERVAL_NS);
            }
        }
    }

    /**
     * Whether a subscription is announced over a session: to itself a transport announces at the listening end only.
     */
    @Override
    public boolean announces(final PeerIdentity peer, final Party subscription) {
        return peer.isAcceptor() || !peer.id().equals(services().id());
    }

    @Override
    public boolean isMet(final String rendezvous, final PeerIdentity peer, final PeerSubscription subscription) {
        return rendezvous.equals(subscription.rendezvous());
    }

    @Override
    public boolean isWanted(final ControlSession session) {
        return true;
    }

    @Override
    public boolean locksMemory() {
        return false;
    }

    /** Allows every address: a peer that is met under a name is of this host and user. */
    @Override
    public boolean allows(final byte[] address) {
        return true;
    }

    @Override
    void onAddressesChanged() {
        // names have none
    }

    @Override
    void stopListening() {
        closed = true;
        listeners.values().forEach(tasks()::release);
        listeners.clear();
    }
}

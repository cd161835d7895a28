package io.sluice.transport.peer;

import io.sluice.transport.counters.FailureKind;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.Listener;
import io.sluice.verbs.RdmaDevice;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;

/**
 * Hosts of a network meet at addresses, {@code host:port}: who subscribes to an endpoint listens there, and
 * publications connect to it; with a control address it is the other way round. Either may come first: who connects
 * tries until somebody listens, and again when the connection is lost.
 */
final class AddressedMedium extends DeviceMedium {
    /** The time between attempts to connect, as each makes a queue pair. */
    private static final long RETRY_INTERVAL_NS = 200_000_000L;
    /**
     * The time to the next attempt after one that was answered and came to nothing, as there is another connection to
     * who listens there, for example.
     */
    private static final long FUTILE_INTERVAL_NS = 2_000_000_000L;

    /**
     * The time for which a peer is believed who it is before it has proved it, which takes a few round trips: who only
     * takes the name of another one must not keep that one from being connected to.
     */
    private static final long PROOF_TIME_NS = 1_000_000_000L;

    /**
     * An address to connect to, as long as somebody uses it.
     * <pre>
     *   idle ──due, not served──→ connecting ──made──→ with a session ──READY──→ served
     *     ↑                           └──failed──┐          └──CLOSED──┐            └──CLOSED──┐
     *     └──────────────────────────────────────┴─────────────────────┴───────────────────────┘
     * </pre>
     * <table>
     *   <caption>What moves it, and the thread that the work is done on before</caption>
     *   <tr><td>idle</td><td>the next attempt is due: 200 ms after the last one began or its session ended, 2 s after
     *     one that was answered in vain, at once when addresses have changed</td><td>conductor</td></tr>
     *   <tr><td>connecting</td><td>the name is resolved, where there is one, and the device was asked to connect; or
     *     that fails</td><td>any (names), set-up</td></tr>
     *   <tr><td>with a session</td><td>its handshake: see {@link ControlSession}</td><td>conductor</td></tr>
     *   <tr><td>served</td><td>the session ends; while it is READY without what is wanted here, attempts go on</td>
     *     <td>conductor</td></tr>
     * </table>
     * An address where nobody listens is no failure and is not told. Any other reason why it cannot be connected to is
     * told once, and again when it was connected to in between.
     */
    private static final class Target {
        private final String rendezvous;
        /** Publications and subscriptions that want it; without any it is forgotten. */
        private int users;
        /** Whether an attempt is with another thread, from which it comes back to the conductor. */
        private boolean isConnecting;
        /** The session of the last attempt; null before it is made, and from when it is seen CLOSED. */
        private ControlSession session;
        /** The time of the conductor's clock from which the next attempt is due. */
        private long nextAttemptNs;
        /** Whether a failure was told that is not over yet. */
        private boolean isFailing;
        /** Whether addresses have changed while a connection was made, which may fail for how they were. */
        private boolean isWayNew;

        Target(final String rendezvous, final long nowNs) {
            this.rendezvous = rendezvous;
            nextAttemptNs = nowNs;
        }

        /** Makes the next attempt due at once, and one more if what is under way fails. */
        void onWayChanged(final long nowNs) {
            nextAttemptNs = nowNs;
            isWayNew = isConnecting || session != null && !session.isReady();
        }

        boolean isDue(final long nowNs) {
            return !isConnecting && (session == null || session.isReady()) && nowNs - nextAttemptNs >= 0;
        }
    }

    private final SharedListeners listeners;
    /** The taker of requests, kept so that a look at the listeners in each duty cycle makes no object. */
    private final ToIntFunction<Listener> accept = sessions()::accept;
    /** Addresses to connect to, by the name that parties meet under. */
    private final Map<String, Target> targets = new HashMap<>();
    /**
     * Whether a renewal is asked for; cleared on the set-up thread before it looks, so that no change comes too late
     * for it.
     */
    private final AtomicBoolean isRenewing = new AtomicBoolean();
    /** Whether the transport closes: nobody is dialled from then on. */
    private boolean closed;

    /**
     * Creates a medium without listeners.
     *
     * @param parameters with its device.
     * @param local      device of this host, to tell which process has an address.
     */
    AddressedMedium(final SessionContext context, final TransportParameters parameters, final RdmaDevice local) {
        super(context, parameters);
        listeners = new SharedListeners(parameters.device(), local);
    }

    /**
     * Whether a party listens at its address and does not dial it: a subscription does, and a publication with a
     * control address.
     */
    private static boolean listens(final Party party) {
        return party.isPublication() == RendezvousName.isControl(party.rendezvous());
    }

    @Override
    public void acquire(final Party party) {
        if (listens(party)) {
            listeners.acquire(RendezvousName.address(party.rendezvous()));
        }
    }

    @Override
    public boolean listensAt(final String address) {
        return listeners.has(address);
    }

    @Override
    public void use(final Party party) {
        if (!listens(party)) {
            targets.computeIfAbsent(party.rendezvous(), name -> new Target(name, services().nowNs())).users++;
        }
    }

    @Override
    public void leave(final Party party) {
        final String rendezvous = party.rendezvous();
        if (listens(party)) {
            // not here: it may block
            tasks().release(() -> listeners.release(RendezvousName.address(rendezvous)));
        } else if (--targets.get(rendezvous).users == 0) {
            targets.remove(rendezvous);
        }
    }

    @Override
    int meet(final long nowNs) {
        int work = listeners.poll(accept);
        for (final Target target : targets.values()) {
            look(target, nowNs);
            if (target.isDue(nowNs) && !closed) {
                target.nextAttemptNs = nowNs + RETRY_INTERVAL_NS;
                if (!isServed(target) && sessions().hasRoom()) {
                    target.isWayNew = false;
                    connect(target);
                    work++;
                }
            }
        }
        return work;
    }

    /** Notes how the last attempt has ended, if it has. A session that is READY clears what was told before. */
    private void look(final Target target, final long nowNs) {
        final ControlSession session = target.session;
        if (session != null && session.state() == SessionState.CLOSED) {
            target.session = null;
            target.nextAttemptNs = target.isWayNew ? nowNs
                : nowNs + (session.isFutile() ? FUTILE_INTERVAL_NS : RETRY_INTERVAL_NS);
            if (session.problem() != null) {
                report(target, session.problem(), null);
            }
        } else if (session != null && session.isReady() && target.isFailing) {
            target.isFailing = false;
            failures().recovered(connectingTo(target));
        }
    }

    /**
     * Tells why the peer cannot be reached, the same kind once. What a stranger's answer says goes by what is the same
     * each time, so that it cannot fill the log.
     */
    private void report(final Target target, final ConnectProblem problem, final Throwable cause) {
        target.isFailing = true;
        final String text = "cannot connect to " + RendezvousName.address(target.rendezvous) + " (and go on trying): "
            + problem.text();
        if (problem.isOfStranger()) {
            failures().reportOfPeer(ErrorKind.CONNECTION_FAILED, connectingTo(target), problem.kind(), text);
        } else {
            failures().report(
                connectingTo(target), new TransportException(ErrorKind.CONNECTION_FAILED, text, cause));
        }
    }

    private static String connectingTo(final Target target) {
        return "cannot connect to " + RendezvousName.address(target.rendezvous);
    }

    /** Whether the peer that is wanted at a target has been met. */
    private boolean isServed(final Target target) {
        if (RendezvousName.isControl(target.rendezvous)) {
            return links().isMet(target.rendezvous);
        }
        for (final ControlSession session : sessions().ready()) {
            for (final PeerSubscription subscription : sessions().announced().of(session.peer())) {
                if (!session.isAcceptor() && isMet(target.rendezvous, session.identity(), subscription)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Starts an attempt to connect. A name is looked up first, where nobody waits for the name server, since the set-up
     * thread serves all links.
     */
    private void connect(final Target target) {
        target.isConnecting = true;
        final String endpoint = RendezvousName.address(target.rendezvous);
        if (HostNames.isIn(endpoint)) {
            HostNames.resolve(parameters().environment(), endpoint,
                address -> tasks().execute(() -> onResolved(target, endpoint, address)),
                error -> tasks().execute(() -> onFailed(target, error)));
        } else {
            connect(target, endpoint, endpoint);
        }
    }

    /** Goes on with an attempt whose name was looked up, unless nobody wants it any more. Conductor. */
    private void onResolved(final Target target, final String endpoint, final String address) {
        if (closed || target.users == 0) {
            target.isConnecting = false;
        } else {
            connect(target, endpoint, address);
        }
    }

    private void connect(final Target target, final String endpoint, final String address) {
        sessions().connect(endpoint, address, null, session -> {
            target.isConnecting = false;
            target.session = session;
        }, error -> onFailed(target, error));
    }

    /** Ends an attempt that has made no session; the next one is due as it was before. Conductor. */
    private void onFailed(final Target target, final Throwable error) {
        target.isConnecting = false;
        if (closed || target.users == 0) {
            return;
        }
        report(target, ConnectProblem.own(String.valueOf(error.getMessage())), error);
    }

    @Override
    public void onForgotten(final ControlSession session) {
        // its target, if it has one, looks at the session's state
    }

    /**
     * Whether a subscription is announced over a session: over one connection to a peer, of which there may be one in
     * each direction.
     */
    @Override
    public boolean announces(final PeerIdentity peer, final Party subscription) {
        return peer.isAcceptor() != RendezvousName.isControl(subscription.rendezvous());
    }

    /**
     * Whether a peer's subscription is meant by an address: both ends may have written it in different ways, but for
     * the port.
     */
    @Override
    public boolean isMet(final String rendezvous, final PeerIdentity peer, final PeerSubscription subscription) {
        final String wanted = subscription.rendezvous();
        return rendezvous.equals(wanted)
            || RendezvousName.isRdma(wanted)
            && RendezvousName.isControl(rendezvous) == RendezvousName.isControl(wanted)
            && RendezvousName.address(rendezvous).equals(peer.endpoint())
            && RendezvousName.port(rendezvous).equals(RendezvousName.port(wanted));
    }

    @Override
    public boolean locksMemory() {
        return true;
    }

    /** Whether a new session is wanted: one connection to a transport is enough, by however many of its addresses. */
    @Override
    public boolean isWanted(final ControlSession session) {
        if (session.isAcceptor()) {
            return true;
        }
        for (final ControlSession other : sessions().all()) {
            if (other != session && !other.isAcceptor() && other.state() != SessionState.CLOSED
                && (other.isReady() || other.isYoungerThan(PROOF_TIME_NS))
                && session.identity().id().equals(other.identity().id())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean allows(final byte[] address) {
        return parameters().peerRules().allows(address);
    }

    @Override
    void onAddressesChanged() {
        final long nowNs = services().nowNs();
        targets.values().forEach(target -> target.onWayChanged(nowNs));
        if (!closed && isRenewing.compareAndSet(false, true)) {
            // not here: it may block
            tasks().setUp(() -> {
                isRenewing.set(false);
                listeners.renew(this::onRenewed);
            }, error -> failures().report(
                ErrorKind.CONNECTION_FAILED, "cannot listen anew where addresses have moved", error));
        }
    }

    /** Learns from the set-up agent that an address is listened at anew, or cannot be. */
    private void onRenewed(final String address, final RuntimeException problem) {
        final String subject = "listening at address=" + address;
        if (problem == null) {
            failures().recovered(subject);
        } else {
            failures().report(subject, FailureKind.of(problem), new TransportException(
                ErrorKind.CONNECTION_FAILED, "nobody can connect to address=" + address + " any more, until it is back"
                    + " (looked for at each change of the device): " + problem.getMessage(), problem));
        }
    }

    @Override
    void stopListening() {
        closed = true;
        tasks().release(listeners);
    }
}

package io.sluice.transport.connection;

import io.sluice.codec.ControlText;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Listener;
import io.sluice.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.CloseHelper;

/**
 * Where transports meet: listens under every endpoint in use, finds the others there, and keeps one control
 * connection per pair. Of two transports the one with the greater id connects; a transport also connects to itself,
 * so that its own publications and subscriptions meet like any others. Conductor only.
 */
final class Rendezvous {
    /** Control connections at once, half-open ones included: a bound on what peers can make us allocate. */
    private static final int MAX_SESSIONS = 1024;

    /** Subscriptions of one peer. */
    private static final int MAX_REMOTE_SUBSCRIPTIONS = 4096;

    /** Connect requests that may wait. */
    private static final int BACKLOG = 128;

    /** Requests taken per endpoint and duty cycle. */
    private static final int ACCEPT_LIMIT = 8;

    private final Conductor conductor;
    private final Map<String, Listener> listeners = new HashMap<>();
    private final Set<String> wanted = new HashSet<>();
    private final List<ControlSession> sessions = new ArrayList<>();
    private final List<ControlSession> ready = new ArrayList<>();
    private final Map<ControlSession, Map<Long, RemoteSubscription>> remoteSubscriptions = new HashMap<>();
    private final Set<TransportId> connecting = new HashSet<>();
    private int accepting;
    private long nextDiscoveryNs;
    private boolean closed;

    Rendezvous(final Conductor conductor) {
        this.conductor = conductor;
    }

    /** Meet others under a rendezvous from now on. */
    void use(final String rendezvous) {
        if (!closed && wanted.add(rendezvous)) {
            listen(rendezvous, true);
        }
    }

    /** Listen; when that fails the next look tries again, and only the first failure is reported. */
    private void listen(final String rendezvous, final boolean first) {
        try {
            final String address = rendezvous + "/" + conductor.id();
            listeners.put(rendezvous, conductor.parameters().device().listen(address, BACKLOG));
        } catch (final VerbsException ex) {
            if (first) {
                conductor.reportError(ex);
            }
        }
    }

    int doWork(final long nowNs) {
        int work = 0;
        for (final Listener listener : listeners.values()) {
            work += accept(listener);
        }
        if (nowNs - nextDiscoveryNs >= 0 && !closed) {
            nextDiscoveryNs = nowNs + conductor.parameters().discoveryIntervalNs();
            for (final String rendezvous : wanted) {
                if (!listeners.containsKey(rendezvous)) {
                    listen(rendezvous, false);
                }
                discover(rendezvous);
            }
        }
        for (int i = sessions.size() - 1; i >= 0; i--) {
            final ControlSession session = sessions.get(i);
            work += session.doWork(nowNs);
            if (session.state() == ControlSession.State.CLOSED) {
                sessions.remove(i);
                forget(session);
                work++;
            }
        }
        return work;
    }

    private void forget(final ControlSession session) {
        if (!session.isAcceptor()) {
            connecting.remove(session.peerId());
        }
        remoteSubscriptions.remove(session);
        conductor.release(session.connection());
    }

    private void discover(final String rendezvous) {
        for (final String address : conductor.parameters().device().listeners(rendezvous)) {
            final TransportId peerId = TransportId.parse(address.substring(address.lastIndexOf('/') + 1));
            if (peerId != null && mayConnect(peerId) && sessions.size() + accepting < MAX_SESSIONS
                && connecting.add(peerId)) {
                connect(address, peerId);
            }
        }
    }

    private boolean mayConnect(final TransportId peerId) {
        final int order = conductor.id().compareTo(peerId);
        return order > 0
            || order == 0 && !conductor.publications().all().isEmpty() && !conductor.subscriptions().all().isEmpty();
    }

    private void connect(final String address, final TransportId peerId) {
        conductor.setUp(() -> {
            final ControlConnection connection = new ControlConnection(conductor.parameters());
            try {
                connection.connection(conductor.parameters().device().connect(
                    address,
                    connection.queuePair(),
                    PrivateData.connect(conductor.id(), conductor.parameters().environment().processId()),
                    conductor.parameters().handshakeTimeoutNs()));
            } catch (final RuntimeException ex) {
                CloseHelper.quietClose(connection);
                throw ex;
            }
            conductor.execute(() -> addSession(new ControlSession(conductor, connection, false, address, peerId)));
        }, error -> {
            // a listener that has just gone is no error; if it is still there, the next look finds it again
            connecting.remove(peerId);
        });
    }

    private void addSession(final ControlSession session) {
        if (closed) {
            conductor.release(session.connection());
        } else {
            sessions.add(session);
        }
    }

    private int accept(final Listener listener) {
        int count = 0;
        while (count < ACCEPT_LIMIT) {
            final ConnectionRequest request = listener.poll();
            if (request == null) {
                break;
            }
            count++;
            onRequest(listener, request);
        }
        return count;
    }

    private void onRequest(final Listener listener, final ConnectionRequest request) {
        final String problem = PrivateData.connectProblem(request.privateData());
        if (problem != null || closed || sessions.size() + accepting >= MAX_SESSIONS) {
            conductor.counters().increment(TransportCounter.CONTROL_MESSAGES_REJECTED);
            final GoodbyeReason reason = problem != null ? GoodbyeReason.PROTOCOL_ERROR : GoodbyeReason.RESOURCES;
            conductor.reportError("connection request from " + ControlText.printable(request.peer()) + " rejected: "
                + reason + (problem != null ? ", private data: " + problem : ""));
            request.reject(PrivateData.reject(
                conductor.id(), conductor.parameters().environment().processId(), reason));
            return;
        }
        accepting++;
        conductor.setUp(() -> {
            final ControlConnection connection = new ControlConnection(conductor.parameters());
            conductor.execute(() -> onAccepting(listener.address(), request, connection));
        }, error -> {
            accepting--;
            conductor.reportError(error);
            request.reject(PrivateData.reject(
                conductor.id(), conductor.parameters().environment().processId(), GoodbyeReason.RESOURCES));
        });
    }

    private void onAccepting(
        final String address, final ConnectionRequest request, final ControlConnection connection) {
        accepting--;
        try {
            final Connection accepted = request.accept(connection.queuePair(),
                PrivateData.accept(conductor.id(), conductor.parameters().environment().processId()));
            connection.connection(accepted);
            addSession(new ControlSession(conductor, connection, true, address, null));
        } catch (final VerbsException ex) {
            conductor.release(connection);
            conductor.reportError(ex);
        }
    }

    /** A session's peer is known: it replaces an older session with the same peer, which must be dead. */
    void onReady(final ControlSession session) {
        for (final ControlSession other : new ArrayList<>(ready)) {
            if (other.peerId().equals(session.peerId()) && other.isAcceptor() == session.isAcceptor()) {
                other.close();
            }
        }
        ready.add(session);
        remoteSubscriptions.put(session, new HashMap<>());
    }

    void onLost(final ControlSession session) {
        ready.remove(session);
    }

    Collection<ControlSession> readySessions() {
        return new ArrayList<>(ready);
    }

    /** {@return whether the peer may have so many} */
    boolean addRemoteSubscription(
        final ControlSession session, final RemoteSubscription subscription) {
        final Map<Long, RemoteSubscription> known = remoteSubscriptions.get(session);
        if (known == null || known.size() >= MAX_REMOTE_SUBSCRIPTIONS) {
            session.protocolError("too many subscriptions: maximum=" + MAX_REMOTE_SUBSCRIPTIONS);
            return false;
        }
        known.put(subscription.subscriptionId(), subscription);
        return true;
    }

    void removeRemoteSubscription(final ControlSession session, final long subscriptionId) {
        remoteSubscriptions.getOrDefault(session, Map.of()).remove(subscriptionId);
    }

    Collection<RemoteSubscription> remoteSubscriptions(final ControlSession session) {
        return new ArrayList<>(remoteSubscriptions.getOrDefault(session, Map.of()).values());
    }

    /** Say goodbye to everybody and stop listening. */
    void close(final GoodbyeReason reason) {
        closed = true;
        listeners.values().forEach(conductor::release);
        listeners.clear();
        for (final ControlSession session : sessions) {
            session.goodbye(reason, "");
            forget(session);
        }
        sessions.clear();
    }
}

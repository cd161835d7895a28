package io.sluice.transport.peer;

import io.sluice.codec.ControlText;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Connection;
import io.sluice.verbs.ConnectionRequest;
import io.sluice.verbs.Errno;
import io.sluice.verbs.Listener;
import io.sluice.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.CloseHelper;

/**
 * The control connections of one medium, accepted and made, half-open ones included, and what the peers have announced
 * over them. Conductor only.
 * <pre>
 *   dialled ──→ made ───────────────→ session ──CLOSED──→ closing ──→ released
 *   asked for ──→ made ──accepted──────↗
 *       └──→ rejected
 * </pre>
 * <table>
 *   <caption>What moves a connection, and the thread that the work is done on before</caption>
 *   <tr><td>dialled</td><td>the queue pair is made, and its device asked to connect</td><td>set-up</td></tr>
 *   <tr><td>asked for</td><td>address, private data and quotas are good: its queue pair is made; else rejected</td>
 *     <td>conductor, set-up</td></tr>
 *   <tr><td>made</td><td>the session begins; a request is accepted before, on the conductor (018)</td>
 *     <td>conductor</td></tr>
 *   <tr><td>session</td><td>see {@link ControlSession}</td><td>conductor</td></tr>
 *   <tr><td>closing</td><td>the last messages have left, or 100 ms are over: see {@link ClosingConnections}</td>
 *     <td>conductor, set-up</td></tr>
 * </table>
 */
final class ControlSessions implements OtherSessions {
    /** The most control connections at once, half-open ones included: a bound on what peers can make us allocate. */
    static final int MAX_SESSIONS = 1024;

    /** Requests taken per listener and duty cycle. */
    private static final int ACCEPT_LIMIT = 8;

    /**
     * The number of ended sessions' ends that are remembered: of a connection to itself one end is over before the
     * other hears of it.
     */
    private static final int MAX_ENDED = 64;

    /**
     * One end of a connection.
     *
     * @param isAcceptor whether it had accepted.
     * @param binding    what the connection was made of.
     */
    private record End(boolean isAcceptor, byte[] binding) {
    }

    private final SessionMedium medium;
    private final SessionContext context;
    private final Services services;
    /** Hands work to the set-up thread, whose answers come back to the conductor: by then the medium may be closed. */
    private final Tasks tasks;
    private final Failures failures;
    /** All sessions, in whatever state; {@link UnprovedPeers} counts in this very list who has proved nothing yet. */
    private final List<ControlSession> sessions = new ArrayList<>();
    /** Sessions that links are made over: of each direction at most one for an id. */
    private final List<ControlSession> ready = new ArrayList<>();
    /** Subscriptions of the peers of all ready sessions. */
    private final PeerSubscriptions announced;
    /**
     * Peers that were refused, each told of once; outlives their connections, so that a peer that comes again and again
     * is not told again and again.
     */
    private final RefusedPeers refusedPeers;
    /** Bounds on peers that have proved nothing, which leave places for everybody else. */
    private final UnprovedPeers unprovedPeers = new UnprovedPeers(sessions);
    /** Connections of sessions that are over; they count against the bound until they are released. */
    private final ClosingConnections closing;
    /** Peers whose connection is over, and of whom nobody knows yet whether their process is, too. */
    private final EndingPeers endingPeers;
    /** Ends of the sessions that ended last. */
    private final ArrayDeque<End> ended = new ArrayDeque<>();
    /** Whether the medium is closed: whatever the set-up thread still makes is given back unused. */
    private boolean closed;

    ControlSessions(final SessionMedium medium, final SessionContext context) {
        this.medium = medium;
        this.context = context;
        services = context.services();
        tasks = services.tasks();
        failures = services.failures();
        refusedPeers = new RefusedPeers(services);
        announced = new PeerSubscriptions(services, refusedPeers);
        closing = new ClosingConnections(services);
        endingPeers = new EndingPeers(context.links(), services.parameters().durations().resumeTimeoutNs());
    }

    /**
     * Serves all sessions, from the last one on, since those that are over leave the list. Each duty cycle, also while
     * the device is away: sessions have to end then.
     *
     * @param nowNs time of the conductor's clock.
     * @return how much was done.
     */
    int doWork(final long nowNs) {
        int work = 0;
        for (int i = sessions.size() - 1; i >= 0; i--) {
            final ControlSession session = sessions.get(i);
            work += session.doWork(nowNs);
            if (session.state() == SessionState.CLOSED) {
                sessions.remove(i);
                forget(session);
                work++;
            }
        }
        return work + closing.doWork(nowNs) + endingPeers.doWork(nowNs);
    }

    /**
     * Ends the session whose completion queue has overrun, if there is one: its connection is made anew, and links that
     * break with the session break of that.
     */
    void onOverrun(final CompletionQueue overrun) {
        for (final ControlSession session : new ArrayList<>(sessions)) {
            if (session.state() != SessionState.CLOSED && session.connection().completesAt(overrun)) {
                failures.reportOverrun(
                    "control connections", "control connection to " + session.connection().peer(), overrun);
                context.links().onOverrun(session.peer());
                session.close();
            }
        }
    }

    /**
     * Lets a session go that is over. Its place is free when its connection is released, and not before: otherwise
     * strangers could have any number of connections that are being closed.
     */
    private void forget(final ControlSession session) {
        if (ended.size() == MAX_ENDED) {
            ended.removeFirst();
        }
        ended.addLast(new End(session.isAcceptor(), session.connection().connection().binding()));
        announced.end(session.peer());
        closing.add(session.connection(), unprovedPeers.onLeaving(session));
        medium.onForgotten(session);
    }

    /**
     * {@return whether there may be one more} Those that the set-up thread is making for peers count, those that it is
     * dialling do not: whoever dials, dials each target once at a time.
     */
    boolean hasRoom() {
        return sessions.size() + unprovedPeers.accepting() + closing.size() < MAX_SESSIONS;
    }

    /**
     * Connect to a listener.
     *
     * @param endpoint of the listener, as the application has written it.
     * @param address  where that is, its host no name: the set-up thread must not wait for name servers.
     * @param peerId   of who is expected there, or null when anybody is.
     * @param made     told of the session, on the conductor.
     * @param failed   told why there is none, on the conductor.
     */
    void connect(
        final String endpoint,
        final String address,
        final TransportId peerId,
        final Consumer<ControlSession> made,
        final Consumer<Throwable> failed) {
        final TransportParameters parameters = medium.parameters();
        tasks.setUp(() -> {
            final ControlConnection connection = new ControlConnection(parameters);
            try {
                connection.connection(parameters.device().connect(
                    address,
                    connection.queuePair(),
                    PrivateData.connect(services.id(), context.toldProcessId()),
                    parameters.durations().handshakeTimeoutNs()));
            } catch (final Throwable ex) {
                CloseHelper.quietClose(connection);
                throw ex;
            }
            tasks.execute(() -> {
                final ControlSession session = new ControlSession(
                    context, medium, connection, new PeerIdentity(connection, false, endpoint, peerId));
                add(session);
                made.accept(session);
            });
        }, failed);
    }

    /** Takes a session in, or gives its connection back when the medium was closed while it was made. */
    private void add(final ControlSession session) {
        if (closed) {
            tasks.release(session.connection());
        } else {
            sessions.add(session);
        }
    }

    /**
     * Takes what waits at a listener, up to a limit; others stay in its backlog. None is taken while the set-up thread
     * is busy with as many as it may be: what links need must not wait behind strangers.
     *
     * @return requests that were taken, rejected ones too.
     */
    int accept(final Listener listener) {
        tellRefused(listener.address(), listener.takeRefused());
        int count = 0;
        while (count < ACCEPT_LIMIT && unprovedPeers.mayAccept()) {
            final ConnectionRequest request = listener.poll();
            if (request == null) {
                break;
            }
            count++;
            onRequest(listener.address(), request);
        }
        return count;
    }

    /**
     * Tells of requests that the listener has rejected by itself, as more waited than may: who they were from is not
     * known.
     */
    private void tellRefused(final String address, final long count) {
        if (count > 0) {
            services.counters().add(TransportCounter.CONNECT_REQUESTS_OVERFLOWED, count);
            refusedPeers.tell(ErrorKind.PEER_REFUSED, "address=" + address, "connection requests to address=" + address
                + " rejected unseen: more waited than may", "so far "
                + services.counters().get(TransportCounter.CONNECT_REQUESTS_OVERFLOWED) + " of this transport");
        }
    }

    /**
     * Rejects a request, or has the set-up thread make what its connection needs. The address is checked first, then
     * what the request says, then quotas. The application is told once for each host, and the peer why.
     *
     * @param address of the listener.
     * @param request to be accepted or rejected, once.
     */
    private void onRequest(final String address, final ConnectionRequest request) {
        final String contradicting = request.contradictingAddress();
        if (!contradicting.isEmpty()) {
            // by the address that it has: what it says may be another one each time
            refusedPeers.onRefused(contradicting, GoodbyeReason.NOT_ALLOWED,
                RefusedPeers.contradiction(RefusedPeers.hostOf(request.peer()), contradicting));
            reject(request, GoodbyeReason.NOT_ALLOWED);
            return;
        }
        if (!medium.allows(request.peerAddress())) {
            refusedPeers.onRefused(
                RefusedPeers.hostOf(request.peer()), GoodbyeReason.NOT_ALLOWED, SessionMedium.NOT_ON_LIST);
            reject(request, GoodbyeReason.NOT_ALLOWED);
            return;
        }
        final String problem = PrivateData.connectProblem(request.privateData());
        final String host = RefusedPeers.hostOf(request.peer());
        final String quota = services.quotas().problemOfSessions(unprovedPeers.ofHost(host));
        if (problem != null || closed || quota != null || !hasRoom() || !unprovedPeers.hasRoom(host)) {
            services.counters().increment(TransportCounter.CONTROL_MESSAGES_REJECTED);
            final GoodbyeReason reason = problem != null ? GoodbyeReason.PROTOCOL_ERROR : GoodbyeReason.RESOURCES;
            tellRejected(host, reason, problem, quota);
            reject(request, reason);
            return;
        }
        unprovedPeers.onAccepting(host);
        tasks.setUp(() -> {
            final ControlConnection connection = new ControlConnection(medium.parameters());
            tasks.execute(() -> onAccepting(address, host, request, connection));
        }, error -> {
            unprovedPeers.onAccepted(host);
            reportUnlessAway(host, error);
            reject(request, GoodbyeReason.RESOURCES);
        });
    }

    /** Tells why a request was rejected, by its host: the same stranger comes from another port each time. */
    private void tellRejected(
        final String host, final GoodbyeReason reason, final String problem, final String quota) {
        final String what = "connection request from " + ControlText.printable(host) + " rejected: " + reason;
        if (problem != null) {
            refusedPeers.tell(ErrorKind.PEER_REFUSED, host, what, "private data: " + problem);
        } else if (quota != null) {
            refusedPeers.tellQuota(host, what, quota);
        } else {
            refusedPeers.tell(ErrorKind.RESOURCES, host, what, "connections=" + sessions.size());
        }
    }

    /** Rejects a request with private data, by which the other transport knows who has rejected it, and why. */
    private void reject(final ConnectionRequest request, final GoodbyeReason reason) {
        request.reject(PrivateData.reject(services.id(), context.toldProcessId(), reason));
    }

    /**
     * Accepts a request. The host is the one that has the place: a request whose device has gone does not tell it any
     * more.
     */
    private void onAccepting(
        final String address, final String host, final ConnectionRequest request, final ControlConnection connection) {
        unprovedPeers.onAccepted(host);
        if (closed) {
            tasks.release(connection);
            reject(request, GoodbyeReason.CLOSED);
            return;
        }
        try {
            final Connection accepted = request.accept(connection.queuePair(),
                PrivateData.accept(services.id(), context.toldProcessId()));
            connection.connection(accepted);
            add(new ControlSession(
                context, medium, connection, new PeerIdentity(connection, true, address, null)));
        } catch (final VerbsException ex) {
            tasks.release(connection);
            // a peer that has given up meanwhile is no failure of this side
            if (ex.errno() != Errno.ETIMEDOUT) {
                reportUnlessAway(host, ex);
            }
        }
    }

    /** Reports an error unless the device is away, which was told, and makes everything fail that was under way. */
    private void reportUnlessAway(final String host, final Throwable error) {
        if (!medium.isAway()) {
            failures.reportOfPeer(ErrorKind.CONNECTION_FAILED,
                "cannot accept a connection from " + ControlText.printable(host), error);
        }
    }

    @Override
    public boolean isAlive(final PeerOrigin origin) {
        for (final ControlSession other : ready) {
            if (isOfSamePeer(other, origin) && !other.isSilent()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the other end of a connection belongs to one of these sessions, or to one that has ended first. By that a
     * transport knows itself: whoever else says its id does not have the other end (029).
     *
     * @param binding    of the connection, the same bytes at both ends.
     * @param isAcceptor which end is asked for the other one.
     */
    boolean haveOtherEnd(final byte[] binding, final boolean isAcceptor) {
        for (final End end : ended) {
            if (end.isAcceptor() != isAcceptor && Arrays.equals(binding, end.binding())) {
                return true;
            }
        }
        for (final ControlSession other : sessions) {
            if (other.isAcceptor() != isAcceptor
                && Arrays.equals(binding, other.connection().connection().binding())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a session is with a peer by its id and direction. Not by its place: a peer that has come back by another
     * of its addresses replaces its old session, too.
     */
    private static boolean isOfSamePeer(final ControlSession session, final PeerOrigin origin) {
        return session.identity().id().equals(origin.peerId()) && session.isAcceptor() == origin.isAcceptor();
    }

    @Override
    public void onReady(final ControlSession session) {
        for (final ControlSession other : new ArrayList<>(ready)) {
            if (isOfSamePeer(other, session.identity().origin())) {
                other.close();
            }
        }
        ready.add(session);
        refusedPeers.onAccepted(session.identity());
        announced.begin(session.peer());
    }

    @Override
    public void onLost(final ControlSession session, final boolean isPeerGone) {
        ready.remove(session);
        announced.end(session.peer());
        if (!isPeerGone) {
            endingPeers.add(session.peer(), session.connection()::isPeerGone, services.nowNs());
        }
    }

    /** The sessions that links can be made over, not to be modified; copied where they may come or go meanwhile. */
    List<ControlSession> ready() {
        return ready;
    }

    @Override
    public RefusedPeers refusedPeers() {
        return refusedPeers;
    }

    @Override
    public int count() {
        return sessions.size();
    }

    /** All sessions, half-open ones too, not to be modified. */
    List<ControlSession> all() {
        return sessions;
    }

    @Override
    public PeerSubscriptions announced() {
        return announced;
    }

    /** {@return whether every connection is closed, after all of them were told to be} */
    boolean isClosed() {
        return closed && closing.size() == 0;
    }

    /**
     * Says goodbye to everybody. The connections are closed when that has left, which nobody waits for here: {@link
     * #isClosed} says when.
     *
     * @param reason for the peers.
     */
    void close(final GoodbyeReason reason) {
        closed = true;
        for (final ControlSession session : sessions) {
            session.end().goodbye(reason, "");
            forget(session);
        }
        sessions.clear();
    }
}

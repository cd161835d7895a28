package io.sluice.transport.peer;

import io.sluice.codec.ControlMessageReader;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.agent.Services;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.Connection;
import org.agrona.DirectBuffer;

/**
 * One peer transport as the conductor sees it over one control connection: when it is connected, known, ready for links
 * and lost. Its parts know it by interfaces only: {@link PeerHandshake} makes the peer known, {@link SessionPeer} is
 * the peer as links have it, {@link SessionMessages} brings what arrives to both, {@link SessionEnd} says why it ends.
 * Conductor only. Owned by {@link ControlSessions}, who releases the connection when the session is CLOSED.
 * <pre>
 *   CONNECTING ──→ HANDSHAKING ──→ WAITING ──→ READY      any of them ──→ CLOSED
 * </pre>
 * <table>
 *   <caption>What moves it, what follows, and the thread that the work is done on before</caption>
 *   <tr><td>CONNECTING</td><td>the connection manager has connected: the handshake begins</td>
 *     <td>HANDSHAKING, CLOSED</td><td>set-up (makes the queue pair, and dials), conductor (accepts, and asks for the
 *     answer)</td></tr>
 *   <tr><td>HANDSHAKING</td><td>the peer is known: see {@link PeerHandshake}</td><td>WAITING, READY, CLOSED</td>
 *     <td>conductor</td></tr>
 *   <tr><td>WAITING</td><td>an older session with the same peer is over, or silent; passed over without one</td>
 *     <td>READY, CLOSED</td><td>conductor</td></tr>
 *   <tr><td>READY</td><td>a Goodbye, silence for the liveness timeout, a connection that ends, or a newer session of
 *     the peer once this one is silent</td><td>CLOSED</td><td>conductor</td></tr>
 *   <tr><td>CLOSED</td><td>nothing any more; the last messages leave, and then the connection is released</td>
 *     <td>–</td><td>conductor, set-up</td></tr>
 * </table>
 * From CONNECTING to WAITING a session has one handshake timeout for everything: a peer that falls silent on the way is
 * hung up on when that is over. Why a second session waits is in {@code docs/decisions/024-trust.md}.
 */
final class ControlSession implements SessionEnd.Session, UnprovedPeers.Guest {
    /** The surroundings of all sessions. */
    private final SessionContext context;
    private final Services services;
    private final SessionMedium medium;
    /**
     * The connection, made before the session and released after it, both on the set-up thread. It fails without an
     * exception: each duty cycle asks it.
     */
    private final ControlConnection connection;
    private final PeerIdentity identity;
    /** Signs of life; anything that arrives counts as one, a message that only returns credit too. */
    private final Heartbeats heartbeats;
    private final SessionEnd end;
    private final PeerHandshake handshake;
    private final SessionPeer peer;
    private final ControlMessageReader reader;
    private SessionState state = SessionState.CONNECTING;
    /**
     * The reason why nobody could be reached, for whoever dialled: null while that is not known, and null for ever when
     * simply nobody listened, which is no news.
     */
    private ConnectProblem problem;
    /**
     * Whether the session was READY when it was closed: its place is then not among those of unproved peers, and to
     * dial again soon is not in vain.
     */
    private boolean wasReady;
    /**
     * The end of the handshake timeout by the conductor's clock, for all states before READY together; its start is
     * when the session was made.
     */
    private final long deadlineNs;

    /**
     * Creates a session over a connection that the connection manager is about to make.
     *
     * @param context    of all sessions.
     * @param medium     that the connection is on.
     * @param connection that was dialled or accepted; released by whoever keeps the session.
     * @param identity   of the peer, as far as it is known.
     */
    ControlSession(
        final SessionContext context,
        final SessionMedium medium,
        final ControlConnection connection,
        final PeerIdentity identity) {
        this.context = context;
        services = context.services();
        this.medium = medium;
        this.connection = connection;
        this.identity = identity;
        heartbeats = new Heartbeats(services);
        end = new SessionEnd(context, medium.sessions().refusedPeers(), connection, identity, this);
        handshake = new PeerHandshake(context, connection, identity, heartbeats, end, this::ready);
        peer = new SessionPeer(medium, connection, identity, heartbeats, end, this::isReady);
        reader = new ControlMessageReader(new SessionMessages(peer, context.links(), handshake, heartbeats, end));
        deadlineNs = services.nowNs() + services.parameters().durations().handshakeTimeoutNs();
    }

    /**
     * Asks the connection how it is, reads what has arrived, and looks after the timeouts. Each duty cycle. The order
     * matters: a connection that has ended is read to its end first, as the peer's last words, a Goodbye for one, say
     * why it has ended.
     *
     * @param nowNs time of the conductor's clock, which stands still while the conductor does not run: a starved
     *              process does not blame its peers.
     * @return how much was done, 0 when the session was over before.
     */
    int doWork(final long nowNs) {
        if (state == SessionState.CLOSED) {
            return 0;
        }
        final boolean isLookDue =
            state != SessionState.READY || heartbeats.isLookDue(nowNs, medium.sessions().count());
        Connection.State connected = isLookDue ? connection.state() : Connection.State.ESTABLISHED;
        int work = 0;
        if (connected == Connection.State.ESTABLISHED) {
            if (state == SessionState.CONNECTING) {
                onConnected(nowNs);
                work++;
            }
            if (state == SessionState.WAITING) {
                ready();
            }
            final int received = readArrived();
            if (received > 0) {
                heartbeats.onReceived(nowNs);
                work += received - heartbeats.takeTold();
            }
            // that the connection has ended is the better reason for a failure, and nobody may have asked yet
            connected = connection.failure() == null ? connected : connection.state();
        }
        if (connected != Connection.State.ESTABLISHED && connected != Connection.State.CONNECTING) {
            problem = ConnectProblem.of(connected, connection.connection());
            // what the peer said before it left, its goodbye for one, has arrived and still counts; not so when nobody
            // has looked at the connection while it lasted
            work += readArrived();
            end.lost(connection.isPeerGone());
        }
        if (connection.failure() != null) {
            work += readArrived();
            // an overrun, which would explain it, may wait to be told
            medium.takeEvents();
            end.fail(connection.failure());
        }
        keepAlive(nowNs);
        return work;
    }

    /**
     * Reads what has arrived, one poll's worth. That is all when the connection has ended, too: what was under way then
     * is one poll at most, since its end gives no more credit.
     */
    private int readArrived() {
        return isHeard() ? connection.poll(this::onMessage) : 0;
    }

    /**
     * Whether messages are read now. Not in WAITING: whoever only says to be a peer that is connected is not heard
     * while that one lives. Its messages stay in the receives that are posted, and its credits bound them.
     */
    private boolean isHeard() {
        return state == SessionState.HANDSHAKING || state == SessionState.READY;
    }

    /**
     * Starts the handshake, or ends the session; a peer that was connected to by an address is known by its answer. One
     * without a transport's private data is another program: that is the problem of the attempt, and told by whoever
     * dialled. A peer to which there is a connection already, by another of its addresses, is left without a word.
     */
    private void onConnected(final long nowNs) {
        final boolean isTransport = identity.takeAnswer();
        final Connection connected = connection.connection();
        if (!isTransport) {
            problem = PrivateData.stranger(connected.privateData());
            close();
        } else if (!connected.contradictingAddress().isEmpty()) {
            final String contradicting = connected.contradictingAddress();
            end.refuse(contradicting, GoodbyeReason.NOT_ALLOWED,
                RefusedPeers.contradiction(identity.host(), contradicting));
        } else if (!medium.allows(connected.peerAddress())) {
            end.refuse(GoodbyeReason.NOT_ALLOWED, SessionMedium.NOT_ON_LIST);
        } else if (medium.isWanted(this)) {
            state = SessionState.HANDSHAKING;
            // silence is counted from here, so that a connection that was slow to be made does not count against the
            // peer
            heartbeats.onReceived(nowNs);
            handshake.begin();
        } else {
            close();
        }
    }

    /**
     * Ends the session of a peer that was silent for too long, before READY and in it, and sends the heartbeats when
     * they are due. They carry the positions of links, and are the only thing that finds out a cable that is pulled
     * while nothing is sent ({@code docs/decisions/006-credits-and-batching.md}).
     */
    private void keepAlive(final long nowNs) {
        if (state == SessionState.READY) {
            if (heartbeats.silenceNs(nowNs) > services.parameters().durations().livenessTimeoutNs()) {
                end.fail("silent for " + heartbeats.silenceNs(nowNs) + " ns");
            } else if (heartbeats.isDue(nowNs)) {
                context.links().sendHeartbeats(peer);
            }
        } else if (state == SessionState.CONNECTING && !identity.isAcceptor() && identity.id() == null
            && nowNs - deadlineNs > 0) {
            // nobody at the address yet, which is no failure: the program there may be started later, and whoever
            // dialled tries again
            close();
        } else if (state != SessionState.CLOSED && nowNs - deadlineNs > 0) {
            end.fail(state == SessionState.WAITING ? "a peer of the same id is connected" : "handshake timed out");
        }
    }

    /**
     * Takes one message from the connection. A malformed one ends the session, since whatever follows cannot be trusted
     * either; an unknown one does not.
     *
     * @return false when the session is over or waits, so that nothing behind this message is read.
     */
    private boolean onMessage(final DirectBuffer buffer, final int offset, final int length) {
        final int result = reader.read(buffer, offset, length);
        if (result == ControlMessageReader.UNKNOWN_TEMPLATE) {
            // a newer peer says something that this version does not know: the protocol allows to ignore it
            services.counters().increment(TransportCounter.CONTROL_MESSAGES_REJECTED);
        } else if (result != ControlMessageReader.OK) {
            end.protocolError(
                "malformed control message: " + ControlMessageReader.resultString(result) + " length=" + length);
        }
        return isHeard();
    }

    /**
     * Lets links be made over a peer that is known, or lets it wait behind an older session that still lives. That one
     * may be the peer's own, whose connection has died unnoticed: then three heartbeats are missed soon, and the older
     * session gives way. From WAITING this is called again in each duty cycle. The order at the end matters: the older
     * session is closed first, so that its links have lost it when they are offered this one.
     */
    private void ready() {
        if (medium.sessions().isAlive(identity.origin())) {
            // not established yet: nothing is told, and what the peer has sent behind its proof is read later
            state = SessionState.WAITING;
        } else {
            state = SessionState.READY;
            handshake.introduce();
            services.counters().increment(TransportCounter.CONNECTIONS_ESTABLISHED);
            medium.sessions().onReady(this);
            context.links().onReady(peer);
        }
    }

    /**
     * Ends the session without a word; idempotent. Its links break, and resume over the next session of the same
     * origin. The connection is released later, when the sessions' next duty cycle finds this one CLOSED.
     */
    @Override
    public void close() {
        if (state != SessionState.CLOSED) {
            wasReady = state == SessionState.READY;
            // first: links that hear of the loss must not send over the session any more
            state = SessionState.CLOSED;
            if (wasReady) {
                onLost();
            }
        }
    }

    /**
     * Tells the links, after the session has left the list of those that links are made over. Only where it is certain
     * that the peer's process has ended do the links end; otherwise they wait for it to come back.
     */
    private void onLost() {
        services.counters().increment(TransportCounter.CONNECTIONS_LOST);
        final boolean isPeerGone = connection.isPeerGone();
        medium.sessions().onLost(this, isPeerGone);
        context.links().onLost(peer, isPeerGone);
    }

    @Override
    public SessionState state() {
        return state;
    }

    @Override
    public boolean isReady() {
        return state == SessionState.READY;
    }

    @Override
    public boolean wasReady() {
        return wasReady;
    }

    @Override
    public boolean isAcceptor() {
        return identity.isAcceptor();
    }

    @Override
    public String host() {
        return identity.host();
    }

    /** The problem that keeps the peer from being connected to, or null. */
    ConnectProblem problem() {
        return problem;
    }

    /** Whether there was an answer and nothing came of it, so that to try again at once is in vain. */
    boolean isFutile() {
        return state == SessionState.CLOSED && identity.id() != null && !wasReady;
    }

    /**
     * Whether the session began less than a time ago. A peer is believed for so long that it is who it says, and no
     * longer.
     */
    boolean isYoungerThan(final long ageNs) {
        return services.nowNs() - (deadlineNs - services.parameters().durations().handshakeTimeoutNs()) < ageNs;
    }

    /** {@return whether so many heartbeats of the peer are missing that its connection may have died unnoticed} */
    boolean isSilent() {
        return heartbeats.areMissing(services.nowNs());
    }

    /** {@return the identity of the peer, as far as it is known} */
    PeerIdentity identity() {
        return identity;
    }

    /** {@return the peer as links have it, the same one as long as the session lasts} */
    ConnectedPeer peer() {
        return peer;
    }

    /** {@return the ways to end the session for a reason} */
    SessionEnd end() {
        return end;
    }

    ControlConnection connection() {
        return connection;
    }
}

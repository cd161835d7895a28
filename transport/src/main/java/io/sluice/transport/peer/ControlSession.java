package io.sluice.transport.peer;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlMessageReader;
import io.sluice.codec.ControlText;
import io.sluice.codec.control.AnswerDecoder;
import io.sluice.codec.control.Authentication;
import io.sluice.codec.control.ChallengeDecoder;
import io.sluice.codec.control.GoodbyeReason;
import io.sluice.codec.control.HelloDecoder;
import io.sluice.codec.control.IntroductionDecoder;
import io.sluice.transport.agent.Services;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.Connection;
import io.sluice.verbs.SourceAddress;
import java.util.Collection;
import org.agrona.DirectBuffer;

/**
 * One peer transport as the conductor sees it over one control connection: handshake, heartbeats, liveness, and the
 * way of its messages to the links. Conductor only.
 * <pre>
 *   CONNECTING ──→ GREETING ──→ AUTHENTICATING ──→ WAITING ──→ READY      any of them ──→ CLOSED
 * </pre>
 * <table>
 *   <caption>What moves it, what follows, and the thread that the work is done on before</caption>
 *   <tr><td>CONNECTING</td><td>the connection manager has connected: the Hello is sent</td><td>GREETING, CLOSED</td>
 *     <td>set-up (makes the queue pair, and dials), conductor (accepts, and asks for the answer)</td></tr>
 *   <tr><td>GREETING</td><td>the peer's Hello has come; its version, id and kind of authentication are good</td>
 *     <td>AUTHENTICATING, WAITING, READY, CLOSED</td><td>conductor</td></tr>
 *   <tr><td>AUTHENTICATING</td><td>the peer's Answer proves that it holds the key; passed over without one</td>
 *     <td>WAITING, READY, CLOSED</td><td>conductor</td></tr>
 *   <tr><td>WAITING</td><td>an older session with the same peer is over, or silent; passed over without one</td>
 *     <td>READY, CLOSED</td><td>conductor</td></tr>
 *   <tr><td>READY</td><td>a Goodbye, silence for the liveness timeout, a connection that ends, or a newer session of
 *     the peer once this one is silent</td><td>CLOSED</td><td>conductor</td></tr>
 *   <tr><td>CLOSED</td><td>nothing any more; the last messages leave, and then the connection is released</td>
 *     <td>–</td><td>conductor, set-up</td></tr>
 * </table>
 * From CONNECTING to WAITING a session has one handshake timeout for everything: a peer that falls silent on the way is
 * hung up on when that is over. Which message moves which state, and which attack each rule is against, is in
 * {@code docs/decisions/029-handshake.md}; why a second session waits, in {@code 024-trust.md}.
 */
final class ControlSession implements SessionMessages.Session, UnprovedPeers.Guest {
    /**
     * Where the session stands. Set and asked by the conductor only; what other threads do for it is handed over as
     * tasks.
     */
    enum State {
        /** The connection manager is connecting. */
        CONNECTING,
        /** The two ends are connected, and the peer's Hello is awaited. */
        GREETING,
        /** The peer's Challenge and Answer are awaited. */
        AUTHENTICATING,
        /** The peer has an older connection, which is still alive: nothing is heard here before that is over. */
        WAITING,
        /** Links can be made. */
        READY,
        /** The session is over, and the connection is to be closed. */
        CLOSED
    }

    /** Reason for the application and the peer alike, so that both sides' operators see which of them lacks the key. */
    private static final String HOLDS_NO_KEY = "the peer asks for a pre-shared key, and this transport holds none";

    /** The surroundings of all sessions; the encoder in it has one buffer, which each message overwrites. */
    private final SessionContext context;
    private final Services services;
    private final SessionMedium medium;
    /**
     * The connection, made before the session and released after it, both on the set-up thread. It fails without an
     * exception: each duty cycle asks it.
     */
    private final ControlConnection connection;
    /**
     * Whether the peer has dialled. Whoever has dialled proves itself first (029), and a pair of transports may have
     * one session of each direction.
     */
    private final boolean acceptor;
    /**
     * The address as this side knows it: the one that was dialled, as the application wrote it, or the one listened at.
     */
    private final String endpoint;
    private final ControlMessageReader reader;
    /** The authentication of the peer, null when no key is asked for, and before there is a connection. */
    private PeerAuthentication authentication;
    /** Signs of life; anything that arrives counts as one, a message that only returns credit too. */
    private final Heartbeats heartbeats;
    /**
     * Turns of the links of publications that are set up over the session. Turns end with it: after a loss links
     * queue up anew at the session that takes its place.
     */
    private final SetupTurns setupTurns = new SetupTurns();
    private State state = State.CONNECTING;
    /**
     * The peer by the id that it gives itself. Known from the start where a listener's name tells it, from the answer
     * of the connection manager where an address was dialled, else since the Hello; null before. Only a key proves it.
     */
    private TransportId peerId;
    /**
     * The peer by its id and by what it cannot choose, since its Hello; null before. Links resume over sessions of an
     * equal origin only.
     */
    private PeerOrigin origin;
    /** The peer's name for people: from its Hello without a key, from its Introduction with one, empty before. */
    private String clientName = "";
    /**
     * The reason why nobody could be reached, for whoever dialled: null while that is not known, and null for ever when
     * simply nobody listened, which is no news.
     */
    private ConnectProblem problem;
    /** The protocol version of the peer's Hello, which the peer's proof has to cover. */
    private long peerVersion;
    /**
     * Whether the session was READY when it was closed: its place is then not among those of unproved peers, and to
     * dial again soon is not in vain.
     */
    private boolean wasReady;
    /** Whether one end has hung up on the other for who it is: neither is likely to change soon. */
    private boolean isRefused;
    /**
     * The end of the handshake timeout by the conductor's clock, for all states before READY together; its start is
     * when the session was made.
     */
    private long deadlineNs;

    /**
     * Creates a session over a connection that the connection manager is about to make.
     *
     * @param context        of all sessions.
     * @param medium         that the connection is on.
     * @param connection     that was dialled or accepted; released by whoever keeps the session.
     * @param acceptor       whether the peer has dialled.
     * @param endpoint       address that was dialled or listened at.
     * @param expectedPeerId of the peer where its name tells it, else null: then the answer or the Hello tells.
     */
    ControlSession(
        final SessionContext context,
        final SessionMedium medium,
        final ControlConnection connection,
        final boolean acceptor,
        final String endpoint,
        final TransportId expectedPeerId) {
        this.context = context;
        services = context.services();
        this.medium = medium;
        this.connection = connection;
        this.acceptor = acceptor;
        this.endpoint = endpoint;
        peerId = expectedPeerId;
        reader = new ControlMessageReader(new SessionMessages(this, context.links()));
        heartbeats = new Heartbeats(services);
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
        if (state == State.CLOSED) {
            return 0;
        }
        final boolean isLookDue = state != State.READY || heartbeats.isLookDue(nowNs, medium.sessions().all().size());
        Connection.State connected = isLookDue ? connection.state() : Connection.State.ESTABLISHED;
        int work = 0;
        if (connected == Connection.State.ESTABLISHED) {
            if (state == State.CONNECTING) {
                onConnected(nowNs);
                work++;
            }
            if (state == State.WAITING) {
                ready();
            }
            final int received = isGreeted() ? connection.poll(this::onMessage) : 0;
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
            work += readRest();
            medium.sessions().refusedPeers().tellLost(this, connection.isPeerGone());
            close();
        }
        if (connection.failure() != null) {
            work += readRest();
            // an overrun, which would explain it, may wait to be told
            medium.takeEvents();
            fail(connection.failure());
        }
        keepAlive(nowNs);
        return work;
    }

    /**
     * Read what had arrived before the connection ended: what was under way is one poll at most, since its end gives no
     * more credit.
     */
    private int readRest() {
        return isGreeted() ? connection.poll(this::onMessage) : 0;
    }

    /**
     * Whether messages are read now. Not in WAITING: whoever only says to be a peer that is connected is not heard
     * while that one lives. Its messages stay in the receives that are posted, and its credits bound them.
     */
    private boolean isGreeted() {
        return state == State.GREETING || state == State.AUTHENTICATING || state == State.READY;
    }

    /**
     * Begins the handshake, or ends the session; a peer that was connected to by an address is known by its answer. One
     * without a transport's private data is another program: that is the problem of the attempt, and told by whoever
     * dialled. A peer to which there is a connection already, by another of its addresses, is left without a word.
     */
    private void onConnected(final long nowNs) {
        if (peerId == null && !acceptor) {
            peerId = PrivateData.acceptor(connection.connection().privateData());
        }
        if (peerId == null && !acceptor) {
            problem = PrivateData.stranger(connection.connection().privateData());
            close();
        } else if (!connection.connection().contradictingAddress().isEmpty()) {
            final String contradicting = connection.connection().contradictingAddress();
            refuse(contradicting, GoodbyeReason.NOT_ALLOWED,
                RefusedPeers.contradiction(RefusedPeers.hostOf(connection.peer()), contradicting));
        } else if (!medium.allows(connection.connection().peerAddress())) {
            refuse(GoodbyeReason.NOT_ALLOWED, SessionMedium.NOT_ON_LIST);
        } else if (medium.isWanted(this)) {
            greet(nowNs);
        } else {
            close();
        }
    }

    /**
     * Says Hello, and with a key challenges the peer right behind it: both sides do so at once, and neither waits for
     * the other. What a Hello tells before the proof is only what the peer needs for it (029). The silence of the peer
     * is counted from here, so that a connection that was slow to be made does not count against it.
     */
    private void greet(final long nowNs) {
        state = State.GREETING;
        heartbeats.onReceived(nowNs);
        final ControlEncoder encoder = context.encoder();
        connection.send(encoder.buffer(), encoder.hello(services.id(), services.parameters(), endpoint));
        final TransportParameters parameters = services.parameters();
        if (parameters.peerRules().asksForKey()) {
            authentication = new PeerAuthentication(parameters.peerRules().key()::digest,
                parameters.environment()::randomLong, services.id(), acceptor, connection.connection().binding());
            send(encoder.challenge(authentication.nonce(), services.id()));
        }
    }

    /**
     * Ends the session of a peer that was silent for too long, before READY and in it, and sends the heartbeats when
     * they are due. They carry the positions of links, and are the only thing that finds out a cable that is pulled
     * while nothing is sent ({@code docs/decisions/006-credits-and-batching.md}).
     */
    private void keepAlive(final long nowNs) {
        if (state == State.READY) {
            if (heartbeats.silenceNs(nowNs) > services.parameters().durations().livenessTimeoutNs()) {
                fail("silent for " + heartbeats.silenceNs(nowNs) + " ns");
            } else if (heartbeats.isDue(nowNs)) {
                context.links().sendHeartbeats(this);
            }
        } else if (state == State.CONNECTING && !acceptor && peerId == null && nowNs - deadlineNs > 0) {
            // nobody at the address yet, which is no failure: the program there may be started later, and whoever
            // dialled tries again
            close();
        } else if (state != State.CLOSED && nowNs - deadlineNs > 0) {
            fail(state == State.WAITING ? "a peer of the same id is connected" : "handshake timed out");
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
            protocolError(
                "malformed control message: " + ControlMessageReader.resultString(result) + " length=" + length);
        }
        return isGreeted();
    }

    /**
     * Takes the Hello, which says who the peer means to be, once. The first check that fails ends the session: a second
     * Hello or another id than was expected is a breach of the protocol, while a version or a key that does not fit is
     * told with the reason that the peer's operator needs. Without a key this is the whole handshake, and the id is
     * taken on the peer's word: {@code docs/decisions/024-trust.md} has the rules that keep a false one from doing
     * harm.
     */
    @Override
    public void onHello(final HelloDecoder hello) {
        if (state != State.GREETING) {
            protocolError("unexpected Hello");
            return;
        }
        final TransportId id = new TransportId(hello.transportId().high(), hello.transportId().low());
        if (peerId != null && !peerId.equals(id)) {
            protocolError("another transport answered: expected=" + peerId + " found=" + id);
        } else if (hello.oldestProtocolVersion() > ControlDescriptor.PROTOCOL_VERSION
            || hello.protocolVersion() < ControlDescriptor.OLDEST_PROTOCOL_VERSION) {
            goodbye(GoodbyeReason.VERSION_MISMATCH, "no common protocol version: peer=" + hello.oldestProtocolVersion()
                + ".." + hello.protocolVersion() + " own=" + ControlDescriptor.OLDEST_PROTOCOL_VERSION + ".."
                + ControlDescriptor.PROTOCOL_VERSION);
        } else if (id.equals(services.id()) && !context.otherEnds().has(connection.connection().binding(), acceptor)) {
            refuse(GoodbyeReason.AUTHENTICATION_FAILED, "the peer says the id of this transport, and is another one");
        } else if (authentication == null && hello.authentication() != Authentication.NONE) {
            refuse(GoodbyeReason.AUTHENTICATION_FAILED, HOLDS_NO_KEY);
        } else if (authentication != null && hello.authentication() != Authentication.HMAC_SHA256) {
            refuse(GoodbyeReason.AUTHENTICATION_FAILED,
                "the peer asks for no pre-shared key, and this transport takes nobody without one");
        } else {
            peerId = id;
            origin = PeerOrigin.of(id, connection.connection(), acceptor);
            heartbeats.peerIntervalNs(hello.heartbeatIntervalNs());
            peerVersion = hello.protocolVersion();
            clientName = ControlText.printable(hello.clientName());
            if (authentication == null) {
                ready();
            } else {
                state = State.AUTHENTICATING;
            }
        }
    }

    /**
     * Takes the nonce that the peer wants answered, once, and after its Hello. An end that has dialled answers at once;
     * the other one keeps its answer until the peer has proved itself, since an answer lets its hearer try keys at
     * home.
     */
    @Override
    public void onChallenge(final ChallengeDecoder challenge) {
        final TransportId id = new TransportId(challenge.transportId().high(), challenge.transportId().low());
        if (authentication == null) {
            refuse(GoodbyeReason.AUTHENTICATION_FAILED, HOLDS_NO_KEY);
        } else if (state != State.AUTHENTICATING || authentication.isAsked()) {
            protocolError("unexpected Challenge");
        } else if (!id.equals(peerId)) {
            protocolError("a Challenge of another transport: expected=" + peerId + " found=" + id);
        } else {
            final byte[] nonce = new byte[ControlDescriptor.NONCE_LENGTH];
            challenge.getNonce(nonce, 0, nonce.length);
            authentication.asked(nonce);
            if (!acceptor) {
                // somebody must begin: it is whoever has chosen whom to connect to
                answer();
            }
        }
    }

    /**
     * Takes the peer's proof, once: a good one makes the session ready, and a listening end gives its own answer then.
     * After a bad one there is no second try on this connection, and the peer is refused by name.
     */
    @Override
    public void onAnswer(final AnswerDecoder answer) {
        if (state != State.AUTHENTICATING || !authentication.isAsked()) {
            protocolError("unexpected Answer");
            return;
        }
        final byte[] digest = new byte[ControlDescriptor.DIGEST_LENGTH];
        answer.getDigest(digest, 0, digest.length);
        if (authentication.isProof(digest, peerId, peerVersion)) {
            if (acceptor) {
                answer();
            }
            ready();
        } else {
            refuse(GoodbyeReason.AUTHENTICATION_FAILED, "the peer does not hold the pre-shared key of this transport");
        }
    }

    private void answer() {
        send(context.encoder().answer(authentication.answer(peerId)));
    }

    /** Takes the name that the peer tells once it has proved that it holds the key. */
    @Override
    public void onIntroduction(final IntroductionDecoder introduction) {
        clientName = ControlText.printable(introduction.clientName());
    }

    /**
     * Ends the handshake, or lets the peer wait behind an older session that still lives. That one may be the peer's
     * own, whose connection has died unnoticed: then three heartbeats are missed soon, and the older session gives way.
     * From WAITING this is called again in each duty cycle. The order at the end matters: the older session is closed
     * first, so that its links have lost it when they are offered this one.
     */
    private void ready() {
        if (medium.sessions().isAlive(origin)) {
            // not established yet: nothing is told, and what the peer has sent behind its proof is read later
            state = State.WAITING;
        } else {
            state = State.READY;
            if (authentication != null) {
                send(context.encoder().introduction(services.parameters(), endpoint));
            }
            services.counters().increment(TransportCounter.CONNECTIONS_ESTABLISHED);
            medium.sessions().onReady(this);
            context.links().onReady(this);
        }
    }

    /** Hangs up on a peer for who it is, whatever it says, and tells the application once for each such peer. */
    private void refuse(final GoodbyeReason reason, final String text) {
        refuse(distinctPeer(), reason, text);
    }

    /**
     * Hangs up on a peer, named by what it cannot choose. The peer hears the reason in a Goodbye, unless this end has
     * not even said Hello: then the end of the connection has to do.
     */
    private void refuse(final String peer, final GoodbyeReason reason, final String text) {
        isRefused = true;
        medium.sessions().refusedPeers().onRefused(peer, reason, text);
        if (state != State.CONNECTING) {
            send(context.encoder().goodbye(reason, text));
        }
        close();
    }

    /**
     * Notes that the peer has hung up on this transport for who it is. The session is closed by whoever read that
     * Goodbye.
     */
    @Override
    public void onRefusedBy(final GoodbyeReason reason, final String text) {
        isRefused = true;
        medium.sessions().refusedPeers().onRefusedBy(distinctPeer(), reason, text);
    }

    @Override
    public String distinctPeer() {
        return acceptor ? RefusedPeers.hostOf(connection.peer()) : connection.peer();
    }

    /** Tells the application why the connection ends: of a peer once for each reason, however often it comes back. */
    @Override
    public void tell(final String what, final String text) {
        medium.sessions().refusedPeers().tellEnd(this, what, text);
    }

    @Override
    public boolean checkQueuePair(final byte[] address) {
        final String contradicting = connection.connection().contradictingAddress(address);
        if (!contradicting.isEmpty()) {
            // apart from the peer, who was accepted: it can do this as often as it is
            refuse("links of " + distinctPeer(), GoodbyeReason.NOT_ALLOWED, "a queue pair of a link is at "
                + contradicting + ", and not at the peer's address "
                + ControlText.printable(RefusedPeers.hostOf(connection.peer())));
        }
        return contradicting.isEmpty();
    }

    /**
     * Whether the peer may send what only a ready session may. A peer that speaks of links before its proof breaks the
     * protocol, and false says that its session is closed now: the message is to be dropped.
     */
    @Override
    public boolean checkReady(final String messageName) {
        if (state != State.READY) {
            protocolError("unexpected " + messageName + " before the handshake is over");
        }
        return isReady();
    }

    @Override
    public void protocolError(final String text) {
        services.counters().increment(TransportCounter.CONTROL_MESSAGES_REJECTED);
        goodbye(GoodbyeReason.PROTOCOL_ERROR, text);
    }

    /**
     * Ends the session on purpose. The Goodbye is the last message, and has 100 ms to leave before the connection is
     * released ({@link ClosingConnections}); nobody waits for it here. With CLOSED the peer's publications end their
     * links at once; after any other end links wait to be resumed. For the application of this side CLOSED is no news.
     */
    void goodbye(final GoodbyeReason reason, final String text) {
        if (state == State.CLOSED) {
            return;
        }
        if (state != State.CONNECTING) {
            send(context.encoder().goodbye(reason, text));
        }
        if (reason != GoodbyeReason.CLOSED) {
            tell("closed: " + reason, text);
        }
        close();
    }

    /**
     * Closes for a reason that the application must hear of. The peer gets no Goodbye: it is silent, or the connection
     * cannot carry one any more.
     */
    private void fail(final String reason) {
        if (state != State.CLOSED) {
            tell("lost", reason);
            close();
        }
    }

    /**
     * Ends the session without a word; idempotent. Its links break, and resume over the next session of the same
     * origin. The connection is released later, when the sessions' next duty cycle finds this one CLOSED.
     */
    @Override
    public void close() {
        if (state != State.CLOSED) {
            wasReady = state == State.READY;
            // first: links that hear of the loss must not send over the session any more
            state = State.CLOSED;
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
        context.links().onLost(this, isPeerGone);
    }

    @Override
    public void send(final DirectBuffer buffer, final int length) {
        connection.send(buffer, length);
    }

    private void send(final int length) {
        connection.send(context.encoder().buffer(), length);
    }

    State state() {
        return state;
    }

    @Override
    public boolean isReady() {
        return state == State.READY;
    }

    @Override
    public SessionMedium medium() {
        return medium;
    }

    String endpoint() {
        return endpoint;
    }

    /** The problem that keeps the peer from being connected to, or null. */
    ConnectProblem problem() {
        return problem;
    }

    /** Whether there was an answer and nothing came of it, so that to try again at once is in vain. */
    boolean isFutile() {
        return state == State.CLOSED && peerId != null && !wasReady;
    }

    /** Whether one end has refused the other for who it is: the peer is left alone for a while then. */
    boolean isRefused() {
        return isRefused;
    }

    /**
     * Whether the session began less than a time ago. A peer is believed for so long that it is who it says, and no
     * longer.
     */
    boolean isYoungerThan(final long ageNs) {
        return services.nowNs() - (deadlineNs - services.parameters().durations().handshakeTimeoutNs()) < ageNs;
    }

    @Override
    public boolean wasReady() {
        return wasReady;
    }

    @Override
    public TransportId peerId() {
        return peerId;
    }

    @Override
    public PeerOrigin origin() {
        return origin;
    }

    @Override
    public Heartbeats heartbeats() {
        return heartbeats;
    }

    @Override
    public String peerName() {
        return connection.peer();
    }

    @Override
    public String clientName() {
        return clientName;
    }

    @Override
    public boolean takeSetupTurn(final SetupTurns.Turn turn, final long nowNs) {
        return setupTurns.take(turn, nowNs);
    }

    @Override
    public long nextHeartbeat() {
        return heartbeats.nextSequence();
    }

    @Override
    public SourceAddress sourceAddress() {
        return connection.sourceAddress();
    }

    @Override
    public boolean isWaiting() {
        return connection.isWaiting();
    }

    @Override
    public void tellQuota(final String what, final String quota) {
        medium.sessions().refusedPeers().tellQuota(distinctPeer(), what, quota);
    }

    @Override
    public boolean announces(final Medium.Party subscription) {
        return medium.announces(this, subscription);
    }

    @Override
    public boolean isMet(final String rendezvous, final PeerSubscription subscription) {
        return medium.isMet(rendezvous, this, subscription);
    }

    @Override
    public boolean listenTo(final PeerSubscription subscription) {
        return medium.sessions().announced().add(this, subscription);
    }

    @Override
    public void forget(final long subscriptionId) {
        medium.sessions().announced().remove(this, subscriptionId);
    }

    @Override
    public Collection<PeerSubscription> announced() {
        return medium.sessions().announced().of(this);
    }

    @Override
    public String host() {
        return RefusedPeers.hostOf(connection.peer());
    }

    @Override
    public boolean isAcceptor() {
        return acceptor;
    }

    ControlConnection connection() {
        return connection;
    }
}

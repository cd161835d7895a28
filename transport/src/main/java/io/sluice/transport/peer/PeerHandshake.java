package io.sluice.transport.peer;

import io.sluice.codec.ControlDescriptor;
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

/**
 * One end's handshake over a control connection: who the peer says to be, and with a key the proof that it holds that,
 * before anything else is said. Begins when the connection stands. Conductor only; the connection and the end of the
 * session are its session's, and nothing is to be freed.
 * <pre>
 *   GREETING ──Hello, with a key──→ AUTHENTICATING ──Answer──→ KNOWN
 *       └──────Hello, without a key───────────────────────────↗
 * </pre>
 * <table>
 *   <caption>What moves it, what follows, and the thread</caption>
 *   <tr><td>GREETING</td><td>the peer's Hello has come; its version, id and kind of authentication are good</td>
 *     <td>AUTHENTICATING, KNOWN</td><td>conductor</td></tr>
 *   <tr><td>AUTHENTICATING</td><td>the peer's Challenge has come, once, and then its Answer, once, which proves that it
 *     holds the key; an end that has dialled answers the Challenge at once, the other one after that proof</td>
 *     <td>KNOWN</td><td>conductor</td></tr>
 *   <tr><td>KNOWN</td><td>nothing any more: the session is told, and from here on goes its own way</td><td>–</td>
 *     <td>conductor</td></tr>
 * </table>
 * Whatever does not fit ends the session by {@link SessionEnd}, and so is no state here. Nor is the time that all of it
 * may take: the session has one handshake timeout for everything. Which attack each rule is against is in {@code
 * docs/decisions/029-handshake.md}.
 */
final class PeerHandshake {
    /** The state of a handshake. */
    private enum State {
        /** The peer's Hello is awaited. */
        GREETING,
        /** The peer's Challenge and Answer are awaited. */
        AUTHENTICATING,
        /** The peer has said who it is, and where there is a key has proved it. */
        KNOWN
    }

    /** Reason for the application and the peer alike, so that both sides' operators see which of them lacks the key. */
    private static final String HOLDS_NO_KEY = "the peer asks for a pre-shared key, and this transport holds none";

    /** The surroundings of all sessions; the encoder in it has one buffer, which each message overwrites. */
    private final SessionContext context;
    private final Services services;
    private final ControlConnection connection;
    /** The peer as it becomes known here. */
    private final PeerIdentity peer;
    /** Signs of life, of which the peer's Hello tells how often they are to come. */
    private final Heartbeats heartbeats;
    private final SessionEnd end;
    /** Tells the session that the peer is known; run once. */
    private final Runnable known;
    private State state = State.GREETING;
    /** The authentication of the peer, null when no key is asked for, and before the handshake has begun. */
    private PeerAuthentication authentication;
    /** The protocol version of the peer's Hello, which the peer's proof has to cover. */
    private long peerVersion;

    /**
     * Creates a handshake that has not begun.
     *
     * @param context    of all sessions.
     * @param connection that it is made over.
     * @param peer       that is to become known.
     * @param heartbeats of the session.
     * @param end        for a peer that does not pass.
     * @param known      run when the peer is known.
     */
    PeerHandshake(
        final SessionContext context,
        final ControlConnection connection,
        final PeerIdentity peer,
        final Heartbeats heartbeats,
        final SessionEnd end,
        final Runnable known) {
        this.context = context;
        services = context.services();
        this.connection = connection;
        this.peer = peer;
        this.heartbeats = heartbeats;
        this.end = end;
        this.known = known;
    }

    /**
     * Says Hello, and with a key challenges the peer right behind it: both sides do so at once, and neither waits for
     * the other. What a Hello tells before the proof is only what the peer needs for it (029). Called once, when the
     * connection stands.
     */
    void begin() {
        final TransportParameters parameters = services.parameters();
        send(context.encoder().hello(services.id(), parameters, peer.endpoint()));
        if (parameters.peerRules().asksForKey()) {
            authentication = new PeerAuthentication(parameters.peerRules().key()::digest,
                parameters.environment()::randomLong, services.id(), peer.isAcceptor(),
                connection.connection().binding());
            send(context.encoder().challenge(authentication.nonce(), services.id()));
        }
    }

    /**
     * Takes the Hello, which says who the peer means to be, once. The first check that fails ends the session: a second
     * Hello or another id than was expected is a breach of the protocol, while a version or a key that does not fit is
     * told with the reason that the peer's operator needs. Without a key this is the whole handshake, and the id is
     * taken on the peer's word: {@code docs/decisions/024-trust.md} has the rules that keep a false one from doing
     * harm.
     */
    void onHello(final HelloDecoder hello) {
        if (state != State.GREETING) {
            end.protocolError("unexpected Hello");
            return;
        }
        final TransportId id = new TransportId(hello.transportId().high(), hello.transportId().low());
        if (peer.id() != null && !peer.id().equals(id)) {
            end.protocolError("another transport answered: expected=" + peer.id() + " found=" + id);
        } else if (hello.oldestProtocolVersion() > ControlDescriptor.PROTOCOL_VERSION
            || hello.protocolVersion() < ControlDescriptor.OLDEST_PROTOCOL_VERSION) {
            end.goodbye(GoodbyeReason.VERSION_MISMATCH, "no common protocol version: peer="
                + hello.oldestProtocolVersion() + ".." + hello.protocolVersion() + " own="
                + ControlDescriptor.OLDEST_PROTOCOL_VERSION + ".." + ControlDescriptor.PROTOCOL_VERSION);
        } else if (id.equals(services.id())
            && !context.otherEnds().has(connection.connection().binding(), peer.isAcceptor())) {
            end.refuse(
                GoodbyeReason.AUTHENTICATION_FAILED, "the peer says the id of this transport, and is another one");
        } else if (authentication == null && hello.authentication() != Authentication.NONE) {
            end.refuse(GoodbyeReason.AUTHENTICATION_FAILED, HOLDS_NO_KEY);
        } else if (authentication != null && hello.authentication() != Authentication.HMAC_SHA256) {
            end.refuse(GoodbyeReason.AUTHENTICATION_FAILED,
                "the peer asks for no pre-shared key, and this transport takes nobody without one");
        } else {
            onGreeted(id, hello);
        }
    }

    /** Takes what a good Hello says, after which either the proof is awaited or the peer is known. */
    private void onGreeted(final TransportId id, final HelloDecoder hello) {
        heartbeats.peerIntervalNs(hello.heartbeatIntervalNs());
        peerVersion = hello.protocolVersion();
        peer.greeted(id, ControlText.printable(hello.clientName()));
        if (authentication == null) {
            onKnown();
        } else {
            state = State.AUTHENTICATING;
        }
    }

    /**
     * Takes the nonce that the peer wants answered, once, and after its Hello. An end that has dialled answers at once;
     * the other one keeps its answer until the peer has proved itself, since an answer lets its hearer try keys at
     * home.
     */
    void onChallenge(final ChallengeDecoder challenge) {
        final TransportId id = new TransportId(challenge.transportId().high(), challenge.transportId().low());
        if (authentication == null) {
            end.refuse(GoodbyeReason.AUTHENTICATION_FAILED, HOLDS_NO_KEY);
        } else if (state != State.AUTHENTICATING || authentication.isAsked()) {
            end.protocolError("unexpected Challenge");
        } else if (!id.equals(peer.id())) {
            end.protocolError("a Challenge of another transport: expected=" + peer.id() + " found=" + id);
        } else {
            final byte[] nonce = new byte[ControlDescriptor.NONCE_LENGTH];
            challenge.getNonce(nonce, 0, nonce.length);
            authentication.asked(nonce);
            if (!peer.isAcceptor()) {
                // somebody must begin: it is whoever has chosen whom to connect to
                answer();
            }
        }
    }

    /**
     * Takes the peer's proof, once: a good one makes the peer known, and a listening end gives its own answer then.
     * After a bad one there is no second try on this connection, and the peer is refused by name.
     */
    void onAnswer(final AnswerDecoder answer) {
        if (state != State.AUTHENTICATING || !authentication.isAsked()) {
            end.protocolError("unexpected Answer");
            return;
        }
        final byte[] digest = new byte[ControlDescriptor.DIGEST_LENGTH];
        answer.getDigest(digest, 0, digest.length);
        if (authentication.isProof(digest, peer.id(), peerVersion)) {
            if (peer.isAcceptor()) {
                answer();
            }
            onKnown();
        } else {
            end.refuse(
                GoodbyeReason.AUTHENTICATION_FAILED, "the peer does not hold the pre-shared key of this transport");
        }
    }

    private void answer() {
        send(context.encoder().answer(authentication.answer(peer.id())));
    }

    private void onKnown() {
        state = State.KNOWN;
        known.run();
    }

    /**
     * Tells names to a peer that has proved that it holds the key, before any link is spoken of; without a key the
     * Hello has told them. Called once, when the session is ready.
     */
    void introduce() {
        if (authentication != null) {
            send(context.encoder().introduction(services.parameters(), peer.endpoint()));
        }
    }

    /** Takes the name that the peer tells once it has proved that it holds the key. */
    void onIntroduction(final IntroductionDecoder introduction) {
        peer.introduced(ControlText.printable(introduction.clientName()));
    }

    private void send(final int length) {
        connection.send(context.encoder().buffer(), length);
    }
}

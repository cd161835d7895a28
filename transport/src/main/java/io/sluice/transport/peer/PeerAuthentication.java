package io.sluice.transport.peer;

import io.sluice.codec.ControlDescriptor;
import io.sluice.transport.settings.TransportId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The proof by which the two ends of one control connection show each other that they hold the pre-shared key: each
 * draws a nonce and answers the other's with a digest over all that both must agree on. The answer is of no use on
 * another connection, in the other direction, or to anybody else. {@code docs/decisions/029-handshake.md} says for each
 * field which attack falls because of it, and a test takes each out and finds that attack. Conductor only.
 */
final class PeerAuthentication {
    /** Offsets of the fields of what is digested; behind the last one stands what the connection is made of. */
    static final int ROLE_OFFSET = 0;
    static final int CHALLENGE_OFFSET = ROLE_OFFSET + 1;
    static final int ANSWERING_NONCE_OFFSET = CHALLENGE_OFFSET + ControlDescriptor.NONCE_LENGTH;
    static final int CHALLENGING_ID_OFFSET = ANSWERING_NONCE_OFFSET + ControlDescriptor.NONCE_LENGTH;
    static final int ANSWERING_ID_OFFSET = CHALLENGING_ID_OFFSET + 2 * Long.BYTES;
    static final int VERSION_OFFSET = ANSWERING_ID_OFFSET + 2 * Long.BYTES;
    static final int BINDING_OFFSET = VERSION_OFFSET + Integer.BYTES;

    private static final byte CONNECTED = 'C';
    private static final byte LISTENED = 'L';

    private final UnaryOperator<byte[]> digest;
    private final TransportId ownId;
    private final boolean listened;
    private final byte[] binding;
    private final byte[] ownNonce = new byte[ControlDescriptor.NONCE_LENGTH];
    private byte[] peerNonce;

    /**
     * Draws a fresh nonce.
     *
     * @param digest   with the key that both must hold.
     * @param random   that draws the nonce.
     * @param ownId    of this transport.
     * @param listened whether this end accepted the connection.
     * @param binding  what the connection is made of ({@link io.sluice.verbs.Connection#binding}).
     */
    PeerAuthentication(
        final UnaryOperator<byte[]> digest,
        final LongSupplier random,
        final TransportId ownId,
        final boolean listened,
        final byte[] binding) {
        this.digest = digest;
        this.ownId = ownId;
        this.listened = listened;
        this.binding = binding;
        final ByteBuffer nonce = ByteBuffer.wrap(ownNonce);
        while (nonce.hasRemaining()) {
            nonce.putLong(random.getAsLong());
        }
    }

    /** The nonce that the peer is to answer. */
    byte[] nonce() {
        return ownNonce;
    }

    /** Take the peer's challenge, once. */
    void asked(final byte[] nonce) {
        peerNonce = nonce;
    }

    /** Whether the peer's challenge has come. */
    boolean isAsked() {
        return peerNonce != null;
    }

    /**
     * The answer to the peer's challenge, which has come. An end that listens gives it to nobody who has not proved
     * itself: else whoever comes could take it home and try keys.
     */
    byte[] answer(final TransportId peerId) {
        return digest.apply(proved(
            listened ? LISTENED : CONNECTED, peerNonce, ownNonce, peerId, ownId, ControlDescriptor.PROTOCOL_VERSION));
    }

    /**
     * Whether the peer, whose challenge has come before, has proved that it holds the key. Takes equally long
     * wherever a wrong answer differs.
     *
     * @param answer          of the peer.
     * @param peerId          that its Hello told.
     * @param protocolVersion that its Hello told.
     */
    boolean isProof(final byte[] answer, final TransportId peerId, final long protocolVersion) {
        return MessageDigest.isEqual(answer, digest.apply(proved(
            listened ? CONNECTED : LISTENED, ownNonce, peerNonce, ownId, peerId, (int) protocolVersion)));
    }

    private byte[] proved(
        final byte answeringRole,
        final byte[] challenge,
        final byte[] answeringNonce,
        final TransportId challengingId,
        final TransportId answeringId,
        final int answeringVersion) {
        return ByteBuffer.allocate(BINDING_OFFSET + binding.length).order(ByteOrder.LITTLE_ENDIAN)
            .put(answeringRole)
            .put(challenge)
            .put(answeringNonce)
            .putLong(challengingId.high()).putLong(challengingId.low())
            .putLong(answeringId.high()).putLong(answeringId.low())
            .putInt(answeringVersion)
            .put(binding)
            .array();
    }
}

package io.sluice.transport.connection;

import io.sluice.codec.ControlDescriptor;
import io.sluice.environment.Environment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;

/**
 * How the two ends of one control connection prove to each other that they hold the pre-shared key: each draws a nonce
 * and answers the other's. The answer covers both nonces, both transport ids and who connected, so that it is of no use
 * on another connection, in the other direction, or to anybody else. The schema of the control messages has the bytes.
 * Conductor only.
 */
final class PeerAuthentication {
    private static final byte CONNECTED = 'C';
    private static final byte LISTENED = 'L';
    private static final int PROOF_LENGTH =
        1 + 2 * ControlDescriptor.NONCE_LENGTH + 4 * Long.BYTES + Integer.BYTES;

    private final PreSharedKey key;
    private final TransportId ownId;
    private final boolean listened;
    private final byte[] ownNonce = new byte[ControlDescriptor.NONCE_LENGTH];
    private byte[] peerNonce;

    /**
     * A fresh nonce.
     *
     * @param key         that both must hold.
     * @param environment that draws it.
     * @param ownId       of this transport.
     * @param listened    whether this end accepted the connection.
     */
    PeerAuthentication(
        final PreSharedKey key, final Environment environment, final TransportId ownId, final boolean listened) {
        this.key = key;
        this.ownId = ownId;
        this.listened = listened;
        final ByteBuffer nonce = ByteBuffer.wrap(ownNonce);
        while (nonce.hasRemaining()) {
            nonce.putLong(environment.randomLong());
        }
    }

    /** What the peer is to answer. */
    byte[] nonce() {
        return ownNonce;
    }

    /** Whether the peer's challenge has been answered. */
    boolean hasAnswered() {
        return peerNonce != null;
    }

    /** The answer to the peer's challenge. */
    byte[] answer(final byte[] nonce, final TransportId peerId) {
        peerNonce = nonce;
        return key.digest(proof(
            listened ? LISTENED : CONNECTED, peerNonce, ownNonce, peerId, ownId, ControlDescriptor.PROTOCOL_VERSION));
    }

    /**
     * Whether the peer, whose challenge was answered before, has proved that it holds the key. Takes equally long
     * wherever a wrong answer differs.
     *
     * @param digest          its answer.
     * @param peerId          that its Hello told.
     * @param protocolVersion that its Hello told.
     */
    boolean isProof(final byte[] digest, final TransportId peerId, final long protocolVersion) {
        return MessageDigest.isEqual(digest, key.digest(proof(
            listened ? CONNECTED : LISTENED, ownNonce, peerNonce, ownId, peerId, (int) protocolVersion)));
    }

    private static byte[] proof(
        final byte answeringRole,
        final byte[] challenge,
        final byte[] answeringNonce,
        final TransportId challengingId,
        final TransportId answeringId,
        final int answeringVersion) {
        return ByteBuffer.allocate(PROOF_LENGTH).order(ByteOrder.LITTLE_ENDIAN)
            .put(answeringRole)
            .put(challenge)
            .put(answeringNonce)
            .putLong(challengingId.high()).putLong(challengingId.low())
            .putLong(answeringId.high()).putLong(answeringId.low())
            .putInt(answeringVersion)
            .array();
    }
}

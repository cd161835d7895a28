package io.sluice.codec;

/**
 * The bounds of the control messages, which both sides keep: a sender cuts its texts to them, and a
 * {@link ControlMessageReader} refuses what exceeds them. They are part of the wire and never shrink. Together they fit
 * into {@link #MAX_CONTROL_MESSAGE_LENGTH}, and leave room for fields of later versions.
 * <p>
 * Stateless; any thread may call it.
 */
public final class ControlDescriptor {
    /** The version of the whole protocol: how the messages follow each other, not only how they are laid out. */
    public static final int PROTOCOL_VERSION = 2;

    /** The oldest protocol version that this code speaks: a proof of version 1 was good on other connections, too. */
    public static final int OLDEST_PROTOCOL_VERSION = 2;

    /** Bytes of the longest control message with its header: the size of every receive on a control connection. */
    public static final int MAX_CONTROL_MESSAGE_LENGTH = 4096;

    /** Links in one heartbeat; a transport with more sends several. 128 of 21 bytes leave room to grow to 31 bytes. */
    public static final int MAX_HEARTBEAT_LINKS = 128;

    /** Bytes of a client's or a consumer's name: enough for one, little in a log line. */
    public static final int MAX_NAME_LENGTH = 128;

    /** Bytes of an endpoint: the longest host name has 253, and a port follows. */
    public static final int MAX_ENDPOINT_LENGTH = 262;

    /** Bytes of a channel URI. */
    public static final int MAX_CHANNEL_LENGTH = 2048;

    /** Bytes of a text for people. */
    public static final int MAX_TEXT_LENGTH = 1024;
    /** Group tag of a subscription without one, in memory; on the wire there is none. */
    public static final long NO_GROUP_TAG = Long.MIN_VALUE;

    /** Bytes of a queue pair's address: number, packet sequence number, port identifiers and what a device adds. */
    public static final int MAX_QUEUE_PAIR_ADDRESS_LENGTH = 256;

    /** Bytes of the token with which the same host maps a log: the longest names a file by its path. */
    public static final int MAX_LOG_TOKEN_LENGTH = 1024;

    /** Bytes of the nonce of a challenge. */
    public static final int NONCE_LENGTH = 32;

    /** Bytes of the digest of an answer: those of HMAC-SHA256. */
    public static final int DIGEST_LENGTH = 32;

    private ControlDescriptor() {
    }
}

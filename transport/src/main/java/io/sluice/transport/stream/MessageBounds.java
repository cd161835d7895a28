package io.sluice.transport.stream;

/**
 * The bounds of a publication's messages. Immutable; any thread.
 *
 * @param maxMessageLength bytes of the longest message.
 * @param maxPayloadLength bytes of the longest message that goes in one frame.
 * @param unblockTimeoutNs how long a claim of a publication that several threads write to may be open.
 */
public record MessageBounds(int maxMessageLength, int maxPayloadLength, long unblockTimeoutNs) {
}

package io.sluice.transport.carrier;

/**
 * The fate of the message in a claim that was committed.
 */
public enum CommitResult {
    /** The message is in the stream. */
    SENT,
    /** The message is not sent: the publication was closed before. */
    CLOSED,
    /** The message is not sent: the claim was open for too long, and has become padding. */
    GIVEN_UP
}

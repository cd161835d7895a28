package io.sluice.transport.carrier;

/** The next step of a poll, as a message's handler wants it. Any thread. */
public enum NextStep {
    /** Go on, and count the message as consumed when the poll ends. */
    CONTINUE,
    /** Count it as consumed at once, and go on. */
    COMMIT,
    /** End the poll; the message is consumed. */
    BREAK,
    /** End the poll; the message comes again. */
    ABORT
}

package io.sluice.transport;

/**
 * The way in which a poller learns of completions while there are none, see {@link PollerOptions#completionModes}.
 * Subscriptions in INVOKER mode are polled by the application's thread, which decides for itself how it waits.
 */
public enum CompletionMode {
    /** The poller looks again and again, and between two looks does what its idle strategy says. */
    SPIN,
    /**
     * The poller arms its completion queues, looks once more and sleeps until one of them announces a completion: near
     * 0 % of a core while nothing comes, and some tens of microseconds more for the first message after that.
     */
    EVENT,
    /**
     * The poller spins while messages flow and for {@link PollerOptions#spinTimeNs(long)} after the last one, then
     * sleeps like {@link #EVENT}.
     */
    ADAPTIVE
}

package io.sluice.samples;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The way of pings to a pong, and of its answers back. One thread, which sends and takes the answers.
 */
abstract class PingLink {
    /**
     * Whether pong hears and is heard. Before that it may be asked again and again, until it is.
     *
     * @return true while both directions are there.
     */
    abstract boolean isConnected();

    /**
     * Send a ping.
     *
     * @param message the whole buffer.
     * @return false when there is no room now: to be tried again.
     */
    abstract boolean offer(UnsafeBuffer message);

    /**
     * Take answers that have come.
     *
     * @param pongs that gets them, a few at most.
     * @return 0 when there was nothing to do.
     */
    abstract int poll(PongHandler pongs);

    /**
     * The length of the longest message that the link can carry.
     *
     * @return length of the longest message, in bytes.
     */
    abstract int maxMessageLength();

    /**
     * The place where pong is looked for.
     *
     * @return a few words, for the message that there is none.
     */
    abstract String place();
}

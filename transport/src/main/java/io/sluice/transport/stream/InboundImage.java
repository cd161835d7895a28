package io.sluice.transport.stream;

import io.sluice.transport.receive.InboundLink;

/**
 * What an image knows of its link. Any thread.
 */
public interface InboundImage {
    /**
     * The positions and bytes.
     *
     * @return the link.
     */
    InboundLink link();

    /**
     * The publication's session.
     *
     * @return the session id.
     */
    int sessionId();

    /**
     * Where the run began.
     *
     * @return the position.
     */
    long joinPosition();

    /**
     * Where the stream ends.
     *
     * @return the position, or {@link Long#MAX_VALUE} until it was announced.
     */
    long endOfStreamPosition();

    /**
     * Who publishes.
     *
     * @return text for people.
     */
    String sourceIdentity();
}

package io.sluice.transport.stream;

import io.sluice.transport.receive.InboundLink;

/**
 * The view that an image has of its link. Any thread.
 */
public interface InboundImage {
    /**
     * The link, which has the positions and bytes.
     *
     * @return the link.
     */
    InboundLink link();

    /**
     * The session of the publication.
     *
     * @return the session id.
     */
    int sessionId();

    /**
     * The position where the link joined the stream.
     *
     * @return the position.
     */
    long joinPosition();

    /**
     * The position where the stream ends.
     *
     * @return the position, or {@link Long#MAX_VALUE} until it was announced.
     */
    long endOfStreamPosition();

    /**
     * The publisher of the stream.
     *
     * @return text for people.
     */
    String sourceIdentity();
}

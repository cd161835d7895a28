package io.sluice.transport.stream;

import io.sluice.transport.receive.InboundLink;

/**
 * The conductor's side of an image: what the application sees of a subscription's link, beside its messages. The
 * conductor writes it, any thread reads it.
 */
public final class ImageState {
    private final InboundLink link;
    private final int sessionId;
    private final String sourceIdentity;
    private long announcedPosition;
    private volatile long joinPosition;
    private volatile long endOfStreamPosition = InboundLink.NO_END;

    /**
     * An image that has not joined its stream.
     *
     * @param link           that has its positions and bytes.
     * @param sessionId      of the publication.
     * @param sourceIdentity the publisher, for people.
     */
    public ImageState(final InboundLink link, final int sessionId, final String sourceIdentity) {
        this.link = link;
        this.sessionId = sessionId;
        this.sourceIdentity = sourceIdentity;
    }

    /**
     * Whether the publication announces another position than the last time: nothing new is no work for the polling
     * thread.
     */
    boolean isNews(final long publicationPosition) {
        final boolean isNews = publicationPosition != announcedPosition;
        announcedPosition = publicationPosition;
        return isNews;
    }

    /** {@return the position that the publication announced last, 0 before} A peer may announce anything. */
    long announcedPosition() {
        return announcedPosition;
    }

    void joinPosition(final long position) {
        joinPosition = position;
    }

    void endOfStreamPosition(final long position) {
        endOfStreamPosition = position;
    }

    /** {@return the link, which has the positions and bytes} Any thread. */
    public InboundLink link() {
        return link;
    }

    /** {@return the session id of the publication} Any thread. */
    public int sessionId() {
        return sessionId;
    }

    /** {@return the position where the link joined the stream} Any thread. */
    public long joinPosition() {
        return joinPosition;
    }

    /** {@return the position where the stream ends, or {@link Long#MAX_VALUE} until it was announced} Any thread. */
    public long endOfStreamPosition() {
        return endOfStreamPosition;
    }

    /** {@return the publisher of the stream, for people} Any thread. */
    public String sourceIdentity() {
        return sourceIdentity;
    }

    @Override
    public String toString() {
        return "sessionId=" + sessionId + " source=" + sourceIdentity;
    }
}

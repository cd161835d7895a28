package io.sluice.transport.stream;

import io.sluice.transport.receive.InboundLink;

/**
 * The side of a subscription's link that the application sees. The conductor writes it, any thread reads it.
 */
public final class LinkImage implements InboundImage {
    private final InboundLink link;
    private final int sessionId;
    private final String sourceIdentity;
    private long announcedPosition;
    private volatile long joinPosition;
    private volatile long endOfStreamPosition = InboundLink.NO_END;

    LinkImage(final InboundLink link, final int sessionId, final String sourceIdentity) {
        this.link = link;
        this.sessionId = sessionId;
        this.sourceIdentity = sourceIdentity;
    }

    /** Whether the publication announces another position than the last time: nothing new is no work for the poller. */
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

    @Override
    public InboundLink link() {
        return link;
    }

    @Override
    public int sessionId() {
        return sessionId;
    }

    @Override
    public long joinPosition() {
        return joinPosition;
    }

    @Override
    public long endOfStreamPosition() {
        return endOfStreamPosition;
    }

    @Override
    public String sourceIdentity() {
        return sourceIdentity;
    }

    @Override
    public String toString() {
        return "sessionId=" + sessionId + " source=" + sourceIdentity;
    }
}

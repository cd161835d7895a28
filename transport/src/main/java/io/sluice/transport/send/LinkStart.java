package io.sluice.transport.send;

/**
 * The positions that an {@link OutboundLink} begins with. Immutable; any thread.
 *
 * @param resumePosition   where to go on, or {@link OutboundLink#UNSET} for a fresh link.
 * @param consumedPosition log bytes from here on are owed to the link; 0 for a fresh link.
 */
public record LinkStart(long resumePosition, long consumedPosition) {
    /** The start of a link that was not there before. */
    public static final LinkStart FRESH = new LinkStart(OutboundLink.UNSET, 0);
}

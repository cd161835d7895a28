package io.sluice.transport.receive;

/**
 * The receives of one epoch of an {@link InboundLink}. Immutable; any thread.
 *
 * @param workRequestId  of each of them; tells this epoch's completions from stale ones.
 * @param depth          receives posted and kept posted.
 * @param reportInterval receives re-posted before they are reported.
 */
public record EpochReceives(long workRequestId, int depth, int reportInterval) {
}

package io.sluice.transport.stream;

/**
 * The session that a publication is, which tells it from others of its channel and stream id. Immutable; any thread.
 *
 * @param sessionId of the session.
 * @param named     whether the channel says it, so that it can be changed there; else it was drawn.
 */
public record SessionChoice(int sessionId, boolean named) {
}

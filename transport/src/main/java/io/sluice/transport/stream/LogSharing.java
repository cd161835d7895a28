package io.sluice.transport.stream;

/**
 * The use that a subscription makes of publications' logs on its own host. Immutable; any thread.
 *
 * @param wanted             whether to map logs where possible, instead of owning rings.
 * @param memoryCompletion   whether to look at the frames of a mapped log instead of draining completions.
 * @param moderationPeriodNs for how long a mapped log of a dense stream is not looked at; 0 to look all the time.
 */
public record LogSharing(boolean wanted, boolean memoryCompletion, long moderationPeriodNs) {
}

package io.sluice.transport.stream;

/**
 * The log of a publication, as its channel asks for it. Immutable; any thread.
 *
 * @param windowLength     its bytes, a power of two.
 * @param shared           whether subscribers on this host may map it.
 * @param memoryCompletion whether those may look at its frames instead of being sent completions.
 * @param timestamps       whether messages carry the time when they were offered.
 */
public record LogOptions(int windowLength, boolean shared, boolean memoryCompletion, boolean timestamps) {
}

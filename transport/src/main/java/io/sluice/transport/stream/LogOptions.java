package io.sluice.transport.stream;

/**
 * The log of a publication, as its channel asks for it. Immutable; any thread.
 *
 * @param windowLength     its bytes, a power of two.
 * @param shared           whether subscribers on this host may map it.
 * @param memoryCompletion whether those may look at its frames instead of being sent completions.
 */
public record LogOptions(int windowLength, boolean shared, boolean memoryCompletion) {
}

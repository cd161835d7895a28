package io.sluice.transport.status;

/**
 * A distinct error as it was read.
 *
 * @param count        times that it was seen.
 * @param firstEpochMs when it was seen first, in milliseconds since 1970.
 * @param lastEpochMs  when it was seen last.
 * @param text         class, message and stack; tabs and line ends are its only control characters.
 */
public record ErrorReading(int count, long firstEpochMs, long lastEpochMs, String text) {
}

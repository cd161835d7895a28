package io.sluice.perf.rig;

/**
 * The reason why a run's figures do not count, whatever the machine did.
 *
 * @param reason       with the tail of its logs where there is more to know.
 * @param isMissedRate whether it was whole, but slower than it was asked to be: that is a result about the system.
 */
public record Failure(String reason, boolean isMissedRate) {
}

package io.sluice.transport.settings;

/**
 * Intervals and timeouts of the control plane, in nanoseconds. Immutable; any thread.
 *
 * @param heartbeatIntervalNs between heartbeats.
 * @param livenessTimeoutNs   silence after which a peer is given up, and a broken image too.
 * @param resumeTimeoutNs     how long a broken link gates its publication.
 * @param handshakeTimeoutNs  for a whole handshake.
 * @param lingerTimeoutNs     for a closed publication's delivery.
 * @param discoveryIntervalNs between looks for new peers.
 * @param unblockTimeoutNs    how long an open claim may keep other threads' messages from being sent.
 */
public record Durations(
    long heartbeatIntervalNs,
    long livenessTimeoutNs,
    long resumeTimeoutNs,
    long handshakeTimeoutNs,
    long lingerTimeoutNs,
    long discoveryIntervalNs,
    long unblockTimeoutNs) {
}

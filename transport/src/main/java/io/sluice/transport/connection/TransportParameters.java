package io.sluice.transport.connection;

import io.sluice.environment.Environment;
import io.sluice.transport.status.RepeatedErrorHandler;
import io.sluice.transport.status.TransportCounters;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;

/**
 * What the control plane needs to know, taken from the concluded context. All durations are in nanoseconds.
 *
 * @param environment           the door to the machine.
 * @param device                opened, owned by the transport.
 * @param domain                of control connections and logs, which no peer can reach; links have their own.
 * @param counters              of the transport.
 * @param errorHandler          told of errors, on the thread of listeners.
 * @param clientName            for people to read.
 * @param heartbeatIntervalNs   between heartbeats.
 * @param livenessTimeoutNs     silence after which a peer is given up, and a broken image too.
 * @param resumeTimeoutNs       how long a broken link gates its publication.
 * @param handshakeTimeoutNs    for each step of a handshake.
 * @param lingerTimeoutNs       for a closed publication's delivery.
 * @param discoveryIntervalNs   between looks for new peers.
 * @param unblockTimeoutNs      how long an open claim may keep other threads' messages from being sent.
 * @param sendQueueLength       send-queue slots per link.
 * @param signalInterval        at least every n-th write is signalled.
 * @param peerRules             whom to take for a peer.
 */
public record TransportParameters(
    Environment environment,
    RdmaDevice device,
    ProtectionDomain domain,
    TransportCounters counters,
    RepeatedErrorHandler errorHandler,
    String clientName,
    long heartbeatIntervalNs,
    long livenessTimeoutNs,
    long resumeTimeoutNs,
    long handshakeTimeoutNs,
    long lingerTimeoutNs,
    long discoveryIntervalNs,
    long unblockTimeoutNs,
    int sendQueueLength,
    int signalInterval,
    PeerRules peerRules) {
    /**
     * The same with another device.
     *
     * @param otherDevice opened.
     * @param otherDomain of that device.
     * @return new parameters.
     */
    TransportParameters with(final RdmaDevice otherDevice, final ProtectionDomain otherDomain) {
        return new TransportParameters(environment, otherDevice, otherDomain, counters, errorHandler, clientName,
            heartbeatIntervalNs, livenessTimeoutNs, resumeTimeoutNs, handshakeTimeoutNs, lingerTimeoutNs,
            discoveryIntervalNs, unblockTimeoutNs, sendQueueLength, signalInterval, peerRules);
    }
}

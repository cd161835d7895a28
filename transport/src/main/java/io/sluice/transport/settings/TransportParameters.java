package io.sluice.transport.settings;

import io.sluice.environment.Environment;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;

/**
 * Settings of the control plane, taken from the concluded context. Immutable; any thread. The transport owns device and
 * domain, and closes them.
 *
 * @param environment the door to the machine.
 * @param device      opened, owned by the transport.
 * @param domain      of control connections and logs, which no peer can reach; links have their own.
 * @param counters    of the transport.
 * @param name        for people to read.
 * @param durations   intervals and timeouts.
 * @param sendQueue   of each link.
 * @param peerRules   whom to take for a peer.
 */
public record TransportParameters(
    Environment environment,
    RdmaDevice device,
    ProtectionDomain domain,
    LiveCounters counters,
    TransportName name,
    Durations durations,
    SendQueueSettings sendQueue,
    PeerRules peerRules) {
    /**
     * The parameters of a further device.
     *
     * @param otherDevice opened.
     * @param otherDomain of that device.
     * @return new parameters, equal to these in all else.
     */
    public TransportParameters with(final RdmaDevice otherDevice, final ProtectionDomain otherDomain) {
        return new TransportParameters(
            environment, otherDevice, otherDomain, counters, name, durations, sendQueue, peerRules);
    }
}

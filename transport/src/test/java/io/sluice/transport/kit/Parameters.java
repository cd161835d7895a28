package io.sluice.transport.kit;

import io.sluice.environment.Environment;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.settings.Durations;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.settings.SendQueueSettings;
import io.sluice.transport.settings.TransportName;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;

/** Parameters of a control plane that is tested by itself. */
public final class Parameters {
    private static final SendQueueSettings SEND_QUEUE = new SendQueueSettings(16, 4);

    private Parameters() {
    }

    /** Intervals and timeouts that are all equal. */
    public static Durations all(final long durationNs) {
        return new Durations(durationNs, durationNs, durationNs, durationNs, durationNs, durationNs, durationNs);
    }

    public static TransportParameters of(
        final Environment environment, final RdmaDevice device, final ProtectionDomain domain,
        final LiveCounters counters, final Durations durations, final PeerRules rules) {
        return new TransportParameters(environment, device, domain, counters,
            new TransportName("alone", () -> "folder"), durations, SEND_QUEUE, rules);
    }
}

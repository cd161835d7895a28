package io.sluice.transport.agent;

import io.sluice.transport.carrier.StampClock;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.flight.FlightEvents;
import io.sluice.transport.settings.PeerQuotas;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.settings.TransportParameters;

/**
 * The services that the parts of the control plane have in common. Immutable; the thread is each one's own.
 *
 * @param parameters of the transport.
 * @param id         of the transport.
 * @param tasks      hands work to other agents.
 * @param failures   tells the application of errors.
 * @param clock      that liveness is judged by; conductor only.
 * @param listeners  told of back-pressure.
 * @param flight     has what happens recorded; conductor only.
 * @param stamps     that messages are stamped by; any thread.
 */
public record Services(
    TransportParameters parameters,
    TransportId id,
    Tasks tasks,
    Failures failures,
    ConductorClock clock,
    Listeners listeners,
    FlightEvents flight,
    StampClock stamps) {
    /**
     * Services of {@code sluice:ipc}.
     *
     * @return the same, whose failures are told in the words of shared memory, and whose messages stay on this host.
     */
    public Services inWordsOfSharedMemory() {
        return new Services(
            parameters, id, tasks, failures.inWordsOfSharedMemory(), clock, listeners, flight, stamps.onOneHost());
    }

    /**
     * Counters of the transport.
     *
     * @return the counters.
     */
    public LiveCounters counters() {
        return parameters.counters();
    }

    /**
     * Bounds on what peers may ask for.
     *
     * @return the quotas.
     */
    public PeerQuotas quotas() {
        return parameters.peerRules().quotas();
    }

    /**
     * Time of the clock.
     *
     * @return nanoseconds.
     */
    public long nowNs() {
        return clock.nowNs();
    }
}

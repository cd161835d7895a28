/**
 * Values that the concluded context gives to the control plane, once.
 *
 * <pre>
 *   Context ──→ TransportParameters ──→ PeerRules ──→ PreSharedKey, PeerQuotas
 *                         │             who is a peer, and how much of the transport one may take
 *                         └──→ Durations, SendQueueSettings
 *   TransportId: 16 random bytes that name a transport to its peers
 * </pre>
 *
 * <p>{@link io.sluice.transport.settings.TransportParameters} is the entry. Any thread may read all of it; nothing
 * here runs, and only the conductor computes with a {@link io.sluice.transport.settings.PreSharedKey}.
 *
 * <p>May import {@code counters}, {@code verbs} and {@code environment}. Every other room of the control plane may
 * import this one.
 */
package io.sluice.transport.settings;

/**
 * The status of a transport for programs and tools: what it counts, which errors it met, and what listeners are told.
 *
 * <pre>
 *   files of a transport ──→ StatusReader ──→ TransportStatus ─┬─→ CounterReading: CounterType, CounterKey, value
 *                                                              └─→ ErrorReading
 *   Transport.counters() ──→ TransportCounters: a TransportCounter's value, in the transport's own process
 *   Publication.subscribers() ──→ SubscriberLag
 *   BackPressureListener ←── BackPressure, ConsumerEviction, PeerEviction
 *   Context.errorHandler ←── TransportException: an ErrorKind, and a text
 * </pre>
 *
 * <p>{@link io.sluice.transport.status.StatusReader} is the entry, for any thread of any process of the same user.
 * Types are immutable; nothing here writes, which {@code counters} does.
 *
 * <p>May import {@code layout} and {@code environment}. The module exports this room: a type that programs neither read
 * nor are told belongs elsewhere.
 */
package io.sluice.transport.status;

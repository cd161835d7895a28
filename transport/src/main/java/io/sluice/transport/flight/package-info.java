/**
 * The transport's events in recordings of the JVM's flight recorder.
 *
 * <pre>
 *   stream, pressure, peer, agent ──→ FlightEvents ──→ ImageAvailableEvent, LinkBrokenEvent … ──→ jdk.jfr
 *   stream ──each duty cycle──→ HandlerWatch ──the consumer has moved on──→ SlowHandlerEvent ──↗
 * </pre>
 *
 * <p>{@link io.sluice.transport.flight.FlightEvents} is the entry: a method for each event, called where the same is
 * counted or reported. The conductor's thread commits all events, and never a thread that offers, polls or handles. An
 * event that no recording wants costs one check. Fields, labels and units stand in the class of the event; the page
 * {@code docs/guide/flight-recorder.md} and the profile {@code docs/ops/sluice.jfc} list them, and a test compares.
 *
 * <p>May import {@code status}. The only room that knows {@code jdk.jfr}, and not exported: recordings are read by the
 * names of events and fields.
 */
package io.sluice.transport.flight;

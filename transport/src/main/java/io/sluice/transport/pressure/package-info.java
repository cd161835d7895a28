/**
 * The back-pressure signal of a publication or subscription: from a level to a change that a listener is told of.
 *
 * <pre>
 *   PublicationPressure, SubscriptionPressure (stream): the level, in bytes
 *         │ are a
 *         ↓
 *   PressureSignal.look, by the conductor ──→ PressureGauge: CLEAR → PRESSURED → BLOCKED, with hysteresis
 *         │ a change                          LaggardWatch: whose change of consumer or peer is news
 *         ↓                                   DeferralWatch: since when posts are deferred
 *   Listeners (agent) ──→ BackPressureListener, on the thread of listeners
 * </pre>
 *
 * <p>This room tells, and decides nothing: offers are refused in {@code send}, by the limit of a claim.
 * {@link io.sluice.transport.pressure.PressureSignal} is the entry. The conductor looks; any thread may read the
 * state. One change is told at a time: while a listener is at it, others are counted, and the last one is told next.
 *
 * <p>May import {@code agent} and {@code status}.
 */
package io.sluice.transport.pressure;

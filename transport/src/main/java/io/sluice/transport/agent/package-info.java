/**
 * The common parts of a transport's agents: how one hands work to another, tells the application of failures, idles
 * and is measured.
 *
 * <pre>
 *   conductor ──→ Tasks.setUp     ──→ TaskAgent "set-up"     what may block: registering, connecting, destroying
 *             ──→ Tasks.callbacks ──→ TaskAgent "callbacks"  handlers of images
 *             ──→ Failures ──→ FailureNews: is it news? ──→ Listeners ──→ TaskAgent "listeners": error handler,
 *                                                                         listeners of back-pressure
 *   each agent ←── AgentMeter: its duty cycles, for counters
 * </pre>
 *
 * <p>{@link io.sluice.transport.agent.Services} is the entry: the record that the conductor hands to the other rooms.
 * {@code Tasks}, {@code Failures} and {@code Listeners} may be called by any thread; a {@code TaskAgent} runs on one
 * of its own, or where the application calls {@code Transport.doWork}. Nothing here waits for another thread.
 *
 * <p>May import {@code settings}, {@code carrier}, {@code counters}, {@code flight}, {@code status}, {@code verbs},
 * {@code os} and {@code environment}. Knows of no peer, stream or conductor.
 *
 * <p>The reasons: docs/decisions/019-threads-and-hand-overs.md.
 */
package io.sluice.transport.agent;

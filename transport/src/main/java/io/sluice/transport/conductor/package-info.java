/**
 * The agent of the control plane, and the way from a peer's message to a link.
 *
 * <pre>
 *   Conductor.doWork ──→ TaskAgents' answers ──→ Peers.doWork ──→ Publications.doWork, Subscriptions.doWork
 *                                                  │ a message about a link
 *                                                  ↓
 *                        Streams (implements Links) ──→ StreamMessages (implements LinkMessages)
 *                                                  ↓
 *                                       Publications.find, Subscriptions.find ──→ the link
 * </pre>
 *
 * <p>{@link io.sluice.transport.conductor.Conductor} is the entry: the API hands it every command, and its thread
 * runs all of {@code peer} and {@code stream} that is not said to run elsewhere. {@code RemovedFiles} looks once a
 * second whether somebody has removed the files that peers find this transport by.
 *
 * <p>May import {@code stream}, {@code peer}, {@code agent}, {@code settings}, {@code receive}, {@code carrier},
 * {@code counters}, {@code flight}, {@code status}, {@code codec}, {@code verbs} and {@code environment}.
 */
package io.sluice.transport.conductor;

/**
 * The control plane: the conductor, control connections, handshakes, liveness, and the life of links.
 *
 * <pre>
 *   Conductor ──→ Peers ──→ DeviceMedium ──→ ControlSessions ──→ ControlSession ──→ Links, LinkMessages
 *       │                        │ is a Medium                        │ is a PeerChannel    ↑ implemented by
 *       │                        ↓                                    ↓                  Streams, StreamMessages
 *       └──→ Publications  → PublicationState  → PublicationLink  → PublicationEpoch
 *       └──→ Subscriptions → SubscriptionState → SubscriptionLink → SubscriptionEpochs
 *   all of them ──→ Services: tasks for other agents, failures to report, the clock
 * </pre>
 *
 * <p>{@link io.sluice.transport.connection.Conductor} is the entry, and its thread is that of everything here whose
 * page does not name another one. Sessions and media know links as {@code Links} only; links know peers as
 * {@code PeerChannel} and {@code Medium} only, and their owners by interfaces.
 *
 * <p>Queue pairs of links are made on the set-up thread; a control connection is accepted on the conductor. A
 * completion queue that has overrun is dead with all queue pairs on it: the conductor breaks their links, the next
 * set-up makes another queue, and the links resume there in a new epoch.
 *
 * <p>The reasons: docs/decisions/005-epochs-and-resumption.md, 007-completion-queues-that-overrun.md and
 * 018-control-connection.md.
 */
package io.sluice.transport.connection;

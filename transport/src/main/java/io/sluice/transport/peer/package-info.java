/**
 * The other transports: control connections to them, what is said over one, and whether they live.
 *
 * <pre>
 *   Peers ──→ NamedMedium (ipc), AddressedMedium (rdma): are DeviceMedium; sessions see a SessionMedium,
 *                 │                                          publications and subscriptions a Medium
 *                 │ connects, accepts
 *                 ↓
 *             ControlSessions ──→ ControlSession ──→ Heartbeats, SessionEnd (why it ends)
 *                                    │ over a ControlConnection: ControlCredits, ArrivedMessages
 *                                    ├─→ PeerHandshake: PeerAuthentication; makes the PeerIdentity known
 *                                    ├─→ SessionPeer, a ConnectedPeer: links send to it, and know of no session
 *                                    ├─→ SessionMessages: LinkMessages (a link's message has come)
 *                                    └─→ Links (is this one still needed?)
 * </pre>
 *
 * <p>{@link io.sluice.transport.peer.Peers} is the entry. The thread is the conductor's; look-ups of names, connects
 * and closes run as tasks of the set-up thread. A peer is authenticated in {@code PeerAuthentication}, which
 * {@code PeerHandshake} asks, where there is a key, before any message that is not of the handshake.
 *
 * <p>May import {@code agent}, {@code settings}, {@code buffer}, {@code counters}, {@code status}, {@code codec},
 * {@code verbs} and {@code environment}. Links are known as the two interfaces {@code Links} and {@code LinkMessages}
 * only, which the conductor implements over the streams.
 *
 * <p>The reasons: docs/decisions/018-control-connection.md.
 */
package io.sluice.transport.peer;

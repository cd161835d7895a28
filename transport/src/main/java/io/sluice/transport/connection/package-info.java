/**
 * The control plane: the conductor, control connections, handshakes, liveness, and the life of links.
 *
 * <p>Queue pairs are made on the set-up thread. A control connection, though, is accepted on the conductor, as are the
 * answers to those made by this side: over verbs that changes the queue pair's state, where the kernel may resolve the
 * peer's address for a second, and the other control connections of the transport wait. Another thread would not help
 * as long as the connection manager has one monitor, which the conductor takes as it polls the device.
 */
package io.sluice.transport.connection;

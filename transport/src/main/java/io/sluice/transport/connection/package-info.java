/**
 * The control plane: the conductor, control connections, handshakes, liveness, and the life of links.
 *
 * <p>Queue pairs are made on the set-up thread. A control connection, though, is accepted on the conductor, as are the
 * answers to those made by this side: over verbs that changes the queue pair's state, where the kernel may resolve the
 * peer's address for a second, and the other control connections of the transport wait. Another thread would not help
 * as long as the connection manager has one monitor, which the conductor takes as it polls the device.
 *
 * <p>A completion queue that has overrun is dead, with all queue pairs on it. Whoever hears of it first, the conductor
 * by the device's event or whoever polls the queue, the conductor breaks all its links; the next set-up makes another
 * queue, tells who polls, and the links resume there under a new epoch. The dead queue goes when the last queue pair
 * on it has been destroyed.
 */
package io.sluice.transport.connection;

/**
 * The control plane: the conductor, control connections, handshakes, liveness, and the life of links.
 *
 * <p>Queue pairs of links are made on the set-up thread; a control connection is accepted on the conductor. A
 * completion queue that has overrun is dead with all queue pairs on it: the conductor breaks their links, the next
 * set-up makes another queue, and the links resume there in a new epoch.
 *
 * <p>The reasons: docs/decisions/005-epochs-and-resumption.md, 007-completion-queues-that-overrun.md and
 * 018-control-connection.md.
 */
package io.sluice.transport.connection;

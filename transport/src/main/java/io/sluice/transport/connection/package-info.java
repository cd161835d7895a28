/** The control plane: the conductor, control connections, handshakes, liveness, and the life of links. */
package io.sluice.transport.connection;

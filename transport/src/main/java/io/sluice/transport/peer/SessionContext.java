package io.sluice.transport.peer;

import io.sluice.transport.agent.Services;

/**
 * The surroundings of control sessions, the same for all media of a transport. Conductor only.
 *
 * @param services  of the transport.
 * @param links     told of what happens to sessions and devices.
 * @param encoder   for what sessions say for themselves.
 * @param otherEnds knows both ends of connections of this transport to itself.
 */
record SessionContext(Services services, Links links, ControlEncoder encoder, OtherEnds otherEnds) {
    /** {@return the context of {@code sluice:ipc}, whose failures are told in the words of shared memory} */
    SessionContext inWordsOfSharedMemory() {
        return new SessionContext(services.inWordsOfSharedMemory(), links, encoder, otherEnds);
    }

    /** {@return the process id to tell} With a key no peer is told who has not proved that it holds the key, too. */
    long toldProcessId() {
        return services.parameters().peerRules().asksForKey()
            ? PrivateData.UNTOLD : services.parameters().environment().processId();
    }

    /** Tells whether this transport is at the other end of a connection, too. */
    interface OtherEnds {
        /**
         * Look at the sessions of all media: a connection to oneself has two, maybe of two media.
         *
         * @param binding    of the connection.
         * @param isAcceptor whether this end has accepted it.
         * @return whether the other end is, or was lately, a session of this transport.
         */
        boolean has(byte[] binding, boolean isAcceptor);
    }
}

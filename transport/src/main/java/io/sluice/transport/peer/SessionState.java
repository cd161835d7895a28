package io.sluice.transport.peer;

/**
 * The state of a control session; {@link ControlSession} shows what moves it. Set and asked by the conductor only; what
 * other threads do for a session is handed over as tasks.
 */
enum SessionState {
    /** The connection manager is connecting. */
    CONNECTING,
    /** The two ends are connected, and the peer has yet to say, or prove, who it is: see {@link PeerHandshake}. */
    HANDSHAKING,
    /** The peer has an older connection, which is still alive: nothing is heard here before that is over. */
    WAITING,
    /** Links can be made. */
    READY,
    /** The session is over, and the connection is to be closed. */
    CLOSED
}

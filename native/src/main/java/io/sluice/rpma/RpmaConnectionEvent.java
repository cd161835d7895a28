package io.sluice.rpma;

/** An event of a connection, rpma_conn_next_event(3). */
public enum RpmaConnectionEvent {
    /** This side and the other one can send. */
    ESTABLISHED,
    /**
     * One of the sides has disconnected, or its connection or process has ended. It comes once more when the connection
     * manager has done with the connection.
     */
    CLOSED,
    /** The connection is broken, or its device is gone. */
    LOST,
    /** The other side has refused. */
    REJECTED,
    /**
     * The other side does not answer, though the way is known: the connection manager asks for more than a minute
     * before.
     */
    UNREACHABLE;

    /** The event by its number in {@code enum rpma_conn_event}. */
    static RpmaConnectionEvent of(final int number) {
        if (number < 0 || number >= values().length) {
            throw new IllegalArgumentException("event=" + number + " is not in 0.." + (values().length - 1));
        }
        return values()[number];
    }
}

package io.sluice.transport.peer;

import io.sluice.verbs.Connection;

/**
 * The reason why there is no connection to an address. What the host there answers is a stranger's word: its bytes and
 * numbers may differ each time, and are no part of the kind.
 *
 * @param kind by which it is told from others, one of a few, or null where only this end speaks.
 * @param text for people.
 */
record ConnectProblem(String kind, String text) {
    /** Describes a problem that this end found: nobody answered. */
    static ConnectProblem own(final String text) {
        return new ConnectProblem(null, text);
    }

    /** Describes why an attempt has ended so, or null when simply nobody listened, or somebody did. */
    static ConnectProblem of(final Connection.State ended, final Connection connection) {
        if (ended == Connection.State.REJECTED) {
            return PrivateData.rejection(connection.privateData(), connection.problem());
        }
        return ended == Connection.State.UNREACHABLE && !connection.problem().isEmpty()
            ? own(connection.problem()) : null;
    }

    /** Whether a stranger has answered, which can cause the problem as often as it likes. */
    boolean isOfStranger() {
        return kind != null;
    }
}

package io.sluice.transport.peer;

import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import java.util.ArrayList;
import java.util.List;

/**
 * Control connections that are over, and whose last messages, a goodbye for one, may have to leave yet. They are looked
 * at in each duty cycle, and released on the set-up thread, a few at a time: neither a peer that acknowledges nothing
 * nor many strangers at once keep that thread from what links need. Conductor only.
 */
final class ClosingConnections {
    /** The time in nanoseconds that the last messages may take to leave before the connection is closed. */
    static final long LEAVE_TIMEOUT_NS = 100_000_000L;

    /** Releases that wait for the set-up thread, or run there, at a time: whatever comes after them waits for these. */
    static final int MAX_RELEASING = 4;

    private record Closing(ControlConnection connection, long deadlineNs, Runnable released) {
        boolean isDue(final long nowNs) {
            return nowNs - deadlineNs >= 0 || connection.hasLeft();
        }
    }

    private final Services services;
    private final Tasks tasks;
    private final List<Closing> closing = new ArrayList<>();
    private int releasing;

    ClosingConnections(final Services services) {
        this.services = services;
        tasks = services.tasks();
    }

    /**
     * Close a connection when what was sent over it has left, or has had its time.
     *
     * @param connection nothing more is sent over.
     * @param released   told when it is closed, on the conductor.
     */
    void add(final ControlConnection connection, final Runnable released) {
        closing.add(new Closing(connection, services.nowNs() + LEAVE_TIMEOUT_NS, released));
    }

    int doWork(final long nowNs) {
        int work = 0;
        for (int i = 0; i < closing.size() && releasing < MAX_RELEASING;) {
            if (closing.get(i).isDue(nowNs)) {
                release(closing.remove(i));
                work++;
            } else {
                i++;
            }
        }
        return work;
    }

    private void release(final Closing due) {
        releasing++;
        tasks.release(() -> {
            try {
                due.connection.close();
            } finally {
                tasks.execute(() -> {
                    releasing--;
                    due.released.run();
                });
            }
        });
    }

    /** {@return connections that are not closed yet} */
    int size() {
        return closing.size() + releasing;
    }
}

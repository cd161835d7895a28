package io.sluice.perf.embed;

import java.nio.file.Path;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * A messaging system in one process, with publications and subscriptions of streams that lead back to it. One thread
 * sets up and, where the agents have no threads, runs everything by {@link #cycle()}.
 */
interface EmbeddedSystem extends AutoCloseable {
    /** Starts all that a program needs. */
    void launch(Path folder);

    /** Adds a publication and a subscription of a stream, whose link is then made. */
    void add(int streamId);

    /** {@return whether the publication and the subscription that were added last know of each other} */
    boolean isConnected();

    /** Closes the publication and the subscription that were added last; what is polled is the first one again. */
    void remove();

    /** Runs one turn of the program's loop, which finds nothing to do: agents where they have no threads, and polls. */
    int cycle();

    /** {@return the idle strategy that the system offers to the program's loop} */
    default IdleStrategy idleStrategy() {
        return new BackoffIdleStrategy();
    }

    @Override
    void close();
}

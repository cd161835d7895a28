package io.sluice.environment;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/**
 * Everything that Sluice takes from the machine: time, randomness, threads, parking, shared files, local sockets
 * and routes.
 * <p>
 * The transport and the software device reach the outside through this type only, which lets a simulation run them on a
 * virtual clock with one thread. All methods may be called from any thread. The creator of an environment owns it;
 * nothing in it needs closing except what its methods hand out.
 */
public interface Environment {
    /**
     * A monotonic clock.
     *
     * @return nanoseconds since an arbitrary origin, as {@link System#nanoTime()}.
     */
    long nanoTime();

    /**
     * The wall clock, for people to read; never used to measure.
     *
     * @return milliseconds since 1970-01-01T00:00Z.
     */
    long epochMs();

    /**
     * The wall clock, to stamp messages with: as exact as the machine keeps it, and without allocating. When it is put
     * forward or back, this follows within a tenth of a second.
     *
     * @return nanoseconds since 1970-01-01T00:00Z.
     */
    long epochNs();

    /**
     * The wall clock as the machine has it right now, to measure how far it is from the monotonic clock. For set-up:
     * may allocate.
     *
     * @return nanoseconds since 1970-01-01T00:00Z.
     */
    default long exactEpochNs() {
        return epochNs();
    }

    /**
     * A number that other processes cannot guess.
     *
     * @return 64 random bits.
     */
    long randomLong();

    /**
     * The id of this process.
     *
     * @return the operating system's process id.
     */
    long processId();

    /**
     * Leave the core for a while; may return early.
     *
     * @param durationNs how long at most, in nanoseconds, greater than zero.
     */
    void park(long durationNs);

    /** Offer the core to other threads that wait for one, and go on at once when there are none. */
    void yieldCore();

    /**
     * Make every other thread of this process pass a full memory fence before this call returns: the expensive half of
     * an asymmetric fence, whose cheap half is a plain store followed by a plain load. Takes microseconds; for set-up
     * and tear-down only.
     */
    void fenceAllThreads();

    /**
     * Run an agent on a thread of its own until the worker is closed.
     *
     * @param agent        to run; its role name becomes the thread's name. Its {@code onClose} runs on its own thread,
     *                     once, whichever way that thread ends.
     * @param idleStrategy used when the agent reports no work.
     * @param errorHandler told of everything that the agent throws; the agent goes on.
     * @return the running worker, owned by the caller.
     * @throws IllegalStateException when the machine has no more threads; the message says what to raise.
     */
    Worker startWorker(Agent agent, IdleStrategy idleStrategy, ErrorHandler errorHandler);

    /**
     * Run an agent on a thread of somebody's making; see {@link #startWorker(Agent, IdleStrategy, ErrorHandler)}. An
     * environment without threads of its own runs it as any other.
     *
     * @param agent         to run.
     * @param idleStrategy  used when the agent reports no work.
     * @param errorHandler  told of everything that the agent throws; the agent goes on.
     * @param threadFactory makes the thread, which is not started.
     * @return the running worker, owned by the caller.
     * @throws IllegalStateException when there is no thread; the message says why.
     */
    default Worker startWorker(
        final Agent agent, final IdleStrategy idleStrategy, final ErrorHandler errorHandler,
        final ThreadFactory threadFactory) {
        return startWorker(agent, idleStrategy, errorHandler);
    }

    /**
     * Shared files of this host.
     *
     * @return the door to files.
     */
    SharedFiles files();

    /**
     * Stream sockets of this host, which report the death of a peer process at once.
     *
     * @return the door to sockets.
     */
    LocalSockets localSockets();

    /**
     * The address of this machine that packets to a peer leave from, by the routes as they are now. Sends nothing, and
     * does not block.
     *
     * @param peer resolved; a link-local address with its interface.
     * @return the address, a link-local one with its interface; null when no route leads to the peer.
     */
    InetAddress sourceAddress(InetSocketAddress peer);

    /**
     * Look up the address of a host by its name. Returns at once: name servers may take as long as they like, on a
     * thread that nothing else waits for, one for each name, however often it is asked for meanwhile.
     *
     * @param host a name; a literal address is taken as it is.
     * @return completed with the first address, or with an {@link java.net.UnknownHostException}, or with an {@link
     *         IllegalStateException} when the machine has no more threads.
     */
    CompletableFuture<InetAddress> lookUp(String host);

    /**
     * Wait until a name has been looked up, for who cannot go on without; whether it was found is told to whoever asks
     * again. An interrupt ends the wait, and stays.
     *
     * @param host a name.
     */
    default void awaitLookUp(final String host) {
        try {
            lookUp(host).get();
        } catch (final ExecutionException e) {
            // whoever asks again is told
            return;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

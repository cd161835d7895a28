package io.sluice.verbs;

/**
 * The channel on which armed completion queues announce completions to a thread that does not want to spin
 * (ibv_create_comp_channel(3)). One thread at a time waits; any thread may wake it. Close it after its queues.
 */
public interface CompletionChannel extends AutoCloseable {
    /**
     * Wait for an event (ibv_get_cq_event(3)). An event may come with its queue already empty.
     *
     * @param timeoutNs longest wait; 0 or less does not wait.
     * @return the queue that the event is for, to be acknowledged there, or null after the timeout, a wake-up or when
     * the thread is interrupted, which it stays.
     */
    CompletionQueue getEvent(long timeoutNs);

    /**
     * Wait until there may be an event, without taking it (poll(2) on the channel's descriptor). May return early, and
     * for events of queues that are closed; whatever it returns, the queues are to be polled.
     *
     * @param timeoutNs longest wait, rounded up to milliseconds; 0 or less does not wait.
     * @return false when the time was over, true after an event or a wake-up; anything when it returned early.
     * @throws VerbsException EINVAL when the channel is closed.
     */
    boolean await(long timeoutNs);

    /**
     * The descriptor of the channel, for a program that waits by itself, with poll(2) or epoll(7), for events here and
     * for other descriptors at once. It is non-blocking, readable as long as there is an event, and not by
     * {@link #wake()}. When it is readable, {@code getEvent(0)} takes the event without waiting; it may find none, of a
     * queue that is closed. The channel's: it is neither read nor closed, and gone when the channel is closed.
     *
     * @return a file descriptor of this process.
     * @throws VerbsException EOPNOTSUPP where the provider's channels have none, as the software device's; EINVAL when
     *                        the channel is closed.
     */
    default int descriptor() {
        throw new VerbsException("ibv_create_comp_channel", Errno.EOPNOTSUPP,
            "this channel has no descriptor: wait with getEvent or await");
    }

    /**
     * End a running {@link #getEvent(long)} or {@link #await(long)}, or the next one.
     */
    void wake();

    /**
     * Destroy (ibv_destroy_comp_channel(3)); idempotent, and ends a wait. Nothing has changed when it is refused.
     *
     * @throws VerbsException EBUSY while a completion queue announces to it, where a provider counts them.
     */
    @Override
    void close();
}

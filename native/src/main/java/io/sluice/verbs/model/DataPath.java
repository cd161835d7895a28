package io.sluice.verbs.model;

/**
 * Functions of the data path in place of the model's, which are Java and so cannot be called by critical calls. The
 * objects stay the model's, which tells of them in its set-up calls; they are known by their addresses. Any thread.
 */
interface DataPath {
    /** The model's own. */
    DataPath NONE = new DataPath() { };

    /** Address of the function that stands for a method of the model's data path; 0 when that is called itself. */
    default long function(final String method) {
        return 0;
    }

    /** Notes that a completion queue was made, with {@link io.sluice.verbs.CompletionQueueFlags}. */
    default void onQueue(final long queue, final int flags) {
        // the model knows it
    }

    /** Notes that a queue pair was made. */
    default void onQueuePair(
        final long queuePair,
        final long sendQueue,
        final long receiveQueue,
        final int maxSends,
        final int maxReceives,
        final boolean isDatagram) {
        // the model knows it
    }

    /** Makes the system call of a resize, under the locks that it is made under. */
    default void resize(final long queue) {
        // there is no kernel
    }

    /** Makes the system call of a change to the ERROR state, under its locks. */
    default void fail(final long queuePair) {
        // there is no kernel
    }

    /** Whether the device has failed a queue pair by itself; the library knows it from then on. */
    default boolean hasFailed(final long queuePair) {
        return false;
    }

    /** Makes the system call of a destruction, and does what is done under locks after it. */
    default void destroy(final long queuePair) {
        // there is no kernel
    }
}

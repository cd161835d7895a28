package io.sluice.transport.stream;

/**
 * The set-ups of epochs that one stream's links have under way, and the room that other links need meanwhile.
 * Conductor only, but for {@link #toResume()}.
 * <pre>
 *   none ──onBegun──→ running ──onBegun, onEnded──→ running ──onEnded, the last one──→ none
 * </pre>
 * An epoch counts from when the conductor asks the set-up thread for it until the conductor has heard what became of
 * it: what is made meanwhile completes at the stream's queues, which must not go before.
 */
final class LinkSetups {
    private int running;
    /** The action that waits until none is running; null when nothing does. */
    private Runnable whenNone;
    /** Broken links that have no queue pair; written by the conductor, read by the set-up thread. */
    private volatile int toResume;

    /**
     * Notes that the set-up thread works for a link.
     *
     * @param linksToResume links that are to have a queue pair again and may have none.
     */
    void onBegun(final int linksToResume) {
        running++;
        toResume = linksToResume;
    }

    /** Notes that the conductor has heard of a set-up, whether it has made anything or not. */
    void onEnded() {
        running--;
        if (running == 0 && whenNone != null) {
            final Runnable action = whenNone;
            whenNone = null;
            action.run();
        }
    }

    /** {@return whether the set-up thread may be making an epoch} */
    boolean isRunning() {
        return running > 0;
    }

    /** Runs an action as soon as the last of those that are running has ended; once. */
    void whenNone(final Runnable action) {
        whenNone = action;
    }

    /**
     * {@return the number of links that are to have a queue pair again and may have none} It is that of the last set-up
     * that was begun; a new link must not take their room. Any thread.
     */
    int toResume() {
        return toResume;
    }
}

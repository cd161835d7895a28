package io.sluice.transport.harness;

/**
 * The course of one publication or subscription in a test: when the test began and ended it, in ticks of the test, and
 * how. The test's thread.
 */
public final class Life {
    /** The end of a life. */
    private enum End {
        NONE,
        CLOSED,
        KILLED
    }

    private static final int NEVER = -1;

    private final String name;
    private final ChildJvm process;
    private final int sessionId;
    private final int from;
    private int to = Integer.MAX_VALUE;
    private End end = End.NONE;
    private int givenUpAt = NEVER;

    /**
     * A life begins: a subscription's with its images, a publication's with its first offer.
     *
     * @param name      of the load in its process.
     * @param process   it lives in.
     * @param sessionId of the publication, 0 of a subscription.
     * @param tick      of the test.
     */
    public Life(final String name, final ChildJvm process, final int sessionId, final int tick) {
        this.name = name;
        this.process = process;
        this.sessionId = sessionId;
        from = tick;
    }

    public String name() {
        return name;
    }

    public ChildJvm process() {
        return process;
    }

    public int sessionId() {
        return sessionId;
    }

    /** The state that its process tells of it now. */
    public Line state() {
        return process.ask("state name=" + name, "STATE name=" + name);
    }

    /** Messages received so far. */
    public long messages() {
        return state().number("messages");
    }

    /** Note that it was closed; a publication: after everything was delivered. */
    public void close(final int tick) {
        to = tick;
        end = End.CLOSED;
    }

    public void kill(final int tick) {
        to = tick;
        end = End.KILLED;
    }

    /** Note that it stood still for so long that its peers gave it up, and came back. */
    public void giveUp(final int tick) {
        givenUpAt = tick;
    }

    /** Whether that happened while the other was there. */
    boolean isGivenUpBy(final Life other) {
        return givenUpAt >= other.from && givenUpAt < other.to;
    }

    public boolean isOver() {
        return end != End.NONE;
    }

    boolean isClosed() {
        return end == End.CLOSED;
    }

    boolean beganBefore(final Life other) {
        return from < other.from;
    }

    boolean endedBefore(final Life other) {
        return to < other.to;
    }

    boolean hasMet(final Life other) {
        return from < other.to && other.from < to;
    }

    @Override
    public String toString() {
        return name + "{session=" + sessionId + " from=" + from + " to=" + to + " end=" + end + " given-up="
            + givenUpAt + "}";
    }
}

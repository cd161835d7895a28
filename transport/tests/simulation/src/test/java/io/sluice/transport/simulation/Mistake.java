package io.sluice.transport.simulation;

import java.util.stream.Stream;

/** The mistakes that are made on purpose, to see that a run finds them, and what it must then say. */
enum Mistake {
    NONE,
    /** A byte of a message changes in the log after it was committed. */
    CHANGED_BYTE("another content"),
    /** A byte of a message changes under an event on the ring that no consumer has passed yet. */
    CHANGED_EVENT("overwritten while an event on the ring refers to it"),
    /** A write of data is lost, and nobody is told. */
    LOST_WRITE("not in the ring what was received", "stuck", "a position went back",
        "a link broke without a reason"),
    /** The subscription takes bytes for received that nobody has written. */
    RECEIVED_EARLY("received before committed", "received before posted"),
    /** The subscription takes frames for handed out that have not arrived. */
    WALKED_EARLY("walked before received"),
    /** The subscription takes bytes for consumed that have not been handed out. */
    CONSUMED_EARLY("consumed before walked", "consumed before handled"),
    /** The subscription takes bytes for consumed that a reader is not done with. */
    CONSUMED_UNREAD("consumed before handled"),
    /** The subscription takes bytes for reported that are not consumed. */
    REPORTED_EARLY("reported before consumed"),
    /** The subscription goes back, and hands out again what it has handed out. */
    WENT_BACK("a position went back", "expected number", "delivered what nobody published"),
    /** The publication is told that everything was consumed when it was not. */
    REPORT_FORGED("reported what is not so"),
    /** The publication is told of receives that were never posted. */
    RECEIVES_FORGED("reported what is not so"),
    /** The publication believes in receives that were never posted. */
    CREDIT_FORGED("writes without receives"),
    /** The publication does not count its writes in flight. */
    UNCOUNTED_WRITES("too many writes in flight", "writes without receives", "a link broke without a reason",
        "lost an image"),
    /** The publication takes slots of the send queue for free whose completions have not come. */
    SLOTS_FORGED("slots counted free that are not"),
    /** The subscription takes slots of the feedback's send queue for free whose completions have not come. */
    FEEDBACK_SLOTS_FORGED("slots counted free that are not"),
    /** A completion queue has less room than its queue pairs have completions. */
    NARROW_QUEUE("beyond its budget"),
    /** The poller does not wait for the third handler of a graph. */
    UNGATED_HANDLER("consumed before handled"),
    /** The third handler does not wait for the others. */
    UNORDERED_HANDLER("is not done with"),
    /** A link breaks, and nothing has happened. */
    BROKEN_LINK("a link broke without a reason"),
    /** A file stays mapped when everything is closed. */
    LEAKED_MAPPING("has closed everything");

    private final String[] findings;

    Mistake(final String... findings) {
        this.findings = findings;
    }

    /** Whether a run that has found it may say so. */
    boolean isFoundBy(final String message) {
        return Stream.of(findings).anyMatch(message::contains);
    }

    /**
     * Whether the mistake does harm: a receive ring has its own bytes, a shared log needs no write to have them, and
     * where nothing is posted no credit is spent. Where much goes wrong anyway, something else may be found first.
     */
    boolean isHarmful(final Scenario scenario) {
        return scenario.isQuiet() && scenario.replacements() == 0 && scenario.republications() == 0 && switch (this) {
            case NONE -> false;
            case CHANGED_BYTE -> scenario.isLogShared();
            case LOST_WRITE -> !scenario.isLogShared();
            case UNCOUNTED_WRITES -> scenario.hasCompletions() && scenario.writesInFlight() < scenario.receiveDepth()
                && scenario.writesInFlight() <= 8;
            case RECEIVES_FORGED, CREDIT_FORGED ->
                scenario.hasCompletions() && scenario.writesInFlight() > 2 && scenario.receiveDepth() > 2
                    && scenario.sendQueue() > 2;
            // of few writes in a long queue none may be signalled
            case SLOTS_FORGED ->
                scenario.hasCompletions() && scenario.writesInFlight() > 2 && scenario.receiveDepth() > 2
                    && scenario.sendQueue() > 2 && scenario.sendQueue() <= 16;
            case CONSUMED_EARLY, CONSUMED_UNREAD, CHANGED_EVENT, WENT_BACK -> !scenario.modes().contains("invoker");
            // one thread for all handlers runs them in their order
            case UNGATED_HANDLER, UNORDERED_HANDLER ->
                scenario.modes().contains(Subscriber.GRAPH) && !scenario.invoker();
            default -> true;
        };
    }
}

package io.sluice.transport.simulation;

import java.util.function.BiPredicate;

/** Pairs of a fault and a state that are not demanded, and why. */
enum ExemptPair {
    OVER("impossible: an end that is over is no link's any more", true,
        (fault, state) -> state == LinkEnd.State.PUBLICATION_GONE || state == LinkEnd.State.SUBSCRIPTION_GONE),
    NOTHING_POSTED("impossible: nothing is posted on its queue pair then", true, ExemptPair::isNothingPosted),
    OF_SUBSCRIPTION("impossible: consumers are the subscription's own affair", true,
        (fault, state) -> fault == Fault.CONSUMER_EVICTED && state.isOfPublication()),
    BEING_MADE("too rare: who is evicted has been slow for a while, and a link is made within microseconds",
        false,
        (fault, state) -> fault == Fault.CONSUMER_EVICTED
            && (state == LinkEnd.State.SUBSCRIPTION_PREPARING || state == LinkEnd.State.SUBSCRIPTION_ACCEPTED)),
    LAST_REPORT("too rare: only a report that was held when the end came, whose completion nobody reads any more",
        false,
        (fault, state) -> fault.isOfOperation() && state == LinkEnd.State.SUBSCRIPTION_ENDING);

    private final String reason;
    private final boolean isImpossible;
    private final BiPredicate<Fault, LinkEnd.State> predicate;

    ExemptPair(
        final String reason, final boolean isImpossible, final BiPredicate<Fault, LinkEnd.State> predicate) {
        this.reason = reason;
        this.isImpossible = isImpossible;
        this.predicate = predicate;
    }

    private static boolean isNothingPosted(final Fault fault, final LinkEnd.State state) {
        return fault.isOfOperation() && switch (state) {
            case PUBLICATION_PREPARING, PUBLICATION_SETUP_SENT, PUBLICATION_CONNECTING, PUBLICATION_BROKEN,
                SUBSCRIPTION_PREPARING, SUBSCRIPTION_BROKEN -> true;
            default -> false;
        };
    }

    /** Why a pair is not demanded, or null when it is. */
    static ExemptPair of(final Fault fault, final LinkEnd.State state) {
        for (final ExemptPair pair : values()) {
            if (pair.predicate.test(fault, state)) {
                return pair;
            }
        }
        return null;
    }

    /** Whether it must not be seen. */
    boolean isImpossible() {
        return isImpossible;
    }

    static String legend() {
        final StringBuilder text = new StringBuilder();
        for (final ExemptPair pair : values()) {
            text.append(String.format("%n- %s: %s", pair.name(), pair.reason));
        }
        return text.toString();
    }
}

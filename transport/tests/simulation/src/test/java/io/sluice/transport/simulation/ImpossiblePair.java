package io.sluice.transport.simulation;

import java.util.Locale;
import java.util.function.BiPredicate;

/** Pairs of a fault and a state that cannot be, and why. */
enum ImpossiblePair {
    OVER("an end that is over is no link's any more",
        (fault, state) -> state == LinkEnd.State.PUBLICATION_GONE || state == LinkEnd.State.SUBSCRIPTION_GONE),
    NOTHING_POSTED("nothing is posted on its queue pair then", ImpossiblePair::isNothingPosted),
    OF_SUBSCRIPTION("consumers are the subscription's own affair",
        (fault, state) -> fault == Fault.CONSUMER_EVICTED && state.isOfPublication());

    private final String reason;
    private final BiPredicate<Fault, LinkEnd.State> predicate;

    ImpossiblePair(final String reason, final BiPredicate<Fault, LinkEnd.State> predicate) {
        this.reason = reason;
        this.predicate = predicate;
    }

    private static boolean isNothingPosted(final Fault fault, final LinkEnd.State state) {
        return fault.isOfOperation() && switch (state) {
            case PUBLICATION_PREPARING, PUBLICATION_SETUP_SENT, PUBLICATION_CONNECTING, PUBLICATION_BROKEN,
                SUBSCRIPTION_PREPARING, SUBSCRIPTION_BROKEN -> true;
            default -> false;
        };
    }

    /** The reason why a pair cannot be, or null when it is demanded. */
    static ImpossiblePair of(final Fault fault, final LinkEnd.State state) {
        for (final ImpossiblePair pair : values()) {
            if (pair.predicate.test(fault, state)) {
                return pair;
            }
        }
        return null;
    }

    static String legend() {
        final StringBuilder text = new StringBuilder();
        for (final ImpossiblePair pair : values()) {
            text.append(String.format(Locale.ROOT, "%n- %s: impossible, %s", pair.name(), pair.reason));
        }
        return text.toString();
    }
}

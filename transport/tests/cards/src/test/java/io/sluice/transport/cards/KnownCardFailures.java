package io.sluice.transport.cards;

import io.sluice.verbs.model.ModelCard;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tests that fail over a model card today, and why: the only table. They are run all the same, and one that no longer
 * fails fails {@link ModelSuiteTest}: whoever mends it takes its row out.
 */
final class KnownCardFailures {
    private static final List<Known> ROWS = List.of(
        new Known(".*", "StuckCallbackTest", "shouldCloseThoughTheErrorHandlerDoesNotReturn",
            "a callback that does not return keeps completion queues, and the device says that it stays open"));

    private KnownCardFailures() {
    }

    /**
     * A row.
     *
     * @param cards  pattern of names.
     * @param tests  simple name of the class.
     * @param method of it.
     * @param reason for people.
     */
    private record Known(String cards, String tests, String method, String reason) {
    }

    /** Methods of a class that fail over a card. */
    static Set<String> of(final ModelCard card, final Class<?> tests) {
        return ROWS.stream().filter(row -> row.tests.equals(tests.getSimpleName()) && card.name().matches(row.cards))
            .map(Known::method).collect(Collectors.toSet());
    }
}

package io.sluice.perf.downcall;

import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.model.Trait;
import io.sluice.verbs.rdma.PostingInterface;
import java.util.ArrayList;
import java.util.List;

/**
 * A case that one process measures. Immutable; any thread.
 *
 * @param card      below the provider.
 * @param posting   how sends are posted.
 * @param isControl whether the provider knows neither the card nor what goes on, so that all its calls stay critical:
 *                  the card has another one's vendor, and the set-up calls are made past the provider.
 */
public record CardCase(ModelCard card, PostingInterface posting, boolean isControl) {
    /** A vendor whose calls are all critical; its completion queues are legacy ones. */
    private static final int CRITICAL_VENDOR = ModelCard.IONIC.vendor();

    /**
     * Cases of some cards: each with every way to post that the provider takes on it, and as a control.
     *
     * @param cards in question.
     * @return the controls behind all others.
     */
    public static List<CardCase> of(final List<ModelCard> cards) {
        final List<CardCase> cases = new ArrayList<>();
        for (final ModelCard card : cards) {
            cases.add(new CardCase(card, PostingInterface.WORK_REQUESTS, false));
            if (card.has(Trait.BUILDER) && !card.has(Trait.POLLS_UNDER_SEND_LOCK)) {
                cases.add(new CardCase(card, PostingInterface.BUILDER, false));
            }
        }
        // Requests that are built hold a lock while Java runs: a critical call that waits for it would wait for ever.
        cards.forEach(card -> cases.add(new CardCase(card, PostingInterface.WORK_REQUESTS, true)));
        return cases;
    }

    static CardCase parse(final String[] words) {
        final ModelCard card =
            ModelCard.all().stream().filter(one -> one.name().equals(words[0])).findFirst().orElseThrow();
        return new CardCase(card, PostingInterface.valueOf(words[1]), Boolean.parseBoolean(words[2]));
    }

    List<String> words() {
        return List.of(card.name(), posting.name(), Boolean.toString(isControl));
    }

    /** Vendor by which the provider chooses; a queue for one thread is critical by the card's own. */
    int vendor() {
        return isControl && (card.flags() & CompletionQueueFlags.SINGLE_THREADED) == 0
            ? CRITICAL_VENDOR : card.vendor();
    }

    /**
     * The name in tables.
     *
     * @return the label.
     */
    public String label() {
        return card.name() + (posting == PostingInterface.BUILDER ? ", built" : "");
    }
}

package io.sluice.perf.downcall;

import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.model.Trait;

/** Things that go on while all threads are stopped, beside one thread that posts and one that polls. Any thread. */
public enum CardAction {
    /** An action as long as a system call: what the machine itself does to a stop. */
    NOTHING,
    /** The completion queue gets another capacity. */
    RESIZE,
    /** The queue pair is failed, and posted to after that. */
    FAIL,
    /** The device fails the queue pair by itself, which a completion tells; the provider finds it, and posts go on. */
    ERROR,
    /** The queue pair is closed. */
    DESTROY,
    /** Datagrams are posted. */
    DATAGRAMS;

    /** Whether a card has such a thing. */
    boolean isOf(final ModelCard card) {
        return switch (this) {
            case RESIZE -> card.has(Trait.RESIZES) && !card.has(Trait.POLLS_LOCK_OTHER_QUEUE);
            case DATAGRAMS -> !card.has(Trait.LACKS_DATAGRAMS);
            default -> true;
        };
    }
}

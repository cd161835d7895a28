package io.sluice.transport.planted;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The mechanism that a planted bug breaks. */
enum BugKind {
    /** Writes, frames, rings and claims. */
    DATA_PATH("data path"),
    /** A link that broke and goes on in another epoch. */
    RESUMPTION("resumption"),
    /** Credits, limits and reports of what is consumed. */
    FLOW_CONTROL("flow control"),
    /** Consumers that hold others up and are taken out. */
    EVICTION("eviction"),
    /** Peers that prove that they hold the key. */
    AUTHENTICATION("authentication"),
    /** Room of completion queues, and their replacement. */
    COMPLETION_QUEUES("completion queues"),
    /** Devices and ports that go, come and change. */
    DEVICES("devices"),
    /** Processes that live or are dead, and the files that tell it. */
    LIVENESS("liveness"),
    /** Calls from handlers and from other threads, and closing. */
    CALLS("calls");

    /** Kinds that the transport's promises rest on: each needs more than one bug. */
    static final List<BugKind> PROMISED = List.of(DATA_PATH, RESUMPTION, FLOW_CONTROL, EVICTION, AUTHENTICATION);

    private final String words;

    BugKind(final String words) {
        this.words = words;
    }

    /** {@return the kind that the words of a file stand for} */
    static BugKind of(final String words) {
        return Arrays.stream(values()).filter(kind -> kind.words.equals(words)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no such kind of bug: kind=" + words + " known="
                + Arrays.stream(values()).map(kind -> kind.words).collect(Collectors.joining(", "))));
    }
}

package io.sluice.transport.agent;

import java.util.Comparator;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words of {@code sluice:ipc}, where people have shared memory and no device: what the control plane says of either
 * medium, and the software device of itself, in those words. Stateless.
 */
public final class SharedMemoryWords {
    /**
     * One word for another.
     *
     * @param ofDevices that is said of devices.
     * @param own       that is said here.
     */
    private record Wording(String ofDevices, String own) {
    }

    private static final Map<String, String> WORDS = Stream.of(
        new Wording("QUEUE_PAIR_ERROR", "LINK_ERROR"),
        new Wording("COMPLETION_QUEUE_OVERRUN", "OVERRUN"),
        new Wording("COMPLETION_ERROR", "WRITE_ERROR"),
        new Wording("DEVICE", "SHARED_MEMORY"),
        new Wording("completion queue", "queue of arrivals"),
        new Wording("completion queues", "queues of arrivals"),
        new Wording("completion entries", "arrivals"),
        new Wording("completions", "arrivals"),
        new Wording("queue pair", "link's end"),
        new Wording("queue pairs", "links' ends"),
        new Wording("queuePairs", "linkEnds"),
        new Wording("protection domain", "shared memory"),
        new Wording("device software", "the shared memory"),
        new Wording("the software device", "sluice:ipc"),
        new Wording("the device", "the shared memory"),
        new Wording("device", "shared memory"))
        .collect(Collectors.toUnmodifiableMap(Wording::ofDevices, Wording::own));

    /**
     * The name of a verb before what it says, and words that are none of shared memory, the longer ones first. Values
     * are left alone, such as names of files and channels, but for reasons.
     */
    private static final Pattern OTHERS = Pattern.compile("\\b(?:ibv|rdma)_\\w+: |(?<![\\w/.=-])(?<word>"
        + String.join("|", WORDS.keySet().stream().sorted(Comparator.comparing(String::length).reversed()).toList())
        + ")(?![\\w/])|\\breason=(?<reason>[A-Z_]+)\\b");

    private SharedMemoryWords() {
    }

    /**
     * Say something in the words of shared memory.
     *
     * @param text of either medium, for people.
     * @return the text without what only devices have; names of files, hosts and channels stay as they are.
     */
    public static String of(final String text) {
        return OTHERS.matcher(text).replaceAll(part -> {
            final String word = part.group("word");
            final String reason = part.group("reason");
            final String own = word != null ? WORDS.get(word)
                : reason != null ? "reason=" + WORDS.getOrDefault(reason, reason) : "";
            return Matcher.quoteReplacement(own);
        });
    }
}

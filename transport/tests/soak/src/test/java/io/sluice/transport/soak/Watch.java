package io.sluice.transport.soak;

import io.sluice.transport.harness.InFlight;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Sees by the journals how far the pairs of publishers and subscribers have come. The soak's thread.
 */
final class Watch {
    /** A publication and a subscription, and how far the first one was when it was looked at. */
    private record Pair(SoakLife publisher, SoakLife subscriber, long sent) {
    }

    /** Some of it is consumed before the fault has struck. */
    private static final long LOAD = 3 * InFlight.MEBIBYTE;

    private final Path journals;
    private final List<SoakPlace> publishers;
    private final List<SoakPlace> subscribers;

    Watch(final Path journals, final List<SoakPlace> publishers, final List<SoakPlace> subscribers) {
        this.journals = journals;
        this.publishers = publishers;
        this.subscribers = subscribers;
    }

    private List<Pair> pairs() {
        final List<Pair> pairs = new ArrayList<>();
        for (final SoakPlace publisher : publishers) {
            if (publisher.isUp()) {
                final long sent = sent(publisher.life());
                for (final SoakPlace subscriber : subscribers) {
                    if (subscriber.isUp()) {
                        pairs.add(new Pair(publisher.life(), subscriber.life(), sent));
                    }
                }
            }
        }
        return pairs;
    }

    private long sent(final SoakLife publisher) {
        return InFlight.sent(journals, publisher.name());
    }

    private long consumed(final Pair pair) {
        return InFlight.consumed(journals, pair.subscriber.name(), pair.publisher.sessionId());
    }

    /**
     * Strike, and tell what was in flight then.
     *
     * @param places that are struck.
     * @param strike the fault.
     * @return bytes that one of them had offered, or had yet to consume, at least; the most of all pairs.
     */
    long inFlight(final List<SoakPlace> places, final Runnable strike) {
        final List<Pair> before = pairs(places);
        strike.run();
        return most(before);
    }

    /** Whether there is enough in flight for a fault to be worth it. */
    boolean isUnderLoad(final List<SoakPlace> places) {
        return most(pairs(places)) >= LOAD;
    }

    /** The pairs with one of the places whose other one no fault is on. */
    private List<Pair> pairs(final List<SoakPlace> places) {
        final List<SoakLife> struck = places.stream().map(SoakPlace::life).toList();
        final List<SoakLife> others = Stream.concat(publishers.stream(), subscribers.stream())
            .filter(SoakPlace::isHit).map(SoakPlace::life).filter(life -> !struck.contains(life)).toList();
        return pairs().stream()
            .filter(pair -> struck.contains(pair.publisher) || struck.contains(pair.subscriber))
            .filter(pair -> !others.contains(pair.publisher) && !others.contains(pair.subscriber)).toList();
    }

    private long most(final List<Pair> pairs) {
        return pairs.stream().mapToLong(pair -> {
            final long consumed = consumed(pair);
            return consumed < 0 ? 0 : pair.sent - consumed;
        }).max().orElse(0);
    }

    /** Whether everybody who is up has what was offered since; to be asked again and again. */
    Recovery recovery() {
        return new Recovery();
    }

    /**
     * Waits until messages that were offered after now have come to every subscriber from every publisher.
     */
    final class Recovery {
        private final Map<SoakLife, Long> sentBefore = new HashMap<>();

        private Recovery() {
            for (final SoakPlace publisher : publishers) {
                if (publisher.isUp()) {
                    sentBefore.put(publisher.life(), sent(publisher.life()));
                }
            }
        }

        boolean isOver() {
            return pairs().stream().noneMatch(
                pair -> consumed(pair) <= sentBefore.getOrDefault(pair.publisher, 0L));
        }

        String describe() {
            final StringBuilder text = new StringBuilder();
            for (final Pair pair : pairs()) {
                text.append(' ').append(pair.publisher.name()).append('>').append(pair.subscriber.name())
                    .append(" offered=").append(pair.sent).append(" consumed=").append(consumed(pair))
                    .append(" awaited=").append(sentBefore.getOrDefault(pair.publisher, 0L)).append('\n');
            }
            return text.toString();
        }
    }
}

package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.TransportStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final int SUBSCRIPTION_ID = 3;
    private static final int NO_TYPE_ID = 0;

    private final List<CounterReading> counters = new ArrayList<>();
    private final TransportStatus status = new TransportStatus(
        Path.of("transport"), true, 1, "", 0, 0, 0, 0, counters, List.of());

    private static CounterKey key(final int group, final int subscriptionId) {
        return new CounterKey(group, 0, 0, 0, 0, 0, subscriptionId);
    }

    private void distances(final int subscriptionId, final long... distances) {
        for (final long distance : distances) {
            counters.add(new CounterReading(CounterType.CONSUMER_DISTANCE, NO_TYPE_ID,
                key(counters.size(), subscriptionId), new UnsafeBuffer(0, 0), "", distance));
        }
    }

    private List<Integer> slowest() {
        return counters.stream().map(CounterReading::key).filter(key -> Backlog.isSlowest(status, key))
            .map(key -> (int) key.group()).toList();
    }

    @Test
    void shouldTellWhichConsumerOfEachSubscriptionIsFurthestBehind() {
        distances(SUBSCRIPTION_ID, 1, 8, 3);
        distances(SUBSCRIPTION_ID + 1, 9, 2);
        assertEquals(List.of(1, 3), slowest());
    }

    private static CounterReading onLongChannel(final CounterType type, final String before) {
        final String label = type.label() + before + " channel=sluice:ipc?endpoint=e|alias=" + "a".repeat(400);
        return new CounterReading(type, NO_TYPE_ID, new CounterKey(7, 0, 0, 5, 6, 0, 0), new UnsafeBuffer(0, 0),
            label.substring(0, CountersReader.MAX_LABEL_LENGTH), 0);
    }

    @Test
    void shouldFindTheSubscribersOfAChannelThatIsCutInLabels() {
        counters.add(onLongChannel(CounterType.PUBLICATION_POSITION, ""));
        counters.add(onLongChannel(CounterType.LINK_CONSUMED, " peer=pid 4711"));
        final List<Backlog.Stream> streams = Backlog.of(
            new StatusSnapshot(Path.of("shared"), 0, List.of(status), List.of()), new CounterFilter());
        assertEquals(List.of("pid 4711"),
            streams.getFirst().subscribers().stream().map(Backlog.Subscriber::peer).toList());
    }

    /** The others may wait for it. */
    @Test
    void shouldTellTheFirstOfSeveralThatAreAsFarBehind() {
        distances(SUBSCRIPTION_ID, 0, 5, 5);
        assertEquals(List.of(1), slowest());
    }

    @Test
    void shouldTellNoneWhereNoneIsBehindOrThereIsOneOnly() {
        distances(SUBSCRIPTION_ID, 0, 0);
        distances(SUBSCRIPTION_ID + 1, 7);
        assertEquals(List.of(), slowest());
    }
}

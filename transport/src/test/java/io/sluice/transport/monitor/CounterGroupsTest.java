package io.sluice.transport.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.counters.CounterKeys;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterScope;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.StatusReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counters of many links. */
class CounterGroupsTest {
    private static final int LINKS = 1000;
    private static final String CHANNEL = "sluice:ipc?endpoint=prices";
    /** All that a link of a publication and the subscription at its other end bring, in one process, unasked. */
    private static final Set<CounterScope> SCOPES =
        EnumSet.complementOf(EnumSet.of(CounterScope.TRANSPORT, CounterScope.AGENT, CounterScope.LATENCY));

    @TempDir
    private Path directory;

    @Test
    void shouldHaveRoomForAThousandLinks() throws IOException {
        final List<Throwable> errors = new ArrayList<>();
        try (StatusFiles files = StatusFiles.create(SystemEnvironment.instance(), directory, "many", errors::add)) {
            final CounterGroups groups = new CounterGroups(files, () -> {
                throw new AssertionError("no room");
            });
            int expected = 0;
            for (int i = 0; i < LINKS; i++) {
                for (final CounterScope scope : SCOPES) {
                    final CounterGroup group = groups.add(
                        new Object(), scope, CounterKeys.ofGroup(groups.nextNumber()), "name", CHANNEL);
                    assertFalse(group.isEmpty());
                    expected += CounterGroup.size(scope);
                }
            }
            final List<CounterReading> read = new StatusReader(SystemEnvironment.instance(), directory)
                .read(problem -> {
                    throw new AssertionError(problem);
                }).getFirst().counters();
            assertEquals(expected, read.size());
            assertEquals(LINKS, read.stream().filter(reading -> reading.type() == CounterType.LINK_STATE)
                .map(reading -> reading.key().group()).collect(Collectors.toSet()).size());
        }
        assertEquals(List.of(), errors);
    }
}

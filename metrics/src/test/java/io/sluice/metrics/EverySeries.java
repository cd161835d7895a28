package io.sluice.metrics;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.counters.ApplicationCounter;
import io.sluice.transport.counters.CounterKeys;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.TransportCounter;
import java.io.IOException;
import java.nio.file.Path;

/** Files of a transport that has a counter of each type and an error: a scrape has every metric that there is. */
final class EverySeries {
    private EverySeries() {
    }

    /** The files, owned by the caller. */
    static StatusFiles create(final Path directory) throws IOException {
        final StatusFiles files =
            StatusFiles.create(SystemEnvironment.instance(), directory, "two \"words\"", error -> { });
        files.onRefreshed();
        files.errorHandler().onError(new IllegalStateException("own"));
        for (final CounterType type : CounterType.values()) {
            if (type != CounterType.TRANSPORT && type != CounterType.APPLICATION) {
                files.allocate(type, new CounterKey(1, 10, 77, 5, 6, 7, 8), type.label()).setRelease(3);
            }
        }
        for (final TransportCounter counter : TransportCounter.values()) {
            files.allocate(CounterType.TRANSPORT, CounterKeys.ofGroup(counter.ordinal()), counter.label());
        }
        files.allocate(new ApplicationCounter(9, 1001, new byte[] {10}, "orders sent")).setRelease(3);
        return files;
    }
}

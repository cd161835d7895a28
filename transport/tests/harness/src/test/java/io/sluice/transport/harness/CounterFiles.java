package io.sluice.transport.harness;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportStatus;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The values in the counters files of all living processes of a test, as {@code ./sluice stat} reads them. Any thread.
 */
public final class CounterFiles {
    private final StatusReader reader;

    public CounterFiles(final Fabric fabric) {
        reader = new StatusReader(SystemEnvironment.instance(), fabric.directory());
    }

    /**
     * The value of the only counter of a type whose label has a text.
     *
     * @param type  of the counter.
     * @param label part of its label, for example {@code consumer=slow}.
     * @return the value, or -1 while there is no such counter.
     */
    public long value(final CounterType type, final String label) {
        try {
            return reader.read(problem -> { }).stream()
                .filter(TransportStatus::isAlive).flatMap(status -> status.counters().stream())
                .filter(reading -> reading.type() == type && reading.label().contains(label))
                .mapToLong(CounterReading::value).findFirst().orElse(-1);
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}

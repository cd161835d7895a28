package io.sluice.transport.harness;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.LinkState;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;

/**
 * The status of a publication and its images, by the counters files of all processes.
 */
public final class PublicationStatus {
    private final StatusReader reader;
    private final Life publisher;

    private PublicationStatus(final StatusReader reader, final Life publisher) {
        this.reader = reader;
        this.publisher = publisher;
    }

    public static PublicationStatus of(final Fabric fabric, final Life publisher) {
        return new PublicationStatus(
            new StatusReader(SystemEnvironment.instance(), fabric.directory()), publisher);
    }

    /** Wait until so many subscribers are linked to the publication, which offers no more, and have all of it. */
    public void awaitSettled(final long end, final int count) {
        Await.until("everybody to have all of " + publisher, () ->
            values(CounterType.PUBLICATION_POSITION).equals(List.of(end))
                && values(CounterType.LINK_STATE).equals(
                    Collections.nCopies(count, (long) LinkState.ACTIVE.ordinal()))
                && values(CounterType.IMAGE_CONSUMED).equals(Collections.nCopies(count, end)));
    }

    private List<Long> values(final CounterType type) {
        try {
            return reader.read(problem -> { }).stream()
                .filter(TransportStatus::isAlive).flatMap(status -> status.counters().stream())
                .filter(reading -> reading.type() == type && reading.key().sessionId() == publisher.sessionId())
                .map(CounterReading::value).toList();
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}

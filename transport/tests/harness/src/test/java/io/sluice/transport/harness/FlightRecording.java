package io.sluice.transport.harness;

import io.sluice.transport.kit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * A recording of some events of the transports of one client name, since others of the JVM have theirs. They are read
 * from a file, as whoever has a recording reads them: a stream may show an event before its strings. One thread.
 */
public final class FlightRecording implements AutoCloseable {
    private static final String PREFIX = "io.sluice.";

    private final Recording recording = new Recording();
    private final Path file;
    private final String client;

    /**
     * Begins to record.
     *
     * @param folder for the file.
     * @param client whose events are read.
     * @param names  of events, without {@code io.sluice.}; all that last, however short.
     */
    public FlightRecording(final Path folder, final String client, final String... names) {
        file = folder.resolve("recording.jfr");
        this.client = client;
        for (final String name : names) {
            recording.enable(PREFIX + name).withoutThreshold();
        }
        recording.start();
    }

    /** The events of a name so far, in their order. */
    public List<RecordedEvent> of(final String name) {
        return matching(name, event -> true).toList();
    }

    private Stream<RecordedEvent> matching(final String name, final Predicate<RecordedEvent> wanted) {
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(PREFIX + name)
                    && client.equals(event.getString("client")) && wanted.test(event));
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Waits for an event, and returns the first such one. */
    public RecordedEvent await(final String name, final Predicate<RecordedEvent> wanted) {
        Await.until(() -> "an event " + name + " among " + of(name),
            () -> matching(name, wanted).findAny().isPresent(), Await.DEADLINE_SECONDS);
        return matching(name, wanted).findFirst().orElseThrow();
    }

    /** Waits for an event, and returns the first one of the name. */
    public RecordedEvent await(final String name) {
        return await(name, event -> true);
    }

    @Override
    public void close() {
        recording.close();
    }
}

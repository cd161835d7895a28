package io.sluice.transport.harness;

import io.sluice.transport.Publication;
import io.sluice.transport.kit.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * Publishes random messages from threads of its own: one, or {@code writers=n} of a shared publication. Each keeps a
 * journal: {@code name.journal}, or {@code name.0.journal} and so on, see {@link Journal#ofPublisher}.
 */
final class LoadPublisher {
    private final String name;
    private final Publication publication;
    private final List<LoadWriter> writers;
    private final AtomicInteger running;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    LoadPublisher(final Line options, final Publication publication, final Path journals) {
        this.publication = publication;
        name = options.text("name");
        final int count = options.intNumber("writers", 1);
        running = new AtomicInteger(count);
        writers = IntStream.range(0, count).mapToObj(index -> new LoadWriter(
            options, publication, index, journals.resolve(Journal.fileName(name, index, count)))).toList();
        writers.forEach(writer ->
            Thread.ofPlatform().daemon().name("publish-" + name).start(() -> run(writer)));
    }

    private void run(final LoadWriter writer) {
        try {
            writer.run();
        } catch (final Throwable ex) {
            failure.compareAndSet(null, ex);
        } finally {
            if (running.decrementAndGet() == 0) {
                tellEnd(writer);
            }
        }
    }

    private void tellEnd(final LoadWriter last) {
        final LoadWriter failed = writers.stream().filter(other -> other.result() < 0).findAny().orElse(last);
        PeerMain.say("PUBLISHED name=" + name + " count=" + writers.stream().mapToLong(LoadWriter::records).sum()
            + " position=" + publication.position() + " back-pressured=" + backPressured() + " not-connected="
            + writers.stream().mapToLong(LoadWriter::notConnected).sum() + " result="
            + Publication.errorString(failed.result()));
    }

    Publication publication() {
        return publication;
    }

    /** Offers so far that were answered with BACK_PRESSURED. */
    long backPressured() {
        return writers.stream().mapToLong(LoadWriter::backPressured).sum();
    }

    void go() {
        writers.forEach(LoadWriter::go);
    }

    /** Stop offering, without a word to the publication. */
    void halt() {
        writers.forEach(LoadWriter::halt);
        awaitEnd();
    }

    private void awaitEnd() {
        Await.until("the end of the writers of " + name, () -> running.get() == 0);
        if (failure.get() != null) {
            throw new AssertionError("a writer of " + name + " failed", failure.get());
        }
    }

    void close() {
        publication.close();
        awaitEnd();
        writers.forEach(LoadWriter::close);
    }
}

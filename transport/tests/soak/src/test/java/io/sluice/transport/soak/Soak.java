package io.sluice.transport.soak;

import io.sluice.transport.harness.Audit;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.kit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs a soak: publishes from several processes to several others as fast as they can, lets the faults of a schedule
 * happen, and compares the journals of each pair every minute, when everything offered was delivered. One thread.
 */
final class Soak implements AutoCloseable {
    /** Then everything is delivered and judged, and the journals are deleted: they take some 100 MB a minute. */
    private static final long ROUND_MS = 60_000;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** The time that a fault may take until everybody goes on: far longer than it takes. */
    private static final long PATIENCE_SECONDS = 2 * Await.DEADLINE_SECONDS;
    private static final int FIRST_SESSION_ID = 100;

    private final SoakSettings settings;
    private final Consumer<String> output;
    private final Fabric fabric = new Fabric();
    private final SoakProcesses processes;
    private final SoakReport report = new SoakReport();
    private final AtomicInteger sessionIds = new AtomicInteger(FIRST_SESSION_ID);
    private final List<SoakPlace> publishers;
    private final List<SoakPlace> subscribers;
    private final List<SoakPlace> places;
    private final List<SoakLife> publications = new ArrayList<>();
    private final List<SoakLife> subscriptions = new ArrayList<>();
    private final List<ActiveFault> active = new ArrayList<>();

    /**
     * A soak that has not begun.
     *
     * @param settings what it does.
     * @param output   told a line of progress now and then.
     */
    Soak(final SoakSettings settings, final Consumer<String> output) throws IOException {
        this.settings = settings;
        this.output = output;
        fabric.beforeEach(null);
        processes = new SoakProcesses(fabric);
        publishers = places(true, settings.publishers());
        subscribers = places(false, settings.subscribers());
        places = Stream.concat(publishers.stream(), subscribers.stream()).toList();
    }

    private List<SoakPlace> places(final boolean isPublisher, final int count) {
        return IntStream.range(0, count).mapToObj(number -> new SoakPlace(
            processes, settings, sessionIds, isPublisher, number,
            isPublisher ? publications::add : subscriptions::add)).toList();
    }

    /**
     * Run it.
     *
     * @return what was found.
     * @throws AssertionError when a process does what it must not, or not what it must.
     */
    SoakReport run() {
        places.forEach(place -> place.launch());
        places.forEach(place -> place.process().await("READY"));
        subscribers.forEach(SoakPlace::begin);
        publishers.forEach(SoakPlace::begin);
        final Watch watch = new Watch(fabric.journals(), publishers, subscribers);
        final Strikes strikes = new Strikes(settings, processes, publishers, subscribers, watch);
        final long beginNs = System.nanoTime();
        int round = 1;
        for (final ScheduledFault fault : FaultSchedule.draw(settings)) {
            if (fault.atMs() >= round * ROUND_MS) {
                judge(round);
                round = (int) (fault.atMs() / ROUND_MS) + 1;
                publishers.forEach(SoakPlace::begin);
            }
            final long atNs = beginNs + TimeUnit.MILLISECONDS.toNanos(fault.atMs());
            final List<SoakPlace> targets = strikes.places(fault);
            goOnUntil(() -> System.nanoTime() - atNs >= 0 && targets.stream().noneMatch(SoakPlace::isHit)
                && watch.isUnderLoad(targets));
            active.add(strikes.strike(fault, targets));
        }
        judge(round);
        subscribers.forEach(place -> place.process().ask("leave name=" + place.life().name(), "LEFT"));
        places.forEach(Strikes::end);
        return report;
    }

    private void goOnUntil(final BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            for (final ActiveFault fault : List.copyOf(active)) {
                if (fault.isOver()) {
                    active.remove(fault);
                    output.accept(report.add(fault));
                } else if (fault.isLate(PATIENCE_SECONDS)) {
                    throw new AssertionError("not everybody has gone on after " + fault + "\n" + describe());
                }
            }
            places.forEach(Strikes::check);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private String describe() {
        final StringBuilder text = new StringBuilder();
        places.forEach(place -> text.append(place.process().describe()));
        return text.toString();
    }

    /** Deliver everything, and compare. */
    private void judge(final int round) {
        goOnUntil(active::isEmpty);
        for (final SoakPlace publisher : publishers) {
            final SoakLife life = publisher.life();
            publisher.process().ask("halt name=" + life.name(), "PUBLISHED result=NONE name=" + life.name());
            life.closing(System.nanoTime());
            publisher.process().ask("close name=" + life.name(), "CLOSED drained=true name=" + life.name());
            life.drain(System.nanoTime());
        }
        for (final SoakPlace place : subscribers) {
            final String name = " name=" + place.life().name();
            Await.until(() -> "the end of all images\n" + place.process().describe(),
                () -> place.process().ask("state" + name, "STATE" + name).number("images") == 0,
                Await.DEADLINE_SECONDS);
        }
        places.forEach(Strikes::check);
        final Audit audit = new Audit(fabric.journals());
        for (final SoakLife publication : publications) {
            for (final SoakLife subscription : subscriptions) {
                audit.judge(publication.name(), publication.sessionId(), subscription.name(),
                    publication.process().errors() + subscription.process().errors(),
                    publication.debtTo(subscription));
            }
        }
        output.accept(report.add(audit, round));
        publications.clear();
        subscriptions.removeIf(SoakLife::isOver);
        deleteJournals();
    }

    private void deleteJournals() {
        try (Stream<Path> files = Files.list(fabric.journals())) {
            files.filter(file -> file.toString().endsWith(".journal")).forEach(file -> file.toFile().delete());
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** End all processes, and delete what they left. */
    @Override
    public void close() {
        fabric.afterEach(null);
    }
}

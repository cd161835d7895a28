package io.sluice.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sluice.environment.Environment;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportStatus;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The counters and errors of all transports of a shared folder as metrics, read anew for each scrape: for a program's
 * own registry, or for a {@link MetricsServer}. A registry takes one collector only: metrics of two have the same
 * names, and every scrape of both fails. Any thread; scrapes wait for each other. No file is held open between scrapes,
 * so there is nothing to close.
 *
 * <p>A folder or file that cannot be read fails no scrape: it is counted in a metric and told once. A transport whose
 * process has ended without closing it keeps {@code sluice_transport_up}, times and errors, and no other series.
 */
public final class HostCollector implements MultiCollector {
    /**
     * The most series of a scrape. A transport has room for 40,960 counters: two full transports are near it. At some
     * 300 bytes of text for each, a scrape has 30 MB at most, and takes some tenths of a second; more than that is for
     * nobody to look at.
     */
    public static final int MAX_SERIES = 100_000;

    private final Environment environment;
    private final Path directory;
    private final StatusReader reader;
    private final Predicate<TransportStatus> shown;
    private final Consumer<String> problems;
    private final int maxSeries;
    /** The series of the counters of each transport that lived in the last scrape. */
    private Map<Path, TransportSeries> made = Map.of();
    private Set<String> told = Set.of();
    /** Whether the last scrape could list the shared folder, and came to its end. */
    private boolean isListed;

    /**
     * A collector.
     *
     * @param environment door to the machine.
     * @param directory   the shared folder of the transports; need not exist yet.
     * @param problems    told in one line of what cannot be read, once until it could be; called by the thread that
     *                    scrapes. What it throws ends the scrape.
     */
    public HostCollector(final Environment environment, final Path directory, final Consumer<String> problems) {
        this(environment, directory, _ -> true, MAX_SERIES, problems);
    }

    /**
     * A collector of some of the transports, such as those of this program.
     *
     * @param environment door to the machine.
     * @param directory   the shared folder of the transports; need not exist yet.
     * @param shown       which transports have series; called by the thread that scrapes.
     * @param maxSeries   the most series of transports in a scrape, 1 to {@link #MAX_SERIES}; the others are counted.
     * @param problems    as in the other constructor; told of all transports of the folder.
     * @throws IllegalArgumentException when the bound is out of range.
     */
    public HostCollector(
        final Environment environment, final Path directory, final Predicate<TransportStatus> shown,
        final int maxSeries, final Consumer<String> problems) {
        if (maxSeries < 1 || maxSeries > MAX_SERIES) {
            throw new IllegalArgumentException("maxSeries=" + maxSeries + " must be from 1 to " + MAX_SERIES);
        }
        this.environment = environment;
        this.directory = directory;
        reader = new StatusReader(environment, directory);
        this.shown = Objects.requireNonNull(shown, "shown");
        this.problems = Objects.requireNonNull(problems, "problems");
        this.maxSeries = maxSeries;
    }

    /**
     * Read the transports.
     *
     * @return their series at this moment, at most as many as the bound says and a handful about the scrape itself.
     */
    @Override
    public synchronized MetricSnapshots collect() {
        isListed = false;
        final Scrape scrape = new Scrape(maxSeries, environment.epochMs());
        final Set<String> skipped = new LinkedHashSet<>();
        boolean isReadable = true;
        try {
            final List<TransportStatus> all = reader.read(skipped::add).stream().filter(shown).toList();
            // whether each of them lives comes first: counters of another one must not take its place
            all.forEach(scrape::addState);
            final Map<Path, TransportSeries> last = made;
            made = new HashMap<>();
            for (final TransportStatus status : all) {
                // the counters of a dead one are nobody's any more
                if (status.isAlive()) {
                    final TransportSeries series = seriesOf(status, last.get(status.folder()));
                    made.put(status.folder(), series);
                    scrape.addCounters(status.counters(), series);
                }
            }
        } catch (final IOException ex) {
            isReadable = false;
            skipped.add("cannot read " + directory + ": " + ex.getMessage());
        }
        final File folder = directory.toFile();
        final long size = folder.getTotalSpace();
        if (size > 0) {
            scrape.addRoom(size, folder.getUsableSpace());
        }
        tell(skipped);
        isListed = isReadable;
        return scrape.snapshots(isReadable, skipped.size());
    }

    /**
     * Whether the last scrape may lack series of a transport that is there: a file of it could not be read, or the
     * scrape itself failed. Of others, what the scrape lacks is gone.
     *
     * @param transport the random number of the transport's folder, as in the label {@code transport}.
     * @return whether nothing follows from what is lacking.
     */
    public synchronized boolean isUnread(final String transport) {
        return !isListed || told.stream().anyMatch(line -> line.contains(transport));
    }

    /** The series of a transport's counters: those of the last scrape, while the counters are the same. */
    private static TransportSeries seriesOf(final TransportStatus status, final TransportSeries last) {
        return last != null && last.areOf(status) ? last : new TransportSeries(status);
    }

    private void tell(final Set<String> skipped) {
        final Set<String> before = told;
        told = new HashSet<>(skipped);
        for (final String line : skipped) {
            if (!before.contains(line)) {
                problems.accept(line);
            }
        }
    }

    @Override
    public String toString() {
        return "HostCollector{directory=" + directory + "}";
    }
}

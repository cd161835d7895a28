package io.sluice.metrics.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sluice.metrics.HostCollector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The metrics of a {@link HostCollector} in Micrometer's registries: of all transports of a host, or of those that the
 * collector shows. A thread of its own, a daemon, reads the transports from time to time. It sets the values, registers
 * meters of what has come, and removes those of what is gone, as of streams that were closed and transports that died.
 * A scrape or a step of the registry in between sees the values of the last time, and reads no file.
 *
 * <p>Names have dots, and no unit where they are gauges: the unit is the meter's. Prometheus' registry gives the names
 * of the collector back. A series that the registry refuses, or that something else has registered, is left alone and
 * counted in {@code sluice.exporter.series.dropped}; the next time it is tried again. So two of these in one registry
 * share what both have, and the second goes on when the first is closed.
 *
 * <p>Registries that show steps, what was counted since the last one, have no step with what was counted before they
 * were bound: a counter that is there then starts from 0. Registries that gather others, and those of StatsD, do not
 * tell that they show steps: their first one is the whole count. A counter whose file cannot be read for a while stands
 * still, and shows later what it missed.
 *
 * <p>Any thread. Whoever makes it closes it. The registries stay the caller's.
 */
public final class SluiceMetrics implements MeterBinder, AutoCloseable {
    /** The time between two looks, unless another one is given: values are that old at most, less than a scrape. */
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);

    /** A thread that does nothing else reads no faster. */
    private static final Duration MIN_INTERVAL = Duration.ofMillis(1);
    /** The most that a number of nanoseconds holds, some 292 years. */
    private static final Duration MAX_INTERVAL = Duration.ofNanos(Long.MAX_VALUE);
    private static final String THREAD_NAME = "sluice-metrics";

    /** A look without any transport. */
    private static final MetricSnapshots NOTHING = new MetricSnapshots();

    private final HostCollector collector;
    private final Duration interval;
    private final List<BoundMeters> registries = new ArrayList<>();
    private ScheduledExecutorService executor;
    private boolean isClosed;

    /**
     * Metrics that are brought up to date every {@link #DEFAULT_INTERVAL}.
     *
     * @param collector of the metrics, which this alone should use.
     */
    public SluiceMetrics(final HostCollector collector) {
        this(collector, DEFAULT_INTERVAL);
    }

    /**
     * Metrics that are brought up to date now and then.
     *
     * @param collector of the metrics, which this alone should use.
     * @param interval  between the end of one look and the next, of a millisecond to 2^63 - 1 ns, some 292 years.
     * @throws IllegalArgumentException when the interval is shorter or longer.
     */
    public SluiceMetrics(final HostCollector collector, final Duration interval) {
        this.collector = Objects.requireNonNull(collector, "collector");
        this.interval = Objects.requireNonNull(interval, "interval");
        if (interval.compareTo(MIN_INTERVAL) < 0) {
            throw new IllegalArgumentException("interval=" + interval + " is below " + MIN_INTERVAL);
        }
        if (interval.compareTo(MAX_INTERVAL) > 0) {
            throw new IllegalArgumentException("interval=" + interval + " is above " + MAX_INTERVAL);
        }
    }

    /**
     * Register meters of all that is there now, and keep them up to date until this is closed. With the first registry
     * the thread starts.
     *
     * @param registry that may have meters of others, and that a call before may have named.
     * @throws IllegalStateException when this is closed.
     * @throws RuntimeException      as {@link #refresh()} does; the registry is bound all the same.
     */
    @Override
    public synchronized void bindTo(final MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        if (isClosed) {
            throw new IllegalStateException("closed");
        }
        if (registries.stream().noneMatch(bound -> bound.registry() == registry)) {
            registries.add(new BoundMeters(registry));
        }
        if (executor == null) {
            executor = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(THREAD_NAME).factory());
            executor.scheduleWithFixedDelay(
                this::refreshInBackground, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
        }
        refresh();
    }

    /**
     * Bring all meters up to date now. The thread does it from time to time: call it before something that must not be
     * late, such as the last step of a registry. After the close it does nothing.
     *
     * @throws RuntimeException when code of the program does that the collector calls, which leaves no gauge, or a
     *                          listener of a registry.
     */
    public synchronized void refresh() {
        if (isClosed) {
            return;
        }
        MetricSnapshots snapshots = NOTHING;
        try {
            snapshots = collector.collect();
        } finally {
            // without a look nothing is known: gauges of the one before must not be taken for what is so now
            update(snapshots, collector::isUnread);
        }
    }

    /** An error does not end the looks, or meters would stay as they are for ever: the thread's handler is told. */
    private void refreshInBackground() {
        try {
            refresh();
        } catch (final RuntimeException | Error ex) {
            final Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, ex);
        }
    }

    private void update(final MetricSnapshots snapshots, final Predicate<String> isUnread) {
        RuntimeException failure = null;
        for (final BoundMeters registry : registries) {
            try {
                registry.update(snapshots, isUnread);
            } catch (final RuntimeException ex) {
                if (failure == null) {
                    failure = ex;
                } else {
                    failure.addSuppressed(ex);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Ends the thread, and removes all meters that this has registered. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            if (executor != null) {
                executor.shutdown();
            }
            update(NOTHING, _ -> false);
            registries.clear();
        }
    }

    @Override
    public synchronized String toString() {
        return "SluiceMetrics{collector=" + collector + " interval=" + interval + " registries=" + registries.size()
            + (isClosed ? " closed" : "") + "}";
    }
}

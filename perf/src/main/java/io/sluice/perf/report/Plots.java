package io.sluice.perf.report;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.report.Plot.Curve;
import io.sluice.perf.report.Plot.Scale;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Point;
import io.sluice.perf.rig.Run;
import io.sluice.perf.rig.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The plots of a session, each of one state of the machine, which its title names. Only runs that count are in them,
 * those of one system and point together.
 */
final class Plots {
    /** Decades from the smallest value to the 99.999th percentile. */
    private static final int PERCENTILE_DECADES = 5;
    private static final int PLACES_PER_DECADE = 20;
    private static final double PERCENT = 100;
    private static final double NS_PER_US = 1000;

    private final Plan plan;
    private final List<Run> runs;

    Plots(final Plan plan, final List<Run> runs) {
        this.plan = plan;
        this.runs = runs;
    }

    /** {@return the plots for which there is anything to plot} */
    List<Plot> all() {
        final List<Plot> plots = new ArrayList<>();
        for (final Point point : plan.points()) {
            PlottedRuns.of(plan, runs, List.of(point)).map(shown -> percentiles(point, shown)).ifPresent(plots::add);
        }
        for (final Measure measure : plan.measures()) {
            final List<Point> points = plan.points().stream().filter(point -> point.measure() == measure).toList();
            final Optional<PlottedRuns> some = PlottedRuns.of(plan, runs, points);
            if (measure.metrics().contains(Metric.MESSAGE_RATE)) {
                some.map(shown -> throughput(measure, shown)).ifPresent(plots::add);
            } else if (measure.isPaced() && plan.rates().size() > 1) {
                some.map(shown -> load(measure, shown)).ifPresent(plots::add);
            }
        }
        return plots.stream().filter(plot -> !plot.curves().isEmpty()).toList();
    }

    private Plot percentiles(final Point point, final PlottedRuns shown) {
        final List<Double> x = IntStream.rangeClosed(0, PERCENTILE_DECADES * PLACES_PER_DECADE)
            .mapToObj(place -> Math.pow(10, (double) place / PLACES_PER_DECADE)).toList();
        final List<Curve> curves = new ArrayList<>();
        for (final PeerKind peer : plan.peers()) {
            final Histogram roundTrips = roundTrips(shown.of(peer, point));
            if (roundTrips != null) {
                final List<Double> y = new ArrayList<>();
                x.forEach(place -> y.add(latencyUs(roundTrips, place)));
                curves.add(new Curve(peer.label(), false, y));
            }
        }
        return new Plot(title(point.measure(), " by percentile, " + point.size(), shown), shown.caption(),
            Scale.PERCENTILE, "round trip, µs", x, curves);
    }

    /** All of them together, or null when there is none. */
    private static Histogram roundTrips(final List<Run> runs) {
        return runs.stream().map(Run::roundTrips).filter(histogram -> histogram != null).map(Histogram::copy)
            .reduce((all, more) -> {
                all.add(more);
                return all;
            }).orElse(null);
    }

    /** The latency at a percentile in microseconds; null where there are not enough round trips to know. */
    private static Double latencyUs(final Histogram roundTrips, final double place) {
        return place > roundTrips.getTotalCount() ? null
            : Math.max(1, roundTrips.getValueAtPercentile(PERCENT - PERCENT / place)) / NS_PER_US;
    }

    private Plot throughput(final Measure measure, final PlottedRuns shown) {
        final List<Integer> lengths = plan.messageLengths().stream().sorted().toList();
        final List<Curve> curves = plan.peers().stream()
            .map(peer -> curve(peer.label(), false, lengths, length ->
                median(shown.of(peer, new Point(measure, length)), Metric.MESSAGE_RATE)))
            .filter(Plots::hasValues).toList();
        return new Plot(title(measure, " by message length", shown), shown.caption(),
            Scale.LENGTH, "million messages/s", places(lengths), curves);
    }

    private Plot load(final Measure measure, final PlottedRuns shown) {
        final List<Integer> rates = plan.rates().stream().sorted().toList();
        final int length = plan.messageLengths().getFirst();
        final List<Curve> curves = new ArrayList<>();
        for (final PeerKind peer : plan.peers()) {
            for (final Metric metric : List.of(Metric.RTT_P50, Metric.RTT_P999)) {
                curves.add(curve(peer.label() + " " + metric.label(), metric == Metric.RTT_P999, rates, rate ->
                    median(shown.of(peer, new Point(measure, length, rate)), metric)));
            }
        }
        return new Plot(title(measure, " by rate, " + length + " B", shown),
            shown.caption() + " A curve ends where the system missed the rate.",
            Scale.RATE, "round trip, µs", places(rates), curves.stream().filter(Plots::hasValues).toList());
    }

    private static Curve curve(
        final String label,
        final boolean isDashed,
        final List<Integer> places,
        final Function<Integer, Double> value) {
        final List<Double> y = new ArrayList<>();
        places.forEach(place -> y.add(value.apply(place)));
        return new Curve(label, isDashed, y);
    }

    private static boolean hasValues(final Curve curve) {
        return curve.y().stream().anyMatch(value -> value != null);
    }

    private static List<Double> places(final List<Integer> values) {
        return values.stream().map(Integer::doubleValue).toList();
    }

    private static Double median(final List<Run> runs, final Metric metric) {
        final Sample sample = Sample.of(runs.stream().map(run -> run.values().get(metric)).toList());
        return sample.isEmpty() ? null : sample.median();
    }

    private static String title(final Measure measure, final String what, final PlottedRuns shown) {
        return title(measure) + what + ", cores " + shown.band().range();
    }

    private static String title(final Measure measure) {
        return switch (measure) {
            case ROUND_TRIP -> "Round trips";
            case LOAD -> "Latency under load";
            case THROUGHPUT -> "Throughput";
            default -> measure.label();
        };
    }
}

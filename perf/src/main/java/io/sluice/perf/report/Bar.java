package io.sluice.perf.report;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.Comparison;
import io.sluice.perf.rig.CoreBand;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Point;
import io.sluice.perf.rig.Run;
import io.sluice.perf.rig.Sample;
import java.util.List;
import java.util.stream.Stream;

/**
 * A bar that Sluice must reach beside another system, on the same machine at the same time.
 *
 * @param subject   that must reach it.
 * @param reference that it is compared with.
 * @param point     of both.
 * @param metric    of both.
 * @param bound     of the subject's value divided by the reference's.
 * @param atMost    whether the ratio must not be more than the bound; else it must not be less.
 */
record Bar(PeerKind subject, PeerKind reference, Point point, Metric metric, double bound, boolean atMost) {
    /**
     * The least number of different runs of each side among the pairs: a median of pairs of fewer is one run's luck.
     */
    static final int MIN_RUNS = 3;

    /** All bars. */
    static final List<Bar> ALL = Stream.concat(
        Stream.of(PeerKind.SLUICE_IPC, PeerKind.SLUICE_IPC_64M).flatMap(Bar::betweenProcesses),
        Stream.of(
            roundTrip(PeerKind.SLUICE_IPC_DEDICATED, PeerKind.AERON_IPC_RING, Metric.RTT_P50, 32, 1.1),
            new Bar(
                PeerKind.SLUICE_RING, PeerKind.DISRUPTOR, new Point(Measure.HAND_OFF, 32), Metric.ONE_WAY, 2, true)))
        .toList();

    private static Stream<Bar> betweenProcesses(final PeerKind subject) {
        return Stream.of(
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_P50, 32, 1.05),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_P999, 32, 1),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_P9999, 32, 1),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_P99999, 32, 1),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_MAX, 32, 1),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_P50, 256, 1.05),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_P999, 256, 1),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_P9999, 256, 1),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_P99999, 256, 1),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_MAX, 256, 1),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_P50, 1024, 1.05),
            roundTrip(subject, PeerKind.CACHE_LINE, Metric.RTT_P50, 32, 1.5),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_BATCH, 32, 1.05),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_BATCH, 256, 1.05),
            roundTrip(subject, PeerKind.AERON_IPC, Metric.RTT_BATCH, 1024, 1.05),
            roundTrip(subject, PeerKind.CACHE_LINE, Metric.RTT_BATCH, 32, 1.5),
            atRate(subject, Metric.RTT_P99, 10_000),
            atRate(subject, Metric.RTT_P999, 10_000),
            atRate(subject, Metric.RTT_P99, 100_000),
            atRate(subject, Metric.RTT_P999, 100_000),
            throughput(subject, 32),
            throughput(subject, 256),
            throughput(subject, 1024),
            throughput(subject, 64 * 1024));
    }

    private static Bar roundTrip(
        final PeerKind subject,
        final PeerKind reference,
        final Metric metric,
        final int messageLength,
        final double bound) {
        return new Bar(subject, reference, new Point(Measure.ROUND_TRIP, messageLength), metric, bound, true);
    }

    private static Bar atRate(final PeerKind subject, final Metric metric, final int ratePerSecond) {
        return new Bar(subject, PeerKind.AERON_IPC, new Point(Measure.LOAD, 32, ratePerSecond), metric, 1, true);
    }

    private static Bar throughput(final PeerKind subject, final int messageLength) {
        return new Bar(subject, PeerKind.AERON_IPC, new Point(Measure.THROUGHPUT, messageLength), Metric.MESSAGE_RATE,
            1, false);
    }

    /** Whether a plan has the peers and the point that are compared. */
    boolean isPartOf(final Plan plan) {
        return plan.peers().containsAll(List.of(subject, reference)) && plan.points().contains(point);
    }

    /** {@return the first row of a table of bars} */
    static String[] columns() {
        return new String[] {"measure", "system", "bar", "cores", "reached", "over", "verdict"};
    }

    /**
     * Adds a row for each state of the machine, the nearest cores first: the median and the range of the ratios of
     * neighbouring runs, and the verdict, if there are enough.
     */
    void judge(final List<Run> runs, final TextTable table) {
        final Comparison comparison = Comparison.of(runs, subject, reference, point);
        boolean isJudged = false;
        for (final CoreBand band : comparison.bands()) {
            final Sample ratios = comparison.ratios(metric, band);
            if (!ratios.isEmpty()) {
                isJudged = true;
                final int subjects = comparison.comparedCount(subject, band);
                final int references = comparison.comparedCount(reference, band);
                add(table, band.range(), Report.range(ratios), ratios.count() + " of " + comparison.pairCount()
                    + " pairs, of " + subjects + " and " + references + " runs",
                    Math.min(subjects, references) >= MIN_RUNS ? verdict(comparison, ratios.median())
                        : "NOT JUDGED: " + MIN_RUNS + " usable runs of each are needed");
            }
        }
        if (!isJudged) {
            add(table, "-", "-", "-", "NOT JUDGED: no two neighbouring runs of " + (comparison.pairCount() + 1)
                + " were usable in one state of the cores");
        }
    }

    private void add(
        final TextTable table, final String cores, final String reached, final String over, final String verdict) {
        table.add(metric.label() + " " + point.size(), subject.label(),
            (atMost ? "<= " : ">= ") + bound + " × " + reference.label(), cores, reached, over, verdict);
    }

    /** Judges a ratio; a system that fails now and then has not met anything with the runs that are left. */
    private String verdict(final Comparison comparison, final double ratio) {
        final long failed = comparison.failedCount(subject) + comparison.failedCount(reference);
        if (atMost ? ratio > bound : ratio < bound) {
            return "MISSED";
        }
        return failed == 0 ? "met" : "NOT JUDGED: " + failed + " of "
            + (comparison.runCount(subject) + comparison.runCount(reference)) + " runs FAILED";
    }
}

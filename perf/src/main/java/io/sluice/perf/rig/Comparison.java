package io.sluice.perf.rig;

import io.sluice.perf.peer.PeerKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * One point of two peers over all rounds. Ratios are formed only between neighbouring runs, so that what drifts hits
 * both alike, and only when the machine was in one state from the first run's beginning to the second one's end.
 *
 * @param subject       whose ratio it is.
 * @param reference     that it is compared with.
 * @param point         of both.
 * @param sequence      the last attempt of each round of both, failed ones too, in the order they ran.
 */
public record Comparison(
    PeerKind subject,
    PeerKind reference,
    Point point,
    List<Run> sequence) {

    /**
     * Select the runs.
     *
     * @param runs      of all peers and points, in the order they ran.
     * @param subject   whose ratio it is.
     * @param reference that it is compared with.
     * @param point     of both.
     * @return the comparison.
     */
    public static Comparison of(
        final List<Run> runs,
        final PeerKind subject,
        final PeerKind reference,
        final Point point) {
        final Map<String, Run> lastAttempts = new LinkedHashMap<>();
        runs.stream()
            .filter(run -> run.point().equals(point))
            .filter(run -> run.peer() == subject || run.peer() == reference)
            .forEach(run -> lastAttempts.put(run.peer() + " " + run.round(), run));
        return new Comparison(subject, reference, point, List.copyOf(lastAttempts.values()));
    }

    /**
     * The number of pairs of neighbours, usable or not.
     *
     * @return the number.
     */
    public int pairCount() {
        return Math.max(0, sequence.size() - 1);
    }

    /**
     * The number of runs of a peer, the last attempt of each round, usable or not.
     *
     * @param peer subject or reference.
     * @return the number.
     */
    public long runCount(final PeerKind peer) {
        return sequence.stream().filter(run -> run.peer() == peer).count();
    }

    /**
     * The number of runs of a peer that failed.
     *
     * @param peer subject or reference.
     * @return the number.
     */
    public long failedCount(final PeerKind peer) {
        return sequence.stream().filter(run -> run.peer() == peer && run.hasFailed()).count();
    }

    /**
     * The subject's value divided by the reference's, for each usable pair of neighbours.
     *
     * @param metric of the measure.
     * @return the ratios.
     */
    public Sample ratios(final Metric metric) {
        return ratios(metric, run -> true);
    }

    /**
     * The subject's value divided by the reference's, for each usable pair of neighbours in one state only.
     *
     * @param metric of the measure.
     * @param band   of the state.
     * @return the ratios.
     */
    public Sample ratios(final Metric metric, final CoreBand band) {
        return ratios(metric, band::contains);
    }

    private Sample ratios(final Metric metric, final Predicate<Run> selected) {
        final List<Double> ratios = new ArrayList<>();
        for (int i = 1; i < sequence.size(); i++) {
            if (isUsable(i, selected)) {
                final boolean inOrder = sequence.get(i - 1).peer() == subject;
                final double subjectValue = sequence.get(inOrder ? i - 1 : i).values().get(metric);
                final double referenceValue = sequence.get(inOrder ? i : i - 1).values().get(metric);
                ratios.add(subjectValue / referenceValue);
            }
        }
        return Sample.of(ratios);
    }

    /** Whether a run and the one before it are a pair to compare. */
    private boolean isUsable(final int place, final Predicate<Run> selected) {
        final Run first = sequence.get(place - 1);
        final Run second = sequence.get(place);
        return first.peer() != second.peer() && first.isComparable(second)
            && selected.test(first) && selected.test(second);
    }

    /**
     * The number of different runs of a peer that the usable pairs in one state are made of: one run may be in two
     * pairs.
     *
     * @param peer subject or reference.
     * @param band of the state.
     * @return the number.
     */
    public int comparedCount(final PeerKind peer, final CoreBand band) {
        int count = 0;
        for (int i = 0; i < sequence.size(); i++) {
            if (sequence.get(i).peer() == peer && (i > 0 && isUsable(i, band::contains)
                || i + 1 < sequence.size() && isUsable(i + 1, band::contains))) {
                count++;
            }
        }
        return count;
    }

    /**
     * The states of the machine in which the runs that count were made.
     *
     * @return one band for each, the nearest cores first.
     */
    public List<CoreBand> bands() {
        return CoreBand.of(sequence);
    }

    /**
     * One peer's values in one state of the machine.
     *
     * @param peer   subject or reference.
     * @param metric of the measure.
     * @param band   of the state.
     * @return the values.
     */
    public Sample values(final PeerKind peer, final Metric metric, final CoreBand band) {
        return Sample.of(sequence.stream()
            .filter(run -> run.peer() == peer && run.counts() && band.contains(run))
            .map(run -> run.values().get(metric))
            .toList());
    }
}

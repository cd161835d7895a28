package io.sluice.perf.rig;

import io.sluice.perf.peer.PeerKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The plan of a session: what to measure, and how long.
 *
 * @param peers          the subject first, then those it is compared with.
 * @param measures       in the order to show them.
 * @param messageLengths in bytes.
 * @param rates          messages per second of the measures that are paced, which take the first length only.
 * @param effort         of the whole plan.
 * @param firstCpu       of the host process's measured thread.
 * @param secondCpu      of the other's.
 * @param address        of this host, for peers that need one.
 */
public record Plan(
    List<PeerKind> peers,
    List<Measure> measures,
    List<Integer> messageLengths,
    List<Integer> rates,
    Effort effort,
    int firstCpu,
    int secondCpu,
    String address) {

    /**
     * The points to measure of every system.
     *
     * @return the points in the order to show them.
     */
    public List<Point> points() {
        final List<Point> points = new ArrayList<>();
        for (final Measure measure : measures) {
            if (measure.isPaced()) {
                rates.forEach(rate -> points.add(new Point(measure, messageLengths.getFirst(), rate)));
            } else {
                messageLengths.forEach(length -> points.add(new Point(measure, length)));
            }
        }
        return points;
    }

    /**
     * The runs in their order. At each point the peers take turns, A B A B…, so that a drift of the machine hits all of
     * them. Points that are compared with each other take turns, too: round 1 of all of them, then round 2.
     *
     * @return the turns.
     */
    public List<Turn> turns() {
        final List<Turn> turns = new ArrayList<>();
        for (final List<Point> family : families()) {
            for (int round = 1; round <= effort.rounds(); round++) {
                for (final Point point : family) {
                    for (final PeerKind peer : peers) {
                        if (point.measure().suits(peer)) {
                            turns.add(new Turn(peer, point, round));
                        }
                    }
                }
            }
        }
        return turns;
    }

    /** Points that are compared with each other, in the order of the first of each. */
    private Collection<List<Point>> families() {
        return points().stream().collect(Collectors.groupingBy(
            point -> new Point(point.measure().family(), point.messageLength(), point.ratePerSecond()),
            LinkedHashMap::new, Collectors.toList())).values();
    }

    /**
     * The number of runs when none is repeated.
     *
     * @return their number.
     */
    public int runCount() {
        return turns().size();
    }

    /**
     * Whether everything is measured between threads of one process.
     *
     * @return false when anything is measured between processes.
     */
    public boolean isBetweenThreads() {
        return measures.stream().allMatch(Measure::isBetweenThreads);
    }
}

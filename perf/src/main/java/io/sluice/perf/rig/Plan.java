package io.sluice.perf.rig;

import io.sluice.perf.peer.PeerKind;
import java.util.ArrayList;
import java.util.List;

/**
 * What to measure, and how long.
 *
 * @param peers          the subject first, then those it is compared with.
 * @param measures       in the order to run.
 * @param messageLengths in bytes.
 * @param rates          messages per second of the measures that are paced, which take the first length only.
 * @param rounds         of all peers, interleaved.
 * @param warmUpNs       of each process.
 * @param roundTrips     per measurement.
 * @param durationNs     per measurement of throughput.
 * @param quietLimitNs   how long a run waits for a moment in which nothing else runs.
 * @param firstCpu       of the host process's measured thread.
 * @param secondCpu      of the other's.
 * @param address        of this host, for peers that need one.
 */
public record Plan(
    List<PeerKind> peers,
    List<Measure> measures,
    List<Integer> messageLengths,
    List<Integer> rates,
    int rounds,
    long warmUpNs,
    int roundTrips,
    long durationNs,
    long quietLimitNs,
    int firstCpu,
    int secondCpu,
    String address) {

    /**
     * What to measure of every system.
     *
     * @return the points in the order to run.
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
     * How many runs there are when none is repeated.
     *
     * @return their number.
     */
    public int runCount() {
        return rounds * points().stream()
            .mapToInt(point -> (int) peers.stream().filter(point.measure()::suits).count()).sum();
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

package io.sluice.perf.report;

import io.sluice.perf.peer.PeerKind;
import io.sluice.perf.rig.Comparison;
import io.sluice.perf.rig.Measure;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Run;
import io.sluice.perf.rig.Sample;
import java.util.List;
import java.util.Locale;

/**
 * What Sluice must reach beside another system, on the same machine at the same time.
 */
enum Bar {
    /** Round trips of short messages. */
    ROUND_TRIP(PeerKind.SLUICE_IPC, PeerKind.AERON_IPC, Measure.ROUND_TRIP, Metric.RTT_P50, 32, 1.5, true),
    /** Short messages per second. */
    THROUGHPUT(PeerKind.SLUICE_IPC, PeerKind.AERON_IPC, Measure.THROUGHPUT, Metric.MESSAGE_RATE, 32, 0.5, false),
    /** From the offer over the ring to a handler on another thread. */
    HAND_OFF(PeerKind.SLUICE_RING, PeerKind.DISRUPTOR, Measure.HAND_OFF, Metric.ONE_WAY, 32, 2, true);

    private final PeerKind subject;
    private final PeerKind reference;
    private final Measure measure;
    private final Metric metric;
    private final int messageLength;
    private final double bound;
    private final boolean atMost;

    Bar(
        final PeerKind subject,
        final PeerKind reference,
        final Measure measure,
        final Metric metric,
        final int messageLength,
        final double bound,
        final boolean atMost) {
        this.subject = subject;
        this.reference = reference;
        this.measure = measure;
        this.metric = metric;
        this.messageLength = messageLength;
        this.bound = bound;
        this.atMost = atMost;
    }

    /** Whether a plan has what is compared. */
    boolean isPartOf(final Plan plan) {
        return plan.peers().containsAll(List.of(subject, reference)) && plan.measures().contains(measure)
            && plan.messageLengths().contains(messageLength);
    }

    /** One line: the bar, the median ratio of neighbouring runs over all states, and the verdict. */
    String judge(final List<Run> runs) {
        final Comparison comparison = Comparison.of(runs, subject, reference, measure, messageLength);
        final Sample ratios = comparison.ratios(metric);
        final String verdict = ratios.isEmpty() ? "NOT JUDGED: no two neighbouring runs in one state"
            : Report.number(ratios.median()) + " over " + ratios.count() + " of " + comparison.pairCount() + " pairs: "
                + ((atMost ? ratios.median() <= bound : ratios.median() >= bound) ? "met" : "MISSED");
        return String.format(Locale.ROOT, "bar: %s %s %d B %s %s × %s: %s", subject.label(), metric.label(),
            messageLength, atMost ? "<=" : ">=", bound, reference.label(), verdict);
    }
}

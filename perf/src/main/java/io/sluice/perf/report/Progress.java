package io.sluice.perf.report;

import io.sluice.perf.rig.CoreRoundTrip;
import io.sluice.perf.rig.Metric;
import io.sluice.perf.rig.Plan;
import io.sluice.perf.rig.Run;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Tells while a plan is run what each run gave and how long the rest will take. One thread.
 */
public final class Progress {
    private static final int PERCENT = 100;

    private final Plan plan;
    private final PrintStream out;
    private final int runCount;
    private final long startNs = System.nanoTime();
    private final Set<List<Object>> ended = new HashSet<>();

    /**
     * Follow a plan whose first run is about to begin.
     *
     * @param plan that is run.
     * @param out  to print to.
     */
    public Progress(final Plan plan, final PrintStream out) {
        this.plan = plan;
        this.out = out;
        runCount = plan.runCount();
    }

    /**
     * Prints one line on a run that has ended.
     *
     * @param run that ended.
     */
    public void onRun(final Run run) {
        // a repeated one is one of those that were planned
        ended.add(List.of(run.peer(), run.point(), run.round()));
        out.printf(Locale.ROOT, "%-22s %-10s %-15s round %d/%d  %-16s  cores %s, %s  others %2.0f %%  %s%n",
            state(), run.point().measure().label(), run.point().size(), run.round(), plan.effort().rounds(),
            run.peer().label(),
            cores(run.machine().before()), cores(run.machine().after()), PERCENT * run.machine().othersUse(),
            figures(run));
    }

    private String state() {
        final long leftNs = (System.nanoTime() - startNs) / ended.size() * (runCount - ended.size());
        return "[" + ended.size() + "/" + runCount + ", " + TimeUnit.NANOSECONDS.toMinutes(leftNs) + ":"
            + String.format(Locale.ROOT, "%02d", TimeUnit.NANOSECONDS.toSeconds(leftNs) % 60) + " left]";
    }

    /** Cores before and after, what others used, and the figures. */
    static Stream<String> facts(final Run run) {
        return Stream.of(cores(run.machine().before()), cores(run.machine().after()),
            String.format(Locale.ROOT, "%.0f %%", PERCENT * run.machine().othersUse()), figures(run));
    }

    private static String cores(final CoreRoundTrip cores) {
        return cores.isKnown() ? String.format(Locale.ROOT, "%.0f ns", cores.medianNs()) : "?";
    }

    private static String figures(final Run run) {
        if (run.hasFailed()) {
            return "FAILED: " + run.failure().reason();
        }
        final StringBuilder figures = new StringBuilder();
        for (final Metric metric : run.point().measure().metrics()) {
            figures.append(metric.label()).append(' ').append(Report.number(run.values().get(metric)))
                .append(' ').append(metric.unit()).append("  ");
        }
        figures.append("preempted ").append(run.machine().preemptions()).append(" ×");
        if (!run.counts()) {
            figures.append(run.isDisturbed() ? "  not counted: disturbed" : "  not counted: the cores moved");
        }
        return figures.toString();
    }
}

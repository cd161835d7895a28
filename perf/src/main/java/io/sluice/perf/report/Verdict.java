package io.sluice.perf.report;

import io.sluice.perf.rig.Sample;

/** Whether a sample's median keeps within a bound: said of samples that do not come from the rig's own runs. */
final class Verdict {
    private Verdict() {
    }

    /** {@return met, MISSED or NOT JUDGED, when there are too few values for a median to mean anything} */
    static String of(final Sample sample, final double bound, final boolean atMost) {
        if (sample.count() < Bar.MIN_RUNS) {
            return "NOT JUDGED: " + Bar.MIN_RUNS + " are needed";
        }
        return (atMost ? sample.median() <= bound : sample.median() >= bound) ? "met" : "MISSED";
    }
}

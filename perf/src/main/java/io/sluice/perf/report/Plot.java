package io.sluice.perf.report;

import java.util.List;

/**
 * Curves over one axis, both axes logarithmic. It reaches the page as JSON, by the names of its fields.
 *
 * @param title   above it.
 * @param caption below it.
 * @param scale   what the horizontal axis shows; the page knows how to label each.
 * @param yLabel  of the vertical axis, with its unit.
 * @param x       places on the horizontal axis, ascending, all positive.
 * @param curves  each with a value for every place.
 */
record Plot(String title, String caption, Scale scale, String yLabel, List<Double> x, List<Curve> curves) {
    /** The quantity on a horizontal axis. */
    enum Scale {
        /** 1 / (1 - share): 10 is the 90th percentile, 100 the 99th. */
        PERCENTILE,
        /** Bytes of a message. */
        LENGTH,
        /** Messages per second. */
        RATE
    }

    /**
     * A curve.
     *
     * @param label    in the legend.
     * @param isDashed whether it is drawn so.
     * @param y        positive, or null where there is no value.
     */
    record Curve(String label, boolean isDashed, List<Double> y) {
    }
}

/**
 * The parts that run in a measuring process: the two ends of a round trip, and the two ends of a one-way stream.
 */
package io.sluice.perf.side;

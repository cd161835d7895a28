/**
 * JMH benchmarks: one class per question, each on one thread.
 */
package io.sluice.perf.jmh;

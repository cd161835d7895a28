/** Metrics of the transports of a host, made of the files that each transport shows its counters in. */
package io.sluice.metrics;

/**
 * Metrics of the transports of a host, made of the files that each transport shows its counters in. The entry is
 * {@link io.sluice.metrics.HostCollector}, which runs on the thread that scrapes. From the transport the package may
 * import {@code status} only; no transport knows of it.
 */
package io.sluice.metrics;

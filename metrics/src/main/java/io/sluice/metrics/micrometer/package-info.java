/**
 * Metrics of the transports of a host as meters of a Micrometer registry. The entry is
 * {@link io.sluice.metrics.micrometer.SluiceMetrics}, which reads what a {@link io.sluice.metrics.HostCollector} shows.
 * The package alone needs Micrometer.
 */
package io.sluice.metrics.micrometer;

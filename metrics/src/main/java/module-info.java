/**
 * The counters of all transports of a host: for Prometheus a collector for a program's own registry, and a server; for
 * Micrometer a binder, whose package needs Micrometer where it is used.
 */
module io.sluice.metrics {
    requires transitive io.sluice.transport;
    requires transitive io.prometheus.metrics.model;
    requires io.prometheus.metrics.config;
    requires io.prometheus.metrics.exporter.httpserver;
    requires transitive jdk.httpserver;
    requires static transitive micrometer.core;

    exports io.sluice.metrics;
    exports io.sluice.metrics.micrometer;
}

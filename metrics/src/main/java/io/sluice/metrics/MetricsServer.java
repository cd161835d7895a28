package io.sluice.metrics;

import com.sun.net.httpserver.HttpHandler;
import io.prometheus.metrics.config.PrometheusProperties;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.util.Objects;

/**
 * An HTTP server of the Prometheus client that gives a collector's metrics at {@code /metrics}, in the text format that
 * the scraper asks for, and says at {@code /-/healthy} that it runs. Any thread; whoever starts it closes it. It reads
 * no settings of the Prometheus client from properties or files.
 */
public final class MetricsServer implements AutoCloseable {
    /** The path of the metrics. */
    public static final String PATH = "/metrics";

    private static final int MAX_PORT = 65_535;

    private final HTTPServer server;

    private MetricsServer(final HTTPServer server) {
        this.server = server;
    }

    /**
     * Start a server. It has at most ten threads for scrapes and two timers, which keep no JVM alive, and one more that
     * does. Clients that send half a request hold one of the ten each, for a minute at most: listen where strangers do
     * not come.
     *
     * @param address   to listen at; with that of the loopback no other host can scrape, and requests
     *                  that name another host are refused with 403.
     * @param port      to listen at, 0 to 65535; 0 for any that is free.
     * @param collector of the metrics.
     * @return the server, owned by the caller.
     * @throws IllegalArgumentException when the port is out of range; the message has the bound.
     * @throws IOException when it cannot listen there, for example because something else does; the message names
     *                     address and port.
     */
    public static MetricsServer start(final InetAddress address, final int port, final HostCollector collector)
        throws IOException {
        return start(address, port, collector, exchange -> {
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_NOT_FOUND, -1);
            exchange.close();
        });
    }

    /**
     * Start a server that has more to show than metrics.
     *
     * @param address   to listen at; with that of the loopback no other host can scrape, and requests
     *                  that name another host are refused with 403.
     * @param port      to listen at, 0 to 65535; 0 for any that is free.
     * @param collector of the metrics.
     * @param others    answers every request for another path, on the server's threads, several at a time; its owner
     *                  closes what it needs after the server.
     * @return the server, owned by the caller.
     * @throws IllegalArgumentException when the port is out of range; the message has the bound.
     * @throws IOException when it cannot listen there; the message names address and port.
     */
    public static MetricsServer start(
        final InetAddress address, final int port, final HostCollector collector, final HttpHandler others)
        throws IOException {
        Objects.requireNonNull(others, "others");
        Objects.requireNonNull(address, "address");
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port=" + port + " must be from 0 to " + MAX_PORT);
        }
        final PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(collector);
        try {
            final HTTPServer.Builder builder = HTTPServer.builder(PrometheusProperties.builder().build())
                .inetAddress(address)
                .port(port)
                .registry(registry)
                .metricsHandlerPath(PATH)
                .defaultHandler(others);
            if (address.isLoopbackAddress()) {
                builder.authenticator(new LoopbackNames());
            }
            return new MetricsServer(builder.buildAndStart());
        } catch (final IOException ex) {
            throw new IOException("cannot listen: address=" + address.getHostAddress() + " port=" + port + ": "
                + ex.getMessage(), ex);
        }
    }

    /**
     * The port that it listens at.
     *
     * @return the port, also where any was asked for.
     */
    public int port() {
        return server.getPort();
    }

    /** Stops listening, and waits for no scrape. A second call does nothing. */
    @Override
    public void close() {
        server.close();
    }

    @Override
    public String toString() {
        return "MetricsServer{port=" + port() + "}";
    }
}

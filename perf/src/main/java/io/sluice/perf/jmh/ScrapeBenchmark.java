package io.sluice.perf.jmh;

import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.sluice.environment.SystemEnvironment;
import io.sluice.metrics.HostCollector;
import io.sluice.metrics.MetricsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures a scrape of a host whose transports have some ten thousand counters: 21 for each link, of the publication
 * and of both ends. The transports' conductors go on meanwhile. The bar is a median of 20 ms.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 10, time = 2)
@Measurement(iterations = 5, time = 2)
public class ScrapeBenchmark {
    /** Publications that the subscription is linked with. */
    @Param("480")
    public int links;

    private LinkedTransports transports;
    private final OpenMetricsTextFormatWriter writer = OpenMetricsTextFormatWriter.create();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private HostCollector collector;
    private MetricsServer server;
    private HttpClient client;
    private HttpRequest request;

    /** A state for JMH. */
    public ScrapeBenchmark() {
    }

    /**
     * Opens transports, server and client.
     *
     * @throws IOException when the server cannot listen.
     */
    @Setup
    public void open() throws IOException {
        transports = new LinkedTransports();
        transports.connect(links);
        collector = new HostCollector(SystemEnvironment.instance(), transports.folder(), line -> {
            throw new IllegalStateException(line);
        });
        server = MetricsServer.start(InetAddress.getLoopbackAddress(), 0, collector);
        client = HttpClient.newHttpClient();
        request = HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.port() + MetricsServer.PATH))
            .header("Accept", "application/openmetrics-text; version=1.0.0").build();
    }

    /** Closes all of it. */
    @TearDown
    public void close() {
        client.close();
        server.close();
        transports.close();
    }

    /**
     * Reads the files, makes the series and writes them as text: the exporter's own part of a scrape.
     *
     * @return the length of the text in bytes.
     * @throws IOException when the text cannot be written.
     */
    @Benchmark
    public int read() throws IOException {
        text.reset();
        writer.write(text, collector.collect());
        return text.size();
    }

    /**
     * Scrapes as Prometheus does, but for its compression.
     *
     * @return the length of the text in bytes.
     * @throws Exception when the scrape fails.
     */
    @Benchmark
    public int scrape() throws Exception {
        final HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IllegalStateException("status=" + response.statusCode());
        }
        return response.body().length;
    }
}

package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.counters.StatusFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server as a scraper meets it. */
class MetricsServerTest {
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir
    private Path directory;

    private final List<String> problems = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private HostCollector collector;
    private StatusFiles files;
    private MetricsServer server;

    @BeforeEach
    void start() throws IOException {
        files = StatusFiles.create(SystemEnvironment.instance(), directory, "scraped", errors::add);
        collector = new HostCollector(SystemEnvironment.instance(), directory, problems::add);
        server = MetricsServer.start(LOOPBACK, 0, collector);
    }

    @AfterEach
    void close() {
        server.close();
        client.close();
        files.close();
    }

    private HttpResponse<String> get(final String path, final String accept) throws Exception {
        return client.send(HttpRequest.newBuilder(
            URI.create("http://" + LOOPBACK.getHostAddress() + ":" + server.port() + path))
            .header("Accept", accept).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldServeOpenMetricsToWhoAsksForIt() throws Exception {
        final HttpResponse<String> response = get(MetricsServer.PATH, OPEN_METRICS);
        assertEquals(200, response.statusCode());
        assertTrue(response.headers().firstValue("Content-Type").orElse("").startsWith("application/openmetrics-text"),
            () -> response.headers().toString());
        assertEquals(1, OpenMetricsText.parse(response.body()).value("sluice_transport_up"));
    }

    /** The client's server fails at the binary format, which Prometheus may ask for, unless its writer is there. */
    @Test
    void shouldServeOtherFormatsToWhoAsksForThem() throws Exception {
        for (final String accept : List.of("*/*", "text/plain")) {
            final HttpResponse<String> response = get(MetricsServer.PATH, accept);
            assertEquals(200, response.statusCode(), accept);
            assertTrue(response.body().contains("\nsluice_transport_up{client=\"scraped\""), response.body());
        }
        final HttpResponse<String> binary = get(MetricsServer.PATH,
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited");
        assertEquals(200, binary.statusCode());
        assertTrue(binary.body().contains("sluice_transport_up"), binary.body());
    }

    /** The client's server would listen at all addresses where none is given. */
    @Test
    void shouldRefuseToListenAtNoAddressAndAtNoPort() {
        assertThrows(NullPointerException.class, () -> MetricsServer.start(null, 0, collector));
        for (final int port : List.of(-1, 65_536)) {
            assertEquals("port=" + port + " must be from 0 to 65535", assertThrows(
                IllegalArgumentException.class, () -> MetricsServer.start(LOOPBACK, port, collector)).getMessage());
        }
    }

    @Test
    void shouldHaveNothingElsewhere() throws Exception {
        assertEquals(404, get("/", "*/*").statusCode());
        assertEquals(404, get("/status/../../etc/passwd", "*/*").statusCode());
        assertEquals(200, get("/-/healthy", "*/*").statusCode());
    }

    @Test
    void shouldServeOneMetricWhereOneIsAskedFor() throws Exception {
        final OpenMetricsText text = OpenMetricsText.parse(
            get(MetricsServer.PATH + "?name[]=sluice_transport_up".replace("[]", "%5B%5D"), OPEN_METRICS).body());
        assertEquals(1, text.count());
    }

    @Test
    void shouldSayThatItCannotListen() {
        final IOException refusal =
            assertThrows(IOException.class, () -> MetricsServer.start(LOOPBACK, server.port(), collector));
        assertTrue(refusal.getMessage().startsWith(
            "cannot listen: address=127.0.0.1 port=" + server.port() + ": "), refusal.getMessage());
    }

    /** Another address of this host stands for another host: neither is listened at. */
    @Test
    void shouldBeReachedAtItsAddressOnly() throws Exception {
        assertThrows(ConnectException.class, () -> client.send(HttpRequest.newBuilder(
            URI.create("http://127.0.0.2:" + server.port() + MetricsServer.PATH)).build(),
            HttpResponse.BodyHandlers.ofString()));
        assertEquals(200, get(MetricsServer.PATH, OPEN_METRICS).statusCode());
    }

    @Test
    void shouldServeNobodyOnceItIsClosed() {
        server.close();
        server.close();
        assertThrows(ConnectException.class, () -> get(MetricsServer.PATH, OPEN_METRICS));
    }

    /** The first line of an answer to a request that calls the host so, or by no name; a client would not let us. */
    private String askAs(final String host, final String path) throws IOException {
        try (Socket socket = new Socket(LOOPBACK, server.port())) {
            final String header = host == null ? "" : "Host: " + host + "\r\n";
            socket.getOutputStream().write(("GET " + path + " HTTP/1.0\r\n" + header + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
            return new BufferedReader(new InputStreamReader(
                socket.getInputStream(), StandardCharsets.ISO_8859_1)).readLine();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rebound.example:9464", "localhost.example", "127.0.0.1.example", "10.0.0.1:9464", "",
        "[::2]:9464", "localhost:9464:1"})
    void shouldRefuseWhoeverCallsTheLoopbackByAnotherName(final String host) throws IOException {
        for (final String path : List.of(MetricsServer.PATH, "/", "/-/healthy")) {
            assertTrue(askAs(host, path).contains(" 403 "), () -> host + " " + path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:9464", "127.0.0.1:9464", "127.1.2.3", "[::1]:9464"})
    void shouldAnswerWhoeverCallsTheLoopbackByItsName(final String host) throws IOException {
        assertTrue(askAs(host, MetricsServer.PATH).contains(" 200 "), host);
        assertTrue(askAs(null, MetricsServer.PATH).contains(" 200 "), "an old client");
    }
}

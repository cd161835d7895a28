package io.sluice.samples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The page at {@code /}, of who is slow and of the last ten minutes, and at {@code /history} the samples that it asks
 * for. A thread of its own takes them until the page is closed; requests come on the threads of the HTTP server.
 */
final class HostPage implements HttpHandler, AutoCloseable {
    /** The path of the samples; {@code ?since=} has the time of the last one that the page has. */
    static final String HISTORY_PATH = "/history";
    private static final String SINCE = "since=";
    private static final String TEMPLATE = "host.html";
    private static final String VERSIONS = "version.properties";
    private static final String UPLOT_FOLDER = "/META-INF/resources/webjars/uplot/%s/";
    /** The rest after a look that took long, of very many counters, in times of it: others need the processor. */
    private static final int REST = 4;
    /** The longest rest: a look may have been long because the machine was busy. */
    private static final long MAX_REST_MS = 1000;
    /** The page loads nothing from elsewhere, whatever the name of a channel or client says. */
    private static final String POLICY =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; "
            + "frame-ancestors 'none'; base-uri 'none'";

    private final HostHistory history = new HostHistory();
    private final long beganEpochMs = System.currentTimeMillis();
    private final long beganNs = System.nanoTime();
    private final Supplier<StatusSnapshot> look;
    private final Consumer<String> notices;
    private final byte[] page;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread = new Thread(this::takeSamples, "sluice-history");

    /**
     * Begin to take samples.
     *
     * @param look    at all transports of a host; its failure is told, and it is called again.
     * @param notices of looks that failed, each text once in a row.
     * @throws UncheckedIOException when the class path lacks a part of the page.
     */
    HostPage(final Supplier<StatusSnapshot> look, final Consumer<String> notices) {
        this.look = look;
        this.notices = notices;
        try {
            page = page().getBytes(StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        thread.setDaemon(true);
        thread.start();
    }

    private void takeSamples() {
        String failure = "";
        try {
            long restMs;
            do {
                final long beginNs = System.nanoTime();
                try {
                    final StatusSnapshot snapshot = look.get();
                    history.add(timeMs(), snapshot, StreamRow.of(snapshot, new CounterFilter()));
                    failure = "";
                } catch (final RuntimeException | Error e) {
                    final String text = e.toString();
                    if (!text.equals(failure)) {
                        failure = text;
                        notices.accept(text);
                    }
                }
                final long lookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
                restMs = Math.max(HostHistory.INTERVAL_MS - lookMs, Math.min(MAX_REST_MS, REST * lookMs));
            } while (!stop.await(restMs, TimeUnit.MILLISECONDS));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The time of a clock that begins with the wall clock and does not go back. */
    private long timeMs() {
        return beganEpochMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
    }

    @Override
    public void handle(final HttpExchange exchange) throws IOException {
        try (exchange) {
            final String path = exchange.getRequestURI().getPath();
            final boolean isKnown = "/".equals(path) || HISTORY_PATH.equals(path);
            if (!isKnown || !List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
                exchange.sendResponseHeaders(
                    isKnown ? HttpURLConnection.HTTP_BAD_METHOD : HttpURLConnection.HTTP_NOT_FOUND, -1);
                return;
            }
            final boolean isPage = "/".equals(path);
            final byte[] body = isPage ? page
                : history.json(timeMs(), since(exchange.getRequestURI().getQuery())).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set(
                "Content-Type", isPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8");
            exchange.getResponseHeaders().set("Content-Security-Policy", POLICY);
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            if ("HEAD".equals(exchange.getRequestMethod())) {
                exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, -1);
                return;
            }
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    /** The time that is asked for; all where there is none that can be read. */
    private static long since(final String query) {
        if (query == null || !query.matches(SINCE + "\\d{1,18}")) {
            return 0;
        }
        return Long.parseLong(query.substring(SINCE.length()));
    }

    private static String page() throws IOException {
        final Properties versions = new Properties();
        try (InputStream properties = open(VERSIONS)) {
            versions.load(properties);
        }
        final String folder = String.format(Locale.ROOT, UPLOT_FOLDER, versions.getProperty("uplot"));
        return text(TEMPLATE)
            .replace("{{uplot.style}}", text(folder + "dist/uPlot.min.css"))
            .replace("{{uplot.licence}}", text(folder + "LICENSE"))
            .replace("{{uplot.script}}", text(folder + "dist/uPlot.iife.min.js"));
    }

    private static String text(final String resource) throws IOException {
        try (InputStream bytes = open(resource)) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream open(final String resource) throws FileNotFoundException {
        final InputStream bytes = HostPage.class.getResourceAsStream(resource);
        if (bytes == null) {
            throw new FileNotFoundException("the class path lacks " + resource);
        }
        return bytes;
    }

    /** Ends the thread and waits for it. Idempotent. */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.transport.Context;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Transport;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of {@code sluice metrics}: what its server answers, and what a browser shows of a slow consumer. */
@Timeout(180)
class HostPageTest {
    private static final String PAGE = "page at ";
    private static final String CHANNEL = "sluice:ipc?endpoint=page|linger=0ns";
    private static final int STREAM_ID = 7;
    private static final String HOSTILE_NAME = "<img src=x onerror=\"document.title='taken'\">'\\";

    @TempDir
    private Path folder;
    private SluiceProcess metrics;
    private String root;

    @BeforeEach
    void startMetrics() throws Exception {
        try (Transport transport = Transport.launch(new Context().directory(folder.resolve("fabric")))) {
            // makes the folder
            assertTrue(transport.toString().length() > 0);
        }
        metrics = SluiceProcess.command(folder, "metrics", "--port", "0");
        metrics.awaitLine(PAGE);
        root = metrics.output().lines().toList().getLast().substring(PAGE.length());
    }

    @AfterEach
    void endMetrics() {
        metrics.close();
    }

    private HttpResponse<String> ask(final String method, final String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(root + path))
                .method(method, HttpRequest.BodyPublishers.noBody()).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @ParameterizedTest
    @CsvSource({"GET,'',200", "HEAD,'',200", "POST,'',405", "GET,history,200", "HEAD,history,200",
        "DELETE,history,405", "GET,history?since=x,200", "GET,history?since=99999999999999999999,200",
        "GET,history/..,404", "GET,favicon.ico,404", "GET,metrics,200"})
    void shouldAnswerWhatItHas(final String method, final String path, final int expected) throws Exception {
        final HttpResponse<String> response = ask(method, path);

        assertEquals(expected, response.statusCode());
        assertEquals(expected == 200 && method.equals("GET"), !response.body().isEmpty());
    }

    @Test
    void shouldGiveSamplesBehindATimeOnly() throws Exception {
        String all;
        do {
            all = ask("GET", "history").body();
        } while (!all.matches(".*\"times\":\\[\\d+,\\d+.*"));
        final String last = all.replaceFirst(".*\"times\":\\[[\\d,]*?(\\d+)].*", "$1");

        final String later = ask("GET", "history?since=" + last).body();

        assertTrue(Long.parseLong(last) > 0, last);
        assertTrue(!later.contains(last + ",") || later.contains("\"epochMs\":" + last + ","), later);
        assertTrue(!later.replaceFirst(".*\"times\":", "").contains(last), later);
    }

    @Test
    @Tag("slow")
    void shouldShowASlowConsumerByNameAndItsRecovery() throws Exception {
        assumeTrue(Browser.isInstalled(), "there is no /usr/bin/chromium");
        final CountDownLatch begin = new CountDownLatch(1);
        final Semaphore permits = new Semaphore(1);
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(
            MessageEventHandler.named("quick", (event, sequence, endOfBatch) -> begin.countDown()),
            MessageEventHandler.named("settlement", (event, sequence, endOfBatch) -> {
                permits.acquire();
                permits.release();
            }));
        try (Transport transport = Transport.launch(
                new Context().directory(folder.resolve("fabric")).clientName(HOSTILE_NAME));
            SluiceProcess publisher = SluiceProcess.command(folder, "publish", "--channel", CHANNEL + "|window=4k",
                "--stream", "" + STREAM_ID, "--rate", "200");
            Browser browser = Browser.open(folder, root)) {
            transport.addSubscription(CHANNEL + "|ring=8", STREAM_ID, graph);
            transport.addPublication("sluice:ipc?endpoint=hostile", 1);
            publisher.awaitLine("Publishing");
            begin.await();
            awaitText(browser, "document.getElementById('pressure').textContent", "Nothing is held up.");

            permits.acquire();
            awaitText(browser, "document.getElementById('pressure').textContent", "its consumer settlement ");
            awaitText(browser, "(document.querySelector('.slowest') || document.body).textContent", "settlement");

            permits.release();
            awaitText(browser, "document.getElementById('pressure').textContent", "Nothing is held up.");

            awaitText(browser, "document.getElementById('subscribers').textContent", HOSTILE_NAME);
            assertEquals("0", browser.text("document.querySelectorAll('img').length"));
            assertEquals("Sluice", browser.text("document.title"));
            assertEquals("3", browser.text("document.querySelectorAll('canvas').length"));
            for (final int width : new int[]{1280, 390}) {
                browser.setWidth(width);
                awaitText(browser, "document.documentElement.scrollWidth <= " + width, "true");
            }
        }
    }

    private static void awaitText(final Browser browser, final String expression, final String part)
        throws InterruptedException {
        String text;
        do {
            text = browser.text(expression);
        } while (!text.contains(part));
    }
}

package io.sluice.samples;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page in a headless Chromium, asked by the DevTools protocol. One thread; closing it ends the browser.
 */
final class Browser implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/bin/chromium");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://127\\.0\\.0\\.1:(\\d+)/.*");
    private static final Pattern SOCKET = Pattern.compile("\"webSocketDebuggerUrl\": \"(ws:[^\"]+)\"");
    private static final Pattern VALUE = Pattern.compile("\"type\":\"string\",\"value\":\"([^\"]*)\"");

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final WebSocket socket;
    private int lastId;

    private Browser(final Process process, final String port, final String url)
        throws IOException, InterruptedException {
        this.process = process;
        final String target = client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?" + url))
                .PUT(HttpRequest.BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.ofString()).body();
        socket = client.newWebSocketBuilder().buildAsync(URI.create(first(SOCKET, target)), new Answers()).join();
    }

    static boolean isInstalled() {
        return Files.isExecutable(PROGRAM);
    }

    /** Opens a page; the folder gets the browser's own files. */
    static Browser open(final Path folder, final String url) throws IOException, InterruptedException {
        // no sandbox: tests run as root in containers, and look at pages of our own only
        final Process process = new ProcessBuilder(PROGRAM.toString(), "--headless", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-port=0",
            "--user-data-dir=" + folder.resolve("browser"), "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        final StringBuilder told = new StringBuilder();
        final BufferedReader lines = process.errorReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            final Matcher listening = LISTENING.matcher(line);
            if (listening.matches()) {
                Thread.ofPlatform().daemon().start(() -> lines.lines().forEach(told::append));
                return new Browser(process, listening.group(1), url);
            }
            told.append(line).append('\n');
        }
        throw new IOException("the browser did not start: " + told);
    }

    private static String first(final Pattern pattern, final String text) {
        final Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new AssertionError(pattern + " is not in " + text);
        }
        return matcher.group(1);
    }

    /** Asks for the text of an expression in JavaScript, which must not have a double quote. */
    String text(final String expression) throws InterruptedException {
        final String answer = call("Runtime.evaluate",
            "\"expression\":\"encodeURIComponent(String(" + expression + "))\",\"returnByValue\":true");
        return URLDecoder.decode(first(VALUE, answer).replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Makes the window as wide, in pixels. */
    void setWidth(final int width) throws InterruptedException {
        call("Emulation.setDeviceMetricsOverride",
            "\"width\":" + width + ",\"height\":900,\"deviceScaleFactor\":1,\"mobile\":" + (width < 600));
    }

    private String call(final String method, final String parameters) throws InterruptedException {
        lastId++;
        socket.sendText("{\"id\":" + lastId + ",\"method\":\"" + method + "\",\"params\":{" + parameters + "}}", true)
            .join();
        String answer;
        do {
            answer = answers.take();
        } while (!answer.startsWith("{\"id\":" + lastId + ","));
        return answer;
    }

    @Override
    public void close() {
        socket.abort();
        client.close();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    /** Puts messages together, which come in parts. */
    private final class Answers implements WebSocket.Listener {
        private final StringBuilder answer = new StringBuilder();

        @Override
        public CompletionStage<?> onText(final WebSocket from, final CharSequence data, final boolean isLast) {
            answer.append(data);
            if (isLast) {
                answers.add(answer.toString());
                answer.setLength(0);
            }
            from.request(1);
            return null;
        }
    }
}

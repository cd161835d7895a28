package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.Transport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command that serves metrics: bad arguments, a port that is taken, and a scrape of another process. */
@Timeout(120)
class MetricsCommandTest {
    private static final String SERVING = "metrics of ";

    @TempDir
    private Path folder;
    private String err = "";

    private int execute(final String... arguments) {
        final StringWriter errText = new StringWriter();
        final CommandLine command = SluiceCommand.commandLine();
        command.setErr(new PrintWriter(errText));
        final int exitCode = command.execute(arguments);
        err = errText.toString();
        return exitCode;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "metrics --dir /no/folder  | Invalid value for option '--dir': '/no/folder' is not a folder",
        "metrics --port 65536      | '--port': '65536' is not from 0 to 65535",
        "metrics --port x          | '--port': 'x'",
        "metrics --address ::g | '--address'",
        "metrics --json            | Unknown option: '--json'"})
    void shouldTellAMistakeInOneLine(final String arguments, final String expected) {
        assertEquals(2, execute(arguments.trim().split(" ")));
        assertEquals(1, err.lines().count(), err);
        assertTrue(err.contains(expected), err);
    }

    @Test
    void shouldTellInOneLineThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertEquals(1, execute(
                "metrics", "--dir", folder.toString(), "--port", Integer.toString(taken.getLocalPort())));
            assertEquals(1, err.lines().count(), err);
            assertTrue(err.startsWith(
                "sluice metrics: cannot listen: address=127.0.0.1 port=" + taken.getLocalPort() + ": "), err);
        }
    }

    @Test
    void shouldServeTheTransportsOfOtherProcessesUntilItIsInterrupted() throws Exception {
        final Path fabric = folder.resolve("fabric");
        try (Transport transport = Transport.launch(new Context().directory(fabric).clientName("looked at"));
            SluiceProcess metrics = SluiceProcess.command(folder, "metrics", "--port", "0");
            HttpClient client = HttpClient.newHttpClient()) {
            metrics.awaitLine(SERVING);
            final String line = metrics.output().lines().toList().getLast();
            assertTrue(line.startsWith(SERVING + fabric + " at http://127.0.0.1:"), line);
            final HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create(line.substring(line.indexOf("http:")))).build(),
                HttpResponse.BodyHandlers.ofString());
            assertEquals(200, response.statusCode());
            final String pid = "pid=\"" + ProcessHandle.current().pid() + "\"";
            assertTrue(response.body().lines().anyMatch(each -> each.endsWith(" 1.0") && each.contains(pid)
                && each.startsWith("sluice_transport_up{client=\"looked at\"")), response.body());
            metrics.interrupt();
            assertEquals(130, metrics.exitCode());
            assertEquals(List.of(), metrics.errorLines(), transport::toString);
        }
    }
}

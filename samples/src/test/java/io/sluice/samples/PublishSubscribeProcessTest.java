package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The publish and subscribe commands as a user runs them, in JVMs of their own.
 */
class PublishSubscribeProcessTest {
    private static final int INTERRUPTED = 130;

    @TempDir
    private Path folder;
    private SluiceProcess publish;
    private SluiceProcess subscribe;

    @AfterEach
    void endProcesses() {
        for (SluiceProcess process : new SluiceProcess[]{publish, subscribe}) {
            if (process != null) {
                process.close();
            }
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"sluice:ipc?endpoint=samples", "sluice:ipc?endpoint=samples|mode=dedicated"})
    void shouldReceiveAllThatSeveralPublishersSend(final String channel) throws Exception {
        // a publication that has ended before a subscriber came tells it nothing: the subscribers come first
        subscribe = SluiceProcess.command(
            folder, "subscribe", "--subscribers", "2", "--messages", "4000", "--channel", channel);
        subscribe.awaitLine("Subscribing to ");
        publish = SluiceProcess.command(
            folder, "publish", "--publishers", "2", "--rate", "1000", "--messages", "4000", "--channel", channel);
        subscribe.awaitLine("publisher connected: pid ");
        assertEquals(0, subscribe.exitCode(), this::said);
        assertTrue(subscribe.output().contains("messages/s"), this::said);
        assertTrue(subscribe.output().contains(" 0 gaps\n"), this::said);
        assertEquals(List.of(), subscribe.errorLines());
        publish.interrupt();
        publish.exitCode();
        assertTrue(publish.output().contains(" of 2 connected\n"), this::said);
        assertTrue(publish.output().contains("\nSent "), this::said);
        assertEquals(List.of(), publish.errorLines());
    }

    @Test
    void shouldReceiveNoMoreMessagesThanItIsAskedFor() throws Exception {
        final String channel = "sluice:ipc?endpoint=samples";
        subscribe = SluiceProcess.command(folder, "subscribe", "--messages", "150", "--channel", channel);
        subscribe.awaitLine("Subscribing to ");
        publish = SluiceProcess.command(folder, "publish", "--channel", channel);
        assertEquals(0, subscribe.exitCode(), this::said);
        assertTrue(subscribe.output().contains("\nReceived 150 messages"), this::said);
    }

    @Test
    void shouldNotSayThatAllWasReceivedWhereTheSubscriberLeftFirst() throws Exception {
        startBoth();
        publish.awaitLineEnding(" 1 of 1 connected");
        subscribe.interrupt();
        assertEquals(INTERRUPTED, subscribe.exitCode(), this::said);
        publish.awaitLineEnding(" 0 of 1 connected");
        publish.interrupt();
        assertEquals(INTERRUPTED, publish.exitCode(), this::said);
        assertTrue(
            publish.output().endsWith("no subscriber was left at the end, and those before may lack the latest\n"),
            this::said);
    }

    @Test
    void shouldEndOnInterruptAndSayThatAllWasReceived() throws Exception {
        startBoth();
        subscribe.awaitLine(" ");
        publish.interrupt();
        assertEquals(INTERRUPTED, publish.exitCode(), this::said);
        assertTrue(publish.output().endsWith("every subscriber that stayed has received them\n"), this::said);
        subscribe.awaitLine("publisher finished: pid ");
        subscribe.interrupt();
        assertEquals(INTERRUPTED, subscribe.exitCode(), this::said);
        assertTrue(subscribe.output().endsWith(" messages, 0 gaps\n"), this::said);
        assertEquals(List.of(), publish.errorLines());
        assertEquals(List.of(), subscribe.errorLines());
    }

    private void startBoth() throws Exception {
        publish = SluiceProcess.command(folder, "publish");
        publish.awaitLine("Publishing on ");
        subscribe = SluiceProcess.command(folder, "subscribe");
        subscribe.awaitLine("publisher connected: pid ");
    }

    private String said() {
        try {
            return publish == null ? "" : publish.output() + String.join("\n", publish.errorLines())
                + subscribe.output() + String.join("\n", subscribe.errorLines());
        } catch (final IOException e) {
            return e.toString();
        }
    }
}

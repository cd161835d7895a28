package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.kit.Await;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shared folder is removed while processes use it, as by logind, a cleaner or a pod that was restarted. */
class RemovedFilesEndToEndTest {
    private static final int ENOUGH = 1_000;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    @BeforeEach
    void assumeSharedMemory() {
        TestMedium.assumeIpc();
    }

    /** Remove the folder as {@code rm -rf} does it: what is made meanwhile may stay. */
    private void removeFolder() throws IOException {
        try (Stream<Path> all = Files.walk(fabric.directory())) {
            for (final Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                try {
                    Files.deleteIfExists(path);
                } catch (final DirectoryNotEmptyException ex) {
                    // somebody has looked already, and made something anew in it
                    assertTrue(Files.isDirectory(path), ex::toString);
                }
            }
        }
    }

    private static void awaitMore(final ChildJvm process, final String subscriber) {
        final long before = process.ask("state name=" + subscriber, "STATE").number("messages");
        process.awaitMessages(subscriber, before + ENOUGH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldGoOnAndMeetANewProcessWhenTheFolderIsRemoved(final String log) throws IOException {
        final String channel = " channel=" + fabric.channel("window=64k|log=" + log);
        final ChildJvm subscriber = fabric.start("subscriber");
        final ChildJvm publisher = fabric.start("publisher");
        subscriber.ask("subscribe name=s stream=1" + channel, "OK");
        publisher.ask("publish hold=true lengths=mix name=p id=1 stream=1" + channel, "OK");
        subscriber.await("AVAILABLE name=s");
        publisher.ask("go name=p", "OK");
        awaitMore(subscriber, "s");
        removeFolder();
        awaitMore(subscriber, "s");
        for (final ChildJvm process : List.of(subscriber, publisher)) {
            Await.until("it to be told", () -> process.errors().contains("somebody has removed shared memory"));
        }
        final ChildJvm newcomer = fabric.start("newcomer");
        newcomer.ask("subscribe name=n stream=1" + channel, "OK");
        subscriber.ask("subscribe name=s2 stream=2" + channel, "OK");
        newcomer.await("AVAILABLE name=n");
        newcomer.ask("publish hold=true name=q id=2 stream=2 count=" + ENOUGH + channel, "OK");
        subscriber.await("AVAILABLE name=s2 join=0");
        newcomer.ask("go name=q", "OK");
        newcomer.await("PUBLISHED name=q count=" + ENOUGH + " result=NONE");
        awaitMore(newcomer, "n");
        awaitMore(subscriber, "s");
        publisher.ask("halt name=p", "OK");
        publisher.ask("close name=p", "CLOSED drained=true");
        newcomer.ask("close name=q", "CLOSED drained=true");
        subscriber.await("UNAVAILABLE name=s index=0 end=true");
        newcomer.await("UNAVAILABLE name=n index=0 end=true");
        subscriber.await("UNAVAILABLE name=s2 index=0 end=true messages=" + ENOUGH);
        for (final ChildJvm process : List.of(subscriber, publisher, newcomer)) {
            assertEquals(0, process.counter("links-broken"), process::describe);
            process.exit();
        }
        assertTrue(Reports.assertReceivedAll(fabric, "p", "s") > 0);
        assertTrue(Reports.assertRuns(fabric, "p", "n") > 0);
        assertEquals(ENOUGH, Reports.assertReceivedAll(fabric, "q", "s2"));
    }
}

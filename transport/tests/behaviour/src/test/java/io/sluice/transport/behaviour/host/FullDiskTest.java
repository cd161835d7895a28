package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.FailNextWrite;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.software.SoftwareDevice;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file system under the shared memory is full: an error that says so, and not a crash. */
class FullDiskTest {
    private static final int STREAM_ID = 5;
    private static final int MESSAGES = 100;
    private static final long DISK_LENGTH = 8 << 20;

    @RegisterExtension
    private final Transports transports = new Transports();

    private Path disk;
    private SoftwareDevice device;
    private Transport transport;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(transports.fabric().directory().resolve("disk"));
        final String options = "mode=700,size=" + DISK_LENGTH;
        final String problem = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk.toString());
        assumeTrue(problem.isEmpty(), "needs a small file system, which only root can mount: " + problem);
    }

    @AfterEach
    void unmount() throws Exception {
        if (transport != null) {
            transport.close();
        }
        CloseHelper.close(device);
        run("umount", "-l", disk.toString());
    }

    private static String run(final String... command) throws Exception {
        try {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            final String text = new String(process.getInputStream().readAllBytes());
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0 ? "" : text + " failed";
        } catch (final IOException ex) {
            return ex.toString();
        }
    }

    private void launch() {
        transport = transports.launch(context -> context.directory(disk));
    }

    private void assertWorks(final String endpoint) {
        final Subscription subscription =
            transport.addSubscription("sluice:ipc?log=copied|endpoint=" + endpoint, STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication("sluice:ipc?window=4k|log=copied|endpoint=" + endpoint, STREAM_ID);
        Transports.awaitImages(subscription, 1);
        for (int i = 0; i < 100; i++) {
            Transports.offer(publication, new byte[i]);
            assertEquals(i, Transports.receive(subscription, 1).getFirst().length);
        }
        publication.close();
        subscription.close();
    }

    @Test
    void shouldSayHowMuchAPublicationNeeds() {
        launch();
        final TransportException ex = assertThrows(
            TransportException.class, () -> transport.addExclusivePublication("sluice:ipc?window=64m", STREAM_ID));
        assertEquals(ErrorKind.STORAGE, ex.kind());
        assertTrue(ex.getMessage().contains("ENOMEM"), ex.getMessage());
        assertTrue(ex.getMessage().contains(disk.toString()), ex.getMessage());
        assertTrue(ex.getMessage().contains("bytesNeeded=" + (64 << 20)), ex.getMessage());
        assertTrue(ex.getMessage().contains("bytesUsable="), ex.getMessage());
        assertWorks("good");
    }

    @Test
    void shouldSayThatASubscriberHasNoRoomForItsRingAndGoOnWhenItHas() {
        launch();
        final Subscription subscription =
            transport.addSubscription("sluice:ipc?log=copied|endpoint=big", STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication("sluice:ipc?window=4m|log=copied|endpoint=big", STREAM_ID);
        transports.awaitError("RESOURCES", "bytesNeeded=" + (4 << 20));
        assertEquals(Publication.NOT_CONNECTED, publication.offer(new org.agrona.concurrent.UnsafeBuffer(new byte[8])));
        assertWorks("good");
        assertEquals(0, subscription.imageCount());
        publication.close();
        final ExclusivePublication smaller =
            transport.addExclusivePublication("sluice:ipc?window=1m|log=copied|endpoint=big", STREAM_ID);
        Transports.awaitConnected(smaller, subscription);
        Transports.offer(smaller, new byte[10]);
        assertEquals(1, Transports.receive(subscription, 1).size());
    }

    @Test
    void shouldNotBeginOnAFullDisk() throws IOException {
        final Path filler = disk.resolve("filler");
        Await.until("a full disk", () -> fill(filler));
        final Exception ex = assertThrows(TransportException.class, this::launch);
        assertTrue(ex.getMessage().contains(disk.toString()), ex.getMessage());
        assertTrue(ex.getMessage().contains("bytesNeeded="), ex.getMessage());
        Files.delete(filler);
        launch();
        assertWorks("good");
    }

    /**
     * The disk is full while a link is broken: without any room nothing of the next epoch can be made, with less than a
     * window the subscription cannot make its ring.
     */
    @ParameterizedTest
    @CsvSource({"0, bytesNeeded=", "524288, bytesNeeded=1048576"})
    void shouldResumeALinkWhenThereIsRoomAgain(final long room, final String error) throws IOException {
        final FailNextWrite hook = new FailNextWrite();
        device = SoftwareDevice.open(SystemEnvironment.instance(), disk, hook);
        transport = transports.launch(context -> context.device(device)
            .timeouts(new Timeouts()
                .resumeTimeoutNs(TimeUnit.MINUTES.toNanos(2)).livenessTimeoutNs(TimeUnit.MINUTES.toNanos(4))));
        final Subscription subscription = transport.addSubscription("sluice:ipc?log=copied", STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication("sluice:ipc?window=1m|log=copied", STREAM_ID);
        Transports.awaitImages(subscription, 1);
        final Image image = subscription.images().getFirst();
        Transports.offer(publication, new byte[MESSAGES]);
        assertEquals(MESSAGES, Transports.receive(subscription, 1).getFirst().length);
        final Path filler = disk.resolve("filler");
        Await.until("a full disk", () -> fill(filler));
        leaveRoom(filler, room);
        hook.arm();
        for (int i = 0; i < MESSAGES; i++) {
            Transports.offer(publication, new byte[i]);
        }
        assertEquals(1, hook.failed());
        final Path rest = disk.resolve("rest");
        Await.until(() -> error + " among " + transports.errors(), () -> {
            // what the broken epoch leaves free as well
            assertTrue(room > 0 || fill(rest));
            subscription.poll((buffer, offset, length, header) -> {
                throw new AssertionError("a message that could not arrive");
            }, 1);
            return transports.errors().stream().anyMatch(problem -> problem.getMessage().contains(error));
        }, Await.DEADLINE_SECONDS);
        assertEquals(0, transport.counters().get(TransportCounter.LINKS_RESUMED));
        Files.delete(filler);
        Files.deleteIfExists(rest);
        assertReceivesAll(subscription);
        Await.until("both ends of one link", () ->
            transport.counters().get(TransportCounter.LINKS_RESUMED) == 2);
        assertEquals(2, transport.counters().get(TransportCounter.LINKS_ESTABLISHED));
        assertFalse(image.isClosed());
        assertWorks("good");
    }

    private static void assertReceivesAll(final Subscription subscription) {
        final List<byte[]> messages = Transports.receive(subscription, MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            assertEquals(i, messages.get(i).length);
        }
    }

    private static void leaveRoom(final Path filler, final long length) throws IOException {
        try (FileChannel file = FileChannel.open(filler, StandardOpenOption.WRITE)) {
            file.truncate(file.size() - length);
        }
    }

    private static boolean fill(final Path file) {
        try (var output = Files.newOutputStream(file)) {
            final byte[] page = new byte[4096];
            for (int i = 0; i <= 2 * DISK_LENGTH / page.length; i++) {
                output.write(page);
            }
            return false;
        } catch (final IOException ex) {
            return true;
        }
    }
}

package io.sluice.transport.behaviour.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.Front;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.software.SoftwareDevice;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransportTest {
    private static final int STREAM_ID = 5;
    private static final int MESSAGES = 1_000;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldDoAllItsWorkOnTheCallersThreadInInvokerMode(final String log) {
        final long before = sluiceThreads();
        final Transport transport = transports.launch(context -> context.threadingMode(ThreadingMode.INVOKER));
        final String channel = transports.channel("window=4k|mode=invoker|log=" + log);
        final Thread[] handlerThread = new Thread[1];
        final Subscription subscription = transport.addSubscription(
            channel, STREAM_ID, image -> handlerThread[0] = Thread.currentThread(), image -> { });
        final ExclusivePublication publication = transport.addExclusivePublication(channel, STREAM_ID);
        final int[] received = new int[1];
        Await.until("all messages", () -> {
            transport.doWork();
            buffer.putInt(0, received[0]);
            publication.offer(buffer, 0, 4);
            subscription.poll((message, offset, length, header) -> received[0]++, 10);
            return received[0] >= MESSAGES;
        });
        assertEquals(before, sluiceThreads(), "no thread of its own");
        assertEquals(Thread.currentThread(), handlerThread[0]);
        publication.close();
        Await.until("the drain", () -> {
            transport.doWork();
            subscription.poll((message, offset, length, header) -> { }, 10);
            return publication.isDrained();
        });
        transport.close();
    }

    private static long sluiceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().matches("sluice-(?!file).*")).count();
    }

    @Test
    void shouldEndItsThreadsWhenItCloses() {
        final long before = sluiceThreads();
        final Transport transport = transports.launch();
        transport.addSubscription(transports.channel("mode=dedicated"), STREAM_ID);
        assertTrue(sluiceThreads() > before);
        transport.close();
        Await.until("its threads to end", () -> sluiceThreads() <= before);
    }

    @Test
    void shouldRefuseToBeSteppedWhenItHasThreadsOfItsOwn() {
        final Transport transport = transports.launch();
        final Exception ex = assertThrows(IllegalStateException.class, transport::doWork);
        assertTrue(ex.getMessage().contains("threadingMode=DEDICATED"), ex.getMessage());
    }

    @Test
    void shouldAddNothingWhenClosed() {
        final Transport transport = transports.launch();
        transport.close();
        transport.close();
        assertThrows(IllegalStateException.class, () -> transport.addExclusivePublication(
            transports.channel(""), STREAM_ID));
        assertThrows(IllegalStateException.class, () -> transport.addSubscription(transports.channel(""), STREAM_ID));
        assertEquals(0, transport.counters().get(TransportCounter.ERRORS));
    }

    @Test
    void shouldCloseWhatItsApplicationLeftOpen() {
        final Transport transport = transports.launch();
        final Subscription subscription = transport.addSubscription(transports.channel(""), STREAM_ID);
        final ExclusivePublication publication = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        Transports.offer(publication, new byte[10]);
        transport.close();
        assertEquals(Publication.CLOSED, publication.offer(buffer, 0, 4));
        assertEquals(0, subscription.poll((message, offset, length, header) -> { }, 1));
        assertTrue(publication.isClosed());
        publication.close();
        subscription.close();
        assertEquals(0, transports.fabric().directory().toFile().list(
            (folder, name) -> name.startsWith(ProcessHandle.current().pid() + "-")).length, "its files are gone");
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldMeetAnotherTransportOfTheSameProcess(final boolean isPublicationFirst, final boolean isShared) {
        final String channel = transports.channel("endpoint=here|log=" + (isShared ? "shared" : "copied"));
        final Transport one = transports.launch();
        final Transport two = transports.launch();
        final ExclusivePublication early =
            isPublicationFirst ? one.addExclusivePublication(channel, STREAM_ID) : null;
        final Subscription subscription = two.addSubscription(channel, STREAM_ID);
        final ExclusivePublication publication =
            isPublicationFirst ? early : one.addExclusivePublication(channel, STREAM_ID);
        Transports.awaitImages(subscription, 1);
        for (int i = 0; i < MESSAGES; i++) {
            Transports.offer(publication, new byte[i % 100]);
            assertEquals(i % 100, Transports.receive(subscription, 1).getFirst().length);
        }
        assertEquals(1, one.counters().get(TransportCounter.LINKS_ESTABLISHED));
        assertEquals(1, two.counters().get(TransportCounter.LINKS_ESTABLISHED));
        assertEquals(1, one.counters().get(TransportCounter.CONNECTIONS_ESTABLISHED));
        assertEquals(0, one.counters().get(TransportCounter.LINKS_BROKEN));
    }

    @Test
    void shouldTellTheOtherTransportWhenItCloses() {
        final Transport one = transports.launch();
        final Transport two = transports.launch();
        final Subscription subscription = two.addSubscription(transports.channel(""), STREAM_ID);
        one.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        one.close();
        Await.until("the image to go", () -> {
            subscription.poll((message, offset, length, header) -> { }, 1);
            return subscription.imageCount() == 0;
        });
        final Transport three = transports.launch();
        three.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        assertEquals(List.of(), transports.errors());
    }

    @Test
    void shouldLeaveADeviceThatItWasGivenOpen() {
        final SoftwareDevice device =
            SoftwareDevice.open(SystemEnvironment.instance(), transports.fabric().directory());
        final Transport transport = transports.launch(context -> context.device(device));
        transport.addSubscription(transports.channel(""), STREAM_ID);
        transport.close();
        device.allocateProtectionDomain().close();
        device.close();
    }

    /** A device of the caller's that shares no memory has no words of shared memory. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellOfADeviceThatItWasGivenInItsOwnWords(final boolean isLaunched) {
        final AtomicBoolean isFailing = new AtomicBoolean(!isLaunched);
        try (SoftwareDevice software =
            SoftwareDevice.open(SystemEnvironment.instance(), transports.fabric().directory())) {
            final RdmaDevice device = failing(software, isFailing);
            final Context context = transports.context().device(device);
            final TransportException ex;
            if (isLaunched) {
                try (Transport transport = Transport.launch(context)) {
                    isFailing.set(true);
                    ex = assertThrows(TransportException.class,
                        () -> transport.addExclusivePublication("sluice:ipc", STREAM_ID));
                    isFailing.set(false);
                }
            } else {
                ex = assertThrows(TransportException.class, () -> Transport.launch(context));
            }
            assertEquals(ErrorKind.DEVICE_FAILED, ex.kind());
            assertTrue(ex.getMessage().startsWith("ibv_fail: the device is broken"), ex::getMessage);
        }
    }

    private static RdmaDevice failing(final RdmaDevice device, final AtomicBoolean isFailing) {
        return Front.of(RdmaDevice.class, device, (name, arguments, call) -> switch (name) {
            case "attributes" -> withoutSharing((DeviceAttributes) call.result());
            case "allocateProtectionDomain" -> failing((ProtectionDomain) passed(isFailing, call), isFailing);
            default -> call.result();
        });
    }

    private static ProtectionDomain failing(final ProtectionDomain domain, final AtomicBoolean isFailing) {
        return Front.of(ProtectionDomain.class, domain, (name, arguments, call) ->
            name.equals("allocateRegion") ? passed(isFailing, call) : call.result());
    }

    private static Object passed(final AtomicBoolean isFailing, final Front.Call call)
        throws ReflectiveOperationException {
        if (isFailing.get()) {
            throw new VerbsException("ibv_fail", Errno.EINVAL, "the device is broken");
        }
        return call.result();
    }

    private static DeviceAttributes withoutSharing(final DeviceAttributes its) {
        return new DeviceAttributes(its.maxCompletionQueueEntries(), its.maxQueuePairWorkRequests(),
            its.reliableConnected(), its.maxInlineData(), its.maxMemoryRegionLength(), its.completionFields(),
            its.completionQueueFlags(), its.completionQueueResizing(), its.completionVectors(), its.parentDomains(),
            its.maxReadAtomic(), its.maxDestinationReadAtomic(), its.atomics(), its.maxSharedReceiveWorkRequests(),
            its.maxDatagramLength(), false, its.capabilities(), its.clock());
    }

    /** Linger: what was offered is delivered although the publication is closed at once; and its end. */
    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared|completion=queue", "copied"})
    void shouldDeliverWhatWasOfferedBeforeTheClose(final String log) {
        final String channel = transports.channel("writes-in-flight=2|log=" + log);
        final Transport transport = transports.launch();
        final Subscription subscription = transport.addSubscription(channel, STREAM_ID);
        final ExclusivePublication publication = transport.addExclusivePublication(channel, STREAM_ID);
        Transports.awaitImages(subscription, 1);
        for (int i = 0; i < MESSAGES; i++) {
            assertTrue(publication.offer(buffer, 0, 8) > 0);
        }
        publication.close();
        assertFalse(publication.isDrained(), "nobody has polled");
        final Image image = subscription.images().getFirst();
        Transports.receive(subscription, MESSAGES);
        Await.until("the end of the stream", () -> {
            subscription.poll((message, offset, length, header) -> { }, 1);
            return publication.isDrained() && image.isClosed();
        });
        assertTrue(image.isEndOfStream());
        assertEquals(0, transport.counters().get(TransportCounter.LINGER_EXPIRED));
    }

    @Test
    void shouldGiveUpDeliveringWhenTheLingerIsOver() {
        final Transport transport = transports.launch();
        final Subscription subscription = transports.launch().addSubscription(transports.channel(""), STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication(
                transports.channel("linger=50ms|writes-in-flight=1|completion=queue"), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        final Image image = subscription.images().getFirst();
        for (int i = 0; i < MESSAGES; i++) {
            assertTrue(publication.offer(buffer, 0, 8) > 0);
        }
        publication.close();
        Await.until("the linger", () -> transport.counters().get(TransportCounter.LINGER_EXPIRED) == 1);
        assertFalse(publication.isDrained());
        // until then a consumer that polls gives credit, and a poller may write the rest
        Await.until("the link to go", () -> transport.counters().get(TransportCounter.LINKS_GONE) == 1);
        final int[] received = new int[1];
        Await.until("the image to go", () -> {
            subscription.poll((message, offset, length, header) -> received[0]++, 10);
            return image.isClosed();
        });
        assertTrue(received[0] < MESSAGES);
        assertFalse(image.isEndOfStream(), "an image that was lost");
        assertFalse(publication.isDrained());
    }

    @Test
    void shouldNotCloseForEverWhenNobodyPolls() {
        final Transport transport =
            transports.launch(context -> context.timeouts(new Timeouts().lingerTimeoutNs(50_000_000L)));
        final Subscription subscription =
            transports.launch().addSubscription(transports.channel("mode=invoker"), STREAM_ID);
        final ExclusivePublication publication = transport.addExclusivePublication(transports.channel(""), STREAM_ID);
        Transports.awaitImages(subscription, 1);
        assertTrue(publication.offer(buffer, 0, 8) > 0);
        transport.close();
        assertEquals(1, transport.counters().get(TransportCounter.LINGER_EXPIRED));
    }
}

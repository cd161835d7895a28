package io.sluice.transport.behaviour.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.Environment;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.SkippingClock;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import io.sluice.verbs.software.SoftwareDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One of a transport's two devices is taken away, and comes back; software devices take their place. */
@Tag("long")
class DeviceRemovalTest {
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(2);
    private static final int STAYING = 1;
    private static final int GOING = 2;
    private static final String STAYING_CHANNEL = "sluice:rdma?endpoint=10.0.0.1:40123|port=" + STAYING;
    private static final String GOING_CHANNEL = "sluice:rdma?endpoint=10.0.0.1:40124|port=" + GOING;
    private static final String PUBLISHER_LISTENS =
        "sluice:rdma?control=10.0.0.1:40124|control-mode=dynamic|port=" + GOING;
    private static final String REMOVED = " was removed";
    private static final String BROKEN = " is broken (DEVICE_FATAL)";
    /** The header of a region, among the files of the software device. */
    private static final Pattern REGION = Pattern.compile("r[0-9a-f]{8}\\.h");
    /** Less than a heartbeat's interval. */
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @RegisterExtension
    private final Transports transports = new Transports();

    private final SkippingClock clock = new SkippingClock();

    /** A transport and its devices, by the ports that they were opened for. */
    private final class Host {
        private final Map<Integer, SoftwareDevice> devices = new ConcurrentHashMap<>();
        /** Links wait for the device, however slow the machine is. */
        private final Transport transport = transports.launch(context -> context.environment(clock)
            .timeouts(new Timeouts().livenessTimeoutNs(TIMEOUT_NS).resumeTimeoutNs(TIMEOUT_NS))
            .rdmaProvider((environment, options) -> open(environment, options.port())));

        private RdmaDevice open(final Environment environment, final int port) {
            final SoftwareDevice device = SoftwareDevice.open(environment, transports.fabric().directory());
            // another one for the same port is closed again
            devices.putIfAbsent(port, device);
            return device;
        }

        private boolean hasLost(final long links) {
            return transport.counters().get(TransportCounter.LINKS_GONE) == links;
        }

        private SoftwareDevice going() {
            return devices.get(GOING);
        }
    }

    private static byte[] number(final int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    private static void offer(final Publication publication, final int from, final int to) {
        for (int i = from; i < to; i++) {
            Transports.offer(publication, number(i));
        }
    }

    private static void assertReceives(final Subscription subscription, final int from, final int to) {
        final List<Integer> expected = new ArrayList<>();
        final List<Integer> received = new ArrayList<>();
        for (int i = from; i < to; i++) {
            expected.add(i);
        }
        Transports.receive(subscription, to - from)
            .forEach(message -> received.add(ByteBuffer.wrap(message).getInt()));
        assertEquals(expected, received);
    }

    private long told() {
        return told(REMOVED);
    }

    private long told(final String text) {
        return transports.errors().stream().filter(error -> error.getMessage().contains(text)).count();
    }

    private static void awaitResumed(final Host publishing, final Subscription subscription) {
        Await.until("the link to be resumed", () -> {
            // its end is quiescent when the program polls
            subscription.poll((buffer, offset, length, header) -> {
                throw new AssertionError("nothing was offered");
            }, 1);
            return publishing.transport.counters().get(TransportCounter.LINKS_RESUMED) > 0;
        });
    }

    @ParameterizedTest
    @CsvSource({
        "subscriber, mode=invoker, true", "subscriber, mode=dedicated, false", "publisher, mode=invoker, false",
        "publisher, mode=dedicated, true"})
    void shouldResumeWhenTheDeviceIsBackWhileOthersGoOn(
        final String side, final String mode, final boolean isExclusive) {
        final Host publishing = new Host();
        final Host subscribing = new Host();
        final Host losing = side.equals("publisher") ? publishing : subscribing;
        final Subscription staying = subscribing.transport.addSubscription(STAYING_CHANNEL + "|" + mode, 1);
        final Subscription going = subscribing.transport.addSubscription(GOING_CHANNEL + "|" + mode, 2);
        final Publication stayed = publishing.transport.addPublication(STAYING_CHANNEL, 1);
        final Publication gone = isExclusive ? publishing.transport.addExclusivePublication(GOING_CHANNEL, 2)
            : publishing.transport.addPublication(GOING_CHANNEL, 2);
        Transports.awaitConnected(stayed, staying);
        Transports.awaitConnected(gone, going);
        offer(stayed, 0, 10);
        offer(gone, 0, 10);
        assertReceives(going, 0, 5);

        losing.going().remove();

        transports.awaitError("DEVICE_FAILED", REMOVED);
        assertReceives(going, 5, 10);
        for (int i = 10; i < 100; i++) {
            offer(stayed, i, i + 1);
        }
        assertReceives(staying, 0, 100);
        assertEquals(0, publishing.transport.counters().get(TransportCounter.LINKS_RESUMED));
        losing.going().comeBack();
        awaitResumed(publishing, going);
        offer(gone, 10, 20);
        assertReceives(going, 10, 20);
        assertEquals(1, told());
        // the other end sees a connection end
        assertEquals(List.of(), transports.errors().stream().map(Throwable::getMessage)
            .filter(message -> !message.contains(REMOVED) && !message.startsWith("control connection to ")).toList());
    }

    @ParameterizedTest
    @CsvSource({"subscriber, mode=invoker", "publisher, mode=dedicated"})
    void shouldResumeOverADeviceThatWasBrokenWhileOthersGoOn(final String side, final String mode) {
        final Host publishing = new Host();
        final Host subscribing = new Host();
        final Subscription staying = subscribing.transport.addSubscription(STAYING_CHANNEL + "|" + mode, 1);
        final Subscription going = subscribing.transport.addSubscription(GOING_CHANNEL + "|" + mode, 2);
        final Publication stayed = publishing.transport.addPublication(STAYING_CHANNEL, 1);
        final Publication gone = publishing.transport.addPublication(GOING_CHANNEL, 2);
        Transports.awaitConnected(stayed, staying);
        Transports.awaitConnected(gone, going);
        offer(gone, 0, 10);

        (side.equals("publisher") ? publishing : subscribing).going().breakDown();

        transports.awaitError("DEVICE_FAILED", BROKEN);
        assertReceives(going, 0, 10);
        awaitResumed(publishing, going);
        offer(gone, 10, 20);
        assertReceives(going, 10, 20);
        offer(stayed, 0, 10);
        assertReceives(staying, 0, 10);
        assertEquals(1, told(BROKEN));
        assertEquals(0, told(REMOVED));
        assertEquals(1, publishing.transport.counters().get(TransportCounter.LINKS_BROKEN));
    }

    private long regions() throws IOException {
        try (Stream<Path> files = Files.walk(transports.fabric().directory())) {
            return files.filter(file -> REGION.matcher(file.getFileName().toString()).matches()).count();
        }
    }

    /** Time goes in steps that no transport takes for a pause of its own, and while it does its duties. */
    private void awaitInTime(final String what, final BooleanSupplier condition) {
        Await.until(what, () -> {
            clock.skip(STEP_NS);
            return condition.getAsBoolean();
        });
    }

    /** The side that loses its device is the one that listens: it looks for nobody meanwhile, which takes memory. */
    @ParameterizedTest
    @ValueSource(strings = {"subscriber", "publisher"})
    void shouldEndTheLinkByNameAndReleaseItsMemoryWhenTheDeviceStaysAway(final String side) throws IOException {
        final boolean isPublisher = side.equals("publisher");
        final String channel = isPublisher ? PUBLISHER_LISTENS : GOING_CHANNEL;
        final Host publishing = new Host();
        final Host subscribing = new Host();
        final List<String> unavailable = new CopyOnWriteArrayList<>();
        final Publication[] publication = new Publication[1];
        final Subscription[] subscription = new Subscription[1];
        final Runnable publish = () -> publication[0] = publishing.transport.addPublication(channel, 2);
        final Runnable subscribe = () -> subscription[0] = subscribing.transport.addSubscription(
            channel, 2, image -> { }, image -> unavailable.add(image.sourceIdentity()));
        (isPublisher ? publish : subscribe).run();
        final long before = regions();
        (isPublisher ? subscribe : publish).run();
        Transports.awaitConnected(publication[0], subscription[0]);
        offer(publication[0], 0, 10);
        assertReceives(subscription[0], 0, 10);
        (isPublisher ? publishing : subscribing).going().remove();
        transports.awaitError("DEVICE_FAILED", REMOVED);
        offer(publication[0], 10, 20);

        awaitInTime("the publication's end of the link to be given up", () -> publishing.hasLost(1));
        awaitInTime("the image to end", () -> {
            subscription[0].poll((buffer, offset, length, header) -> {
                throw new AssertionError("what was offered after the removal has no way to go");
            }, 1);
            return subscribing.hasLost(1);
        });

        assertEquals(1, unavailable.size());
        assertEquals(0, subscription[0].imageCount());
        assertFalse(publication[0].isConnected());
        transports.awaitError("SUBSCRIBER_LOST", "link given up: it was not resumed", "streamId=2",
            "channel=" + channel, isPublisher ? "reason=DEVICE" : "reason=");
        transports.awaitError("IMAGE_LOST", "image given up: its link was not resumed in time", "streamId=2",
            isPublisher ? "reason=" : "reason=DEVICE");
        final Runnable closing = isPublisher ? subscription[0]::close : publication[0]::close;
        closing.run();
        awaitRegions(before);
    }

    private void awaitRegions(final long count) {
        Await.until("the memory to be released", () -> {
            try {
                return regions() == count;
            } catch (final IOException | UncheckedIOException ex) {
                // a file went while they were counted
                return false;
            }
        });
    }

    @Test
    void shouldGoThroughItAgain() {
        final Host publishing = new Host();
        final Host subscribing = new Host();
        final Subscription subscription = subscribing.transport.addSubscription(GOING_CHANNEL, 1);
        final Publication publication = publishing.transport.addPublication(GOING_CHANNEL, 1);
        Transports.awaitConnected(publication, subscription);
        for (int round = 1; round <= 3; round++) {
            final int told = round;
            subscribing.going().remove();
            Await.until("the removal to be told", () -> told() == told);
            subscribing.going().comeBack();
            Await.until("the link to be resumed", () -> {
                subscription.poll((buffer, offset, length, header) -> { }, 1);
                return publishing.transport.counters().get(TransportCounter.LINKS_RESUMED) == told;
            });
            offer(publication, 10 * round, 10 * round + 10);
            assertReceives(subscription, 10 * round, 10 * round + 10);
        }
    }

    @Test
    void shouldTellWhyNothingCanBeAddedMeanwhile() {
        final Host host = new Host();
        final Subscription first = host.transport.addSubscription(GOING_CHANNEL, 1);
        host.going().remove();
        transports.awaitError("DEVICE_FAILED", REMOVED);

        assertIsAway(assertThrows(TransportException.class, () -> host.transport.addSubscription(GOING_CHANNEL, 2)));
        assertIsAway(assertThrows(TransportException.class, () -> host.transport.addPublication(GOING_CHANNEL, 1)));

        host.going().comeBack();
        final Publication[] publication = new Publication[1];
        Await.until("the device to be back", () -> {
            try {
                publication[0] = host.transport.addPublication(GOING_CHANNEL, 1);
                return true;
            } catch (final TransportException ex) {
                assertIsAway(ex);
                return false;
            }
        });
        Transports.awaitConnected(publication[0], first);
        offer(publication[0], 0, 10);
        assertReceives(first, 0, 10);
    }

    private static void assertIsAway(final TransportException failure) {
        assertEquals(Remedies.ENODEV, assertInstanceOf(VerbsException.class, failure.getCause()).errno());
        assertTrue(failure.getMessage().contains(REMOVED), failure.getMessage());
    }

    @Test
    void shouldCloseWhileTheDeviceIsAway() {
        final Host publishing = new Host();
        final Host subscribing = new Host();
        final Subscription subscription = subscribing.transport.addSubscription(GOING_CHANNEL, 1);
        final Publication publication = publishing.transport.addPublication(GOING_CHANNEL, 1);
        Transports.awaitConnected(publication, subscription);
        subscribing.going().remove();
        transports.awaitError("DEVICE_FAILED", REMOVED);

        subscribing.transport.close();

        assertFalse(subscribing.going().reopen());
        assertEquals(0, subscribing.going().abandonedMappings());
    }
}

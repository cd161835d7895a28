package io.sluice.transport.behaviour.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.BlockedWay;
import io.sluice.transport.harness.DeviceNews;
import io.sluice.transport.harness.FailNextWrite;
import io.sluice.transport.harness.FlightRecording;
import io.sluice.transport.harness.SkippingClock;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.harness.UndersizedQueues;
import io.sluice.transport.harness.UndersizedQueues.Kind;
import io.sluice.transport.harness.UndersizedQueues.Manner;
import io.sluice.transport.kit.Await;
import io.sluice.transport.kit.KeyFile;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.software.FaultHook;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A recording of the JVM has what happens to a transport, from the thread of its conductor. */
class FlightRecorderTest {
    private static final int STREAM_ID = 7;
    private static final String CLIENT = "recorded";
    private static final String PUBLICATION = "PUBLICATION";
    private static final String SUBSCRIPTION = "SUBSCRIPTION";
    /** Looks at the clock that a conductor takes a whole cycle for, and more. */
    private static final int LOOKS = 64;

    @RegisterExtension
    private final Transports transports = new Transports();

    @TempDir
    private Path folder;

    private static Context named(final Context context) {
        return context.clientName(CLIENT);
    }

    private FlightRecording record(final String... names) {
        return new FlightRecording(folder, CLIENT, names);
    }

    private static Predicate<RecordedEvent> of(final String side) {
        return event -> event.getString("side").equals(side);
    }

    private static void assertOf(final RecordedEvent event, final String channel, final Publication publication) {
        assertEquals(channel, event.getString("channel"), event::toString);
        assertEquals(STREAM_ID, event.getInt("streamId"), event::toString);
        assertEquals(publication.sessionId(), event.getInt("sessionId"), event::toString);
        assertEquals("sluice-conductor", event.getThread().getJavaName(), event::toString);
    }

    @Test
    void shouldRecordAnImageFromItsJoinToItsEnd() throws Exception {
        try (FlightRecording recording = record("ImageAvailable", "ImageUnavailable")) {
            final Transport transport = transports.launch(FlightRecorderTest::named);
            final Subscription subscription =
                transport.addSubscription(transports.channel("mode=invoker"), STREAM_ID);
            final ExclusivePublication publication =
                transport.addExclusivePublication(transports.channel(""), STREAM_ID);
            Transports.awaitConnected(publication, subscription);
            final RecordedEvent available = recording.await("ImageAvailable");
            assertOf(available, subscription.channel(), publication);
            assertEquals(0, available.getLong("position"));
            assertEquals(SUBSCRIPTION, available.getString("side"));
            assertTrue(available.getString("peer").contains("client=" + CLIENT), available::toString);
            try (Stream<Path> folders = Files.list(transports.fabric().directory().resolve("status"))) {
                assertEquals(List.of(available.getString("folder")),
                    folders.filter(Files::isDirectory).map(folder -> folder.getFileName().toString()).toList());
            }
            final long end = Transports.offer(publication, new byte[8]);
            Transports.receive(subscription, 1);
            publication.close();
            Await.until("the image to end", () -> {
                subscription.poll((buffer, offset, length, header) -> { }, 1);
                return subscription.imageCount() == 0;
            });
            final RecordedEvent unavailable = recording.await("ImageUnavailable");
            assertOf(unavailable, subscription.channel(), publication);
            assertEquals(end, unavailable.getLong("position"));
            subscription.close();
            assertEquals(1, recording.of("ImageUnavailable").size(), "once");
        }
    }

    @Test
    void shouldRecordABreakAndTheResumptionAtBothEnds() {
        final FailNextWrite fault = new FailNextWrite();
        try (FlightRecording recording = record("LinkBroken", "LinkResumed")) {
            final Transport subscribing = transports.launch(FlightRecorderTest::named);
            final Transport publishing = transports.launch(FlightRecorderTest::named, fault);
            final Subscription subscription =
                subscribing.addSubscription(transports.channel("mode=invoker|log=copied"), STREAM_ID);
            final ExclusivePublication publication =
                publishing.addExclusivePublication(transports.channel("log=copied"), STREAM_ID);
            Transports.awaitConnected(publication, subscription);
            assertEquals(List.of(), recording.of("LinkResumed"));
            fault.arm();
            Transports.offer(publication, new byte[8]);
            Transports.receive(subscription, 1);
            for (final String side : List.of(PUBLICATION, SUBSCRIPTION)) {
                final String channel = side.equals(PUBLICATION) ? publication.channel() : subscription.channel();
                final RecordedEvent broken = recording.await("LinkBroken", of(side));
                assertOf(broken, channel, publication);
                assertEquals(1, broken.getLong("epoch"));
                assertTrue(broken.getString("reason").contains("_"), broken::toString);
                final RecordedEvent resumed = recording.await("LinkResumed", of(side));
                assertOf(resumed, channel, publication);
                assertTrue(resumed.getLong("epoch") > 1, resumed::toString);
                assertEquals(broken.getLong("linkId"), resumed.getLong("linkId"));
                assertTrue(resumed.getString("peer").contains("client=" + CLIENT), resumed::toString);
            }
        }
    }

    @Test
    void shouldRecordALinkThatIsGivenUpAtBothEnds() {
        final BlockedWay fault = new BlockedWay(FaultHook.Operation.WRITE_WITH_IMMEDIATE);
        try (FlightRecording recording = record("LinkGivenUp")) {
            final Transport subscribing = transports.launch(FlightRecorderTest::named);
            final Transport publishing = transports.launch(context -> named(context)
                .timeouts(new Timeouts().resumeTimeoutNs(TimeUnit.SECONDS.toNanos(1))), fault);
            final Subscription subscription =
                subscribing.addSubscription(transports.channel("mode=invoker|log=copied"), STREAM_ID);
            final ExclusivePublication publication =
                publishing.addExclusivePublication(transports.channel("window=4k|log=copied"), STREAM_ID);
            Transports.awaitConnected(publication, subscription);
            fault.block();
            final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
            Await.until("the link to be given up", () -> {
                publication.offer(message);
                subscription.poll((buffer, offset, length, header) -> { }, 10);
                return publishing.counters().get(TransportCounter.LINKS_GONE) > 0;
            });
            fault.unblock();
            final RecordedEvent own = recording.await("LinkGivenUp", of(PUBLICATION));
            assertOf(own, publication.channel(), publication);
            assertEquals("not resumed in time", own.getString("reason"));
            assertTrue(own.getString("lastBreak").endsWith("_ERROR"), own::toString);
            assertTrue(own.getLong("bytesBehind") > 0, own::toString);
            final RecordedEvent other = recording.await("LinkGivenUp", of(SUBSCRIPTION));
            assertOf(other, subscription.channel(), publication);
            assertEquals(0, other.getLong("bytesBehind"));
        }
    }

    @Test
    void shouldRecordPressureWithItsCauseAndLaggard() {
        try (FlightRecording recording = record("PressureChanged")) {
            final Transport transport = transports.launch(FlightRecorderTest::named);
            final Subscription subscription =
                transport.addSubscription(transports.channel("mode=invoker"), STREAM_ID);
            final ExclusivePublication publication =
                transport.addExclusivePublication(transports.channel("window=4k"), STREAM_ID);
            Transports.awaitConnected(publication, subscription);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            Await.until("a full window", () -> publication.offer(message) == Publication.BACK_PRESSURED);
            final RecordedEvent blocked = recording.await("PressureChanged",
                of(PUBLICATION).and(event -> event.getString("state").equals("BLOCKED")));
            assertOf(blocked, publication.channel(), publication);
            assertEquals("WINDOW_EXHAUSTED", blocked.getString("cause"));
            assertTrue(blocked.getString("laggard").contains("client=" + CLIENT), blocked::toString);
            assertEquals(4096, blocked.getLong("bytesBehind"));
            final RecordedEvent clear = awaitClear(recording, subscription);
            assertEquals("BLOCKED", clear.getString("previous"), clear::toString);
            assertTrue(clear.getDuration("lasted").isPositive(), clear::toString);
            recording.await("PressureChanged", of(SUBSCRIPTION));
        }
    }

    private static RecordedEvent awaitClear(final FlightRecording recording, final Subscription subscription) {
        final Predicate<RecordedEvent> isClear =
            of(PUBLICATION).and(event -> event.getString("state").equals("CLEAR"));
        Await.until("room", () -> {
            subscription.poll((buffer, offset, length, header) -> { }, 16);
            return recording.of("PressureChanged").stream().anyMatch(isClear);
        });
        return recording.await("PressureChanged", isClear);
    }

    @Test
    void shouldRecordAnEvictedConsumerWithItsDependants() {
        final CountDownLatch mayReturn = new CountDownLatch(1);
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(MessageEventHandler.named("snail", (event, sequence, endOfBatch) -> mayReturn.await()))
            .then(MessageEventHandler.named("behind", (event, sequence, endOfBatch) -> { }));
        graph.handleEventsWith(MessageEventHandler.named("fast", (event, sequence, endOfBatch) -> { }));
        try (FlightRecording recording = record("ConsumerEvicted")) {
            final Transport transport = transports.launch(FlightRecorderTest::named);
            final Subscription subscription = transport.addSubscription(transports.channel(
                "mode=dedicated|ring=64|slow=evict|evict-after=100ms|evict-timeout=100ms"), STREAM_ID, graph);
            final ExclusivePublication publication =
                transport.addExclusivePublication(transports.channel("window=32k"), STREAM_ID);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            Await.until("the eviction", () -> {
                publication.offer(message);
                return transport.counters().get(TransportCounter.CONSUMERS_EVICTED) == 2;
            });
            final RecordedEvent evicted = recording.await("ConsumerEvicted");
            assertEquals(subscription.channel(), evicted.getString("channel"));
            assertEquals(STREAM_ID, evicted.getInt("streamId"));
            assertEquals("snail", evicted.getString("consumer"));
            assertEquals("behind", evicted.getString("dependants"));
            assertTrue(evicted.getLong("eventsBehind") > 0, evicted::toString);
            assertTrue(evicted.getDuration("slowFor").isPositive(), evicted::toString);
            assertEquals("sluice-conductor", evicted.getThread().getJavaName(), evicted::toString);
        } finally {
            mayReturn.countDown();
        }
    }

    @Test
    void shouldRecordACompletionQueueThatOverruns() {
        final DeviceNews news = new DeviceNews();
        try (FlightRecording recording = record("CompletionQueueOverrun")) {
            final Transport subscribing = transports.launch(FlightRecorderTest::named,
                device -> new UndersizedQueues(news.of(device), Kind.RECEIVES, Manner.LATE, 8, 1));
            final Subscription subscription =
                subscribing.addSubscription(transports.channel("mode=invoker|log=copied"), STREAM_ID);
            final ExclusivePublication publication = transports.launch()
                .addExclusivePublication(transports.channel("window=64k|log=copied"), STREAM_ID);
            Transports.awaitConnected(publication, subscription);
            // more than a device has places for that rounds up
            for (int i = 0; i < 32; i++) {
                Transports.offer(publication, new byte[8]);
            }
            Transports.receive(subscription, 32);
            final RecordedEvent overrun = recording.await("CompletionQueueOverrun");
            assertTrue(overrun.getInt("capacity") > 0, overrun::toString);
            assertEquals("subscription of streamId=" + STREAM_ID + " channel=" + subscription.channel(),
                overrun.getString("owner"));
            assertEquals("sluice-conductor", overrun.getThread().getJavaName(), overrun::toString);
        }
    }

    @Test
    void shouldRecordAPeerThatIsRefused() {
        try (FlightRecording recording = record("PeerRefused")) {
            transports.launch(context -> named(context).preSharedKeyFile(
                KeyFile.of(folder, "f3a0c6f2c1d84be7a6f15f08d0c9b7e1"))).addSubscription(
                transports.channel(""), STREAM_ID);
            transports.launch(context -> named(context).preSharedKeyFile(
                KeyFile.of(folder, "f3a0c6f2c1d84be7a6f15f08d0c9b7e2"))).addPublication(
                transports.channel(""), STREAM_ID);
            final RecordedEvent refused = recording.await("PeerRefused");
            assertEquals("AUTHENTICATION_FAILED", refused.getString("reason"));
            assertTrue(!refused.getString("peer").isEmpty() && !refused.getString("text").isEmpty(), refused::toString);
        }
    }

    @Test
    void shouldRecordAConductorThatHasNotRun() {
        final SkippingClock clock = new SkippingClock();
        final long stallNs = TimeUnit.HOURS.toNanos(1);
        try (FlightRecording recording = record("ConductorStall");
            Transport transport = Transport.launch(named(transports.context()).environment(clock)
                .threadingMode(ThreadingMode.INVOKER))) {
            transport.doWork();
            clock.skip(stallNs);
            transport.doWork();
            final RecordedEvent stall =
                recording.await("ConductorStall", event -> event.getDuration("stalledFor").toNanos() >= stallNs);
            assertEquals(new Timeouts().heartbeatIntervalNs(), stall.getDuration("limit").toNanos());
        }
    }

    /** Launches a transport whose conductor a test can await. */
    private Transport launchWatched(final SkippingClock clock) {
        final Set<Thread> before = Thread.getAllStackTraces().keySet();
        final Transport transport = transports.launch(context -> named(context).environment(clock));
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("sluice-conductor") && !before.contains(thread))
            .forEach(clock::watch);
        return transport;
    }

    @Test
    void shouldRecordAHandlerOfAGraphThatIsSlow() {
        final CountDownLatch mayReturn = new CountDownLatch(1);
        final AtomicInteger entered = new AtomicInteger();
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(MessageEventHandler.named("snail", (event, sequence, endOfBatch) -> {
            entered.incrementAndGet();
            mayReturn.await();
        })).then(MessageEventHandler.named("behind", (event, sequence, endOfBatch) -> { }));
        final SkippingClock clock = new SkippingClock();
        try (FlightRecording recording = record("SlowHandler")) {
            final Transport transport = launchWatched(clock);
            final Subscription subscription =
                transport.addSubscription(transports.channel("mode=dedicated"), STREAM_ID, graph);
            final ExclusivePublication publication =
                transport.addExclusivePublication(transports.channel(""), STREAM_ID);
            Transports.offer(publication, new byte[8]);
            Await.until("the handler", () -> entered.get() == 1);
            clock.awaitLooks(LOOKS);
            assertEquals(List.of(), recording.of("SlowHandler"), "nobody else is, and it has not returned");
            mayReturn.countDown();
            final RecordedEvent slow = recording.await("SlowHandler");
            assertEquals("snail", slow.getString("consumer"));
            assertEquals(subscription.channel(), slow.getString("channel"));
            assertEquals(STREAM_ID, slow.getInt("streamId"));
            assertEquals(0, slow.getLong("messages"));
            assertTrue(slow.getDuration().isPositive(), slow::toString);
            assertEquals("sluice-conductor", slow.getThread().getJavaName(), slow::toString);
        } finally {
            mayReturn.countDown();
        }
    }

    @Test
    void shouldRecordAPollThatIsSlow() {
        final SkippingClock clock = new SkippingClock();
        final AtomicInteger polls = new AtomicInteger();
        final AtomicInteger messages = new AtomicInteger();
        try (FlightRecording recording = record("SlowHandler")) {
            final Transport transport = launchWatched(clock);
            final Subscription subscription =
                transport.addSubscription(transports.channel("mode=invoker"), STREAM_ID);
            final ExclusivePublication publication =
                transport.addExclusivePublication(transports.channel(""), STREAM_ID);
            Await.until("a message", () -> {
                publication.offer(new UnsafeBuffer(new byte[8]));
                subscription.poll((buffer, offset, length, header) -> {
                    clock.awaitLooks(LOOKS);
                    messages.incrementAndGet();
                }, 1);
                polls.incrementAndGet();
                return messages.get() == 1;
            });
            final RecordedEvent slow =
                recording.await("SlowHandler", event -> event.getLong("messages") == polls.get() - 1);
            assertEquals("poll", slow.getString("consumer"));
            assertEquals(subscription.channel(), slow.getString("channel"));
        }
    }

    @Test
    void shouldRecordTheLatenciesOfEachStage() {
        try (FlightRecording recording = record("Latency")) {
            final Transport transport = transports.launch(FlightRecorderTest::named);
            final Subscription subscription =
                transport.addSubscription(transports.channel("mode=dedicated|latency=true"), STREAM_ID);
            final ExclusivePublication publication =
                transport.addExclusivePublication(transports.channel("timestamps=true"), STREAM_ID);
            Transports.awaitConnected(publication, subscription);
            Transports.offer(publication, new byte[8]);
            Transports.receive(subscription, 1);
            for (final String stage : List.of("ARRIVED", "HANDLED")) {
                final RecordedEvent event = recording.await("Latency", each ->
                    each.getString("stage").equals(stage) && each.getLong("messages") == 1);
                assertEquals(subscription.channel(), event.getString("channel"), event::toString);
                assertEquals(stage.equals("HANDLED") ? "poll" : "", event.getString("consumer"));
                assertTrue(event.getLong("max") > 0, event::toString);
                assertEquals(event.getLong("p50"), event.getLong("recentMax"), "of one message");
                assertEquals("sluice-conductor", event.getThread().getJavaName(), event::toString);
            }
        }
    }
}

package io.sluice.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.sluice.perf.jmh.Loopback;
import io.sluice.perf.jmh.MarketDataDecoding;
import io.sluice.perf.jmh.RingHandOff;
import io.sluice.perf.peer.PeerKind;
import io.sluice.samples.marketdata.MessageHeaderEncoder;
import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.samples.marketdata.TradeEncoder;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.ThreadingMode;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The data path allocates nothing: counted by the JVM for the thread that offers and polls, so that no clock and no
 * other thread comes in.
 */
class AllocationTest {
    private static final String SHARED = "sluice:ipc?endpoint=allocation|mode=invoker|log=shared";
    private static final String COPIED = "sluice:ipc?endpoint=allocation|mode=invoker|log=copied";
    private static final String RING = "sluice:ipc?endpoint=allocation|mode=dedicated|log=shared";
    private static final String RDMA = "sluice:rdma?endpoint=10.0.0.1:40123|device=software|mode=invoker";
    private static final String LATENCY = "|timestamps=true|latency=true";
    private static final int MESSAGE_LENGTH = 32;
    private static final int WARM_UP_MESSAGES = 200_000;
    private static final int MESSAGES = 1_000_000;
    /** Less than a byte for each message, and room for what the JVM itself allocates now and then. */
    private static final long MAX_BYTES = 64 * 1024;

    private static final int SEEN_BYTES = 1 << 20;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private byte[] seen;

    /** Skipped only by a JVM without the counters: one that has them must show that they count. */
    @BeforeEach
    void countAllocations() {
        assumeTrue(threads.isThreadAllocatedMemorySupported(), "this JVM does not count allocations by thread");
        threads.setThreadAllocatedMemoryEnabled(true);
        final long ofCallerBefore = threads.getCurrentThreadAllocatedBytes();
        final long ofThreadBefore = allocatedBy(Thread.currentThread().threadId());
        seen = new byte[SEEN_BYTES];
        final long ofCaller = threads.getCurrentThreadAllocatedBytes() - ofCallerBefore;
        final long ofThread = allocatedBy(Thread.currentThread().threadId()) - ofThreadBefore;
        assertTrue(ofCaller >= seen.length && ofThread >= seen.length,
            "the JVM counted " + ofCaller + " and " + ofThread + " bytes of " + seen.length);
    }

    /** Over rdma with the software device, which is another provider's, but the transport's code is the same. */
    private static Loopback loopback(String channel, boolean isShared) {
        return new Loopback(channel, MESSAGE_LENGTH, ThreadingMode.DEDICATED, isShared,
            context -> channel.startsWith("sluice:rdma") ? SoftwareRdma.equip(context) : context);
    }

    /**
     * The poller's thread is counted too: from offer through the ring to {@code poll}. Many at a time, since a busy
     * machine lets two threads take turns no more often than it likes.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", LATENCY})
    void shouldNotAllocateThroughTheRingToPoll(String parameters) {
        final int batch = 2048;
        try (Loopback loopback = loopback(RING + parameters, false)) {
            final Runnable fillAndDrain = () -> {
                loopback.fill(batch);
                loopback.drain(batch, batch);
            };
            repeat(fillAndDrain, WARM_UP_MESSAGES / batch);
            final long[] dataPath = dataPathThreads();
            final long before = allocatedBy(dataPath);
            repeat(fillAndDrain, MESSAGES / batch);
            final long allocated = allocatedBy(dataPath) - before;
            assertEquals(2, dataPath.length, "caller and poller");
            assertTrue(allocated < MAX_BYTES, allocated + " bytes in " + MESSAGES + " messages");
        }
    }

    private static void repeat(Runnable operation, int repetitions) {
        for (int i = 0; i < repetitions; i++) {
            operation.run();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SHARED, COPIED, RDMA})
    void shouldNotAllocateWhenOfferingAndPolling(String channel) {
        try (Loopback loopback = loopback(channel, false)) {
            shouldNotAllocate(loopback::offerAndPoll);
        }
    }

    /** A subscriber that waits goes another way through a poll than one that finds one message after the other. */
    @ParameterizedTest
    @ValueSource(strings = {SHARED, COPIED, RDMA})
    void shouldNotAllocateWhenPollingInVainBeforeEachMessage(String channel) {
        try (Loopback loopback = loopback(channel, false)) {
            shouldNotAllocate(loopback::awaitOffered);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SHARED, COPIED, RDMA})
    void shouldNotAllocateWhenClaimingAndPolling(String channel) {
        try (Loopback loopback = loopback(channel, false)) {
            shouldNotAllocate(loopback::claimAndPoll);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SHARED, COPIED, RDMA})
    void shouldNotAllocateWhenPollingAnImageUpToAPosition(String channel) {
        try (Loopback loopback = loopback(channel, false)) {
            shouldNotAllocate(loopback::offerAndPollImage);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SHARED, COPIED, RDMA})
    void shouldNotAllocateWhenGatheringAndAskingForTheReservedValue(String channel) {
        try (Loopback loopback = loopback(channel, false)) {
            shouldNotAllocate(loopback::gatherAndPoll);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SHARED, COPIED, RDMA})
    void shouldNotAllocateWithASharedPublication(String channel) {
        try (Loopback loopback = loopback(channel, true)) {
            shouldNotAllocate(loopback::offerAndPoll);
            shouldNotAllocate(loopback::claimAndPoll);
            shouldNotAllocate(loopback::gatherAndPoll);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SHARED, COPIED, RDMA})
    void shouldNotAllocateWhenMessagesAreStampedAndMeasured(String channel) {
        for (final boolean isShared : new boolean[] {false, true}) {
            try (Loopback loopback = loopback(channel + LATENCY, isShared)) {
                shouldNotAllocate(loopback::offerAndPoll);
                shouldNotAllocate(loopback::claimAndPoll);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SHARED, COPIED, RDMA})
    void shouldNotAllocateWhenTheStreamFillsAndDrains(String channel) {
        try (Loopback loopback = loopback(channel, false)) {
            final Runnable fillAndDrain = loopback::fillAndDrain;
            final int messagesPerFill = loopback.fillAndDrain();
            final long allocated = allocatedBy(fillAndDrain, 1 + WARM_UP_MESSAGES / messagesPerFill,
                1 + MESSAGES / messagesPerFill);
            assertTrue(allocated < MAX_BYTES, allocated + " bytes in " + MESSAGES + " messages");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SHARED, RING, RDMA})
    void shouldNotAllocateWhenPollingInVain(String channel) {
        try (Loopback loopback = loopback(channel, false)) {
            shouldNotAllocate(loopback::pollIdle);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 256})
    void shouldNotAllocateWhenWalkingFrames(int messagesPerPoll) {
        final int frames = 1000;
        try (Loopback loopback = new Loopback(SHARED, MESSAGE_LENGTH, ThreadingMode.DEDICATED)) {
            final long allocated = allocatedBy(() -> {
                loopback.fill(frames);
                loopback.drain(frames, messagesPerPoll);
            }, WARM_UP_MESSAGES / frames, MESSAGES / frames);
            assertTrue(allocated < MAX_BYTES, allocated + " bytes in " + MESSAGES + " messages");
        }
    }

    /** Publisher, poller and consumer are one thread here, so that nothing of the way is on another one. */
    @ParameterizedTest
    @EnumSource(names = {"SLUICE_RING", "SLUICE_RING_POLL", "DISRUPTOR"})
    void shouldNotAllocateOverARingOnOneThread(PeerKind peer) {
        final int batch = 16;
        try (RingHandOff ring = new RingHandOff(peer)) {
            final long allocated = allocatedBy(
                () -> ring.handOff(batch), WARM_UP_MESSAGES / batch, MESSAGES / batch);
            assertTrue(allocated < MAX_BYTES, allocated + " bytes in " + MESSAGES + " messages");
        }
    }

    @Test
    void shouldNotAllocateWhenDecoding() {
        final MarketDataDecoding decoding = new MarketDataDecoding();
        shouldNotAllocate(decoding::trade);
        shouldNotAllocate(decoding::book);
    }

    @Test
    void shouldNotAllocateWhenDispatching() {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        new TradeEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder()).quantity(3);
        final long[] volume = new long[1];
        final MessageDispatcher dispatcher = new MessageDispatcher(
            (buffer, offset, length, header) -> volume[0]--, Throwable::printStackTrace)
            .on(new TradeDecoder(), (trade, header) -> volume[0] += trade.quantity());
        shouldNotAllocate(() -> {
            dispatcher.onFragment(message, 0, message.capacity(), null);
            dispatcher.onFragment(message, 0, 1, null);
        });
        assertTrue(volume[0] > MESSAGES);
    }

    /** The poller's thread and the consumers' are counted too: from offer through the ring to two handlers in a row. */
    @ParameterizedTest
    @ValueSource(strings = {"log=shared", "log=shared|completion=queue", "log=copied"})
    void shouldNotAllocateThroughTheRingToHandlers(String log) {
        try (RingLoopback loopback = new RingLoopback(log, MESSAGE_LENGTH)) {
            shouldNotAllocate(loopback);
        }
    }

    /** All threads are counted as above, with a typed handler, which a dispatcher wraps around each event. */
    @Test
    void shouldNotAllocateThroughTheRingToTypedHandlers() {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        new TradeEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder()).quantity(3);
        final long[] volume = new long[2];
        final MessageDispatcher dispatcher = new MessageDispatcher(
            (buffer, offset, length, header) -> volume[0]--, Throwable::printStackTrace)
            .on(new TradeDecoder(), (trade, header) -> {
                volume[0] += trade.quantity();
                volume[1] = header.position();
            });
        try (RingLoopback loopback = new RingLoopback("log=shared", message, dispatcher)) {
            shouldNotAllocate(loopback);
        }
        assertEquals(3L * (WARM_UP_MESSAGES + MESSAGES), volume[0]);
    }

    /** The recording has what happens to the transport, and slow handlers are watched for. */
    @ParameterizedTest
    @ValueSource(strings = {SHARED, COPIED})
    void shouldNotAllocateWhileARecordingRuns(String channel, @TempDir Path folder) throws Exception {
        try (Recording recording = recording(); Loopback loopback = loopback(channel, false)) {
            shouldNotAllocate(loopback::offerAndPoll);
            final Runnable fillAndDrain = loopback::fillAndDrain;
            final int messagesPerFill = loopback.fillAndDrain();
            final long allocated = allocatedBy(fillAndDrain, 1 + WARM_UP_MESSAGES / messagesPerFill,
                1 + MESSAGES / messagesPerFill);
            assertTrue(allocated < MAX_BYTES, allocated + " bytes in " + MESSAGES + " messages");
            assertRecorded(recording, folder, "io.sluice.ImageAvailable", "io.sluice.PressureChanged");
        }
    }

    /** All threads are counted as above; each message is measured, and the recording is told. */
    @Test
    void shouldNotAllocateThroughTheRingToHandlersWhileARecordingRuns(@TempDir Path folder) throws Exception {
        try (Recording recording = recording();
            RingLoopback loopback = new RingLoopback("log=shared" + LATENCY, MESSAGE_LENGTH)) {
            shouldNotAllocate(loopback);
            assertRecorded(recording, folder, "io.sluice.ImageAvailable", "io.sluice.Latency");
        }
    }

    private static Recording recording() throws Exception {
        final Recording recording = new Recording(Configuration.getConfiguration("default"));
        recording.enable("io.sluice.SlowHandler").withThreshold(Duration.ofMillis(1));
        recording.start();
        return recording;
    }

    /** Asserts that there are these events, and none of Sluice that a thread of the data path has committed. */
    private static void assertRecorded(Recording recording, Path folder, String... names) throws Exception {
        final Path file = folder.resolve("recording.jfr");
        recording.dump(file);
        final List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("io.sluice.")).toList();
        for (final String name : names) {
            assertTrue(events.stream().anyMatch(event -> event.getEventType().getName().equals(name)),
                () -> name + " is not among " + events);
        }
        assertEquals(Set.of("sluice-conductor"), events.stream().map(event -> event.getThread().getJavaName())
            .collect(Collectors.toSet()));
    }

    private void shouldNotAllocate(RingLoopback loopback) {
        loopback.run(WARM_UP_MESSAGES);
        final long[] dataPath = dataPathThreads();
        final long before = allocatedBy(dataPath);
        loopback.run(MESSAGES);
        final long allocated = allocatedBy(dataPath) - before;
        assertEquals(4, dataPath.length, "caller, poller and two consumers");
        assertTrue(allocated < MAX_BYTES, allocated + " bytes in " + MESSAGES + " messages");
    }

    private static long[] dataPathThreads() {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread == Thread.currentThread() || thread.getName().startsWith("sluice-poller")
                || thread.getName().startsWith("sluice-consumer"))
            .mapToLong(Thread::threadId).toArray();
    }

    private long allocatedBy(long... threadIds) {
        long allocated = 0;
        for (final long threadId : threadIds) {
            final long ofThread = threads.getThreadAllocatedBytes(threadId);
            assertTrue(ofThread >= 0, "a thread has ended, and what it allocated is not known: thread=" + threadId);
            allocated += ofThread;
        }
        return allocated;
    }

    private void shouldNotAllocate(Runnable operation) {
        final long allocated = allocatedBy(operation, WARM_UP_MESSAGES, MESSAGES);
        assertTrue(allocated < MAX_BYTES, allocated + " bytes in " + MESSAGES + " operations");
    }

    private long allocatedBy(Runnable operation, int warmUps, int repetitions) {
        repeat(operation, warmUps);
        final long before = threads.getCurrentThreadAllocatedBytes();
        repeat(operation, repetitions);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}

package io.sluice.perf.jmh;

import io.sluice.environment.SystemEnvironment;
import io.sluice.perf.rig.TemporaryFolders;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.software.SoftwareDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of a WRITE WITH IMMEDIATE of 64 bytes on the software device: posted on one queue pair, completed
 * on its peer's completion queue, and its receive posted again, on one thread, singly and in batches.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class CompletionBenchmark {
    private static final int BATCH = 16;
    private static final int WORK = 64;
    private static final int LENGTH = 64;
    private static final int REGION_LENGTH = 4096;
    private static final int RETRIES = 7;

    private Path folder;
    private SoftwareDevice device;
    private ProtectionDomain domain;
    private CompletionQueue sendQueue;
    private CompletionQueue receiveQueue;
    private QueuePair sender;
    private QueuePair receiver;
    private MemoryRegion source;
    private MemoryRegion target;
    private int posted;

    /** Makes a benchmark; JMH does. */
    public CompletionBenchmark() {
    }

    @Setup
    public void open() throws IOException {
        folder = Files.createTempDirectory("sluice-cq-");
        device = SoftwareDevice.open(SystemEnvironment.instance(), folder);
        domain = device.allocateProtectionDomain();
        sendQueue = device.createCompletionQueue(new CompletionQueueAttributes(2 * WORK, 0, null));
        receiveQueue = device.createCompletionQueue(
            new CompletionQueueAttributes(2 * WORK, CompletionField.IMMEDIATE, null));
        sender = queuePair();
        receiver = queuePair();
        source = domain.allocateRegion(REGION_LENGTH, AccessFlags.LOCAL_WRITE);
        target = domain.allocateRegion(REGION_LENGTH, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        receiver.postReceives(0, WORK);
        receiver.readyToReceive(sender.localAddress());
        sender.readyToReceive(receiver.localAddress());
        receiver.readyToSend();
        sender.readyToSend();
    }

    private QueuePair queuePair() {
        final QueuePair queuePair = domain.createQueuePair(
            new QueuePairAttributes(sendQueue, receiveQueue, WORK, WORK, 0, RETRIES, 0, RETRIES, 0));
        queuePair.initialise(AccessFlags.REMOTE_WRITE);
        return queuePair;
    }

    @TearDown
    public void close() {
        CloseHelper.closeAll(sender, receiver, target, source, receiveQueue, sendQueue, domain, device);
        TemporaryFolders.delete(folder);
    }

    @Benchmark
    public int postAndPoll() {
        post();
        final int immediate = drain(1);
        receiver.postReceives(0, 1);
        return immediate;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int postAndPollBatch() {
        for (int i = 0; i < BATCH; i++) {
            post();
        }
        final int immediate = drain(BATCH);
        receiver.postReceives(0, BATCH);
        return immediate;
    }

    private void post() {
        final boolean signalled = ++posted % (WORK / 2) == 0;
        final int result = sender.postWriteWithImmediate(0, signalled ? WorkFlags.SIGNALED : WorkFlags.NONE,
            source.address(), source.localKey(), LENGTH, target.address(), target.remoteKey(), posted);
        if (result != Errno.OK) {
            throw new IllegalStateException("post: errno=" + result);
        }
        if (signalled) {
            reap();
        }
    }

    private void reap() {
        if (sendQueue.startPoll() == Errno.OK) {
            int next;
            do {
                next = sendQueue.nextPoll();
            } while (next == Errno.OK);
            sendQueue.endPoll();
        }
    }

    private int drain(final int count) {
        int immediates = 0;
        int drained = 0;
        while (drained < count) {
            if (receiveQueue.startPoll() == Errno.OK) {
                do {
                    immediates += receiveQueue.immediateData();
                    drained++;
                } while (receiveQueue.nextPoll() == Errno.OK);
                receiveQueue.endPoll();
            }
        }
        return immediates;
    }
}

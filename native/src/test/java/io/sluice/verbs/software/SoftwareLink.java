package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.sluice.environment.Environment;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.WorkFlags;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Two software devices with a connected queue pair each, for tests that know the provider. */
final class SoftwareLink implements AutoCloseable {
    static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
    static final int WORK = 16;
    static final int REGION_LENGTH = 64 * 1024;

    final SoftwareDevice left;
    final SoftwareDevice right;
    final ProtectionDomain leftDomain;
    final ProtectionDomain rightDomain;
    final CompletionQueue leftSends;
    final CompletionQueue rightReceives;
    final QueuePair leftPair;
    final QueuePair rightPair;
    final MemoryRegion leftRegion;
    final MemoryRegion rightRegion;
    final List<AsyncEventType> events = new ArrayList<>();
    private final List<AutoCloseable> resources = new ArrayList<>();

    SoftwareLink(final SoftwareDevice left, final SoftwareDevice right, final int rnrRetryCount) {
        this.left = left;
        this.right = right;
        leftDomain = left.allocateProtectionDomain();
        rightDomain = right.allocateProtectionDomain();
        leftSends = newQueue(left);
        rightReceives = newQueue(right);
        leftPair = newPair(leftDomain, leftSends, leftSends, rnrRetryCount);
        rightPair = newPair(rightDomain, rightReceives, rightReceives, rnrRetryCount);
        leftRegion = keep(leftDomain.allocateRegion(REGION_LENGTH, ACCESS));
        rightRegion = keep(rightDomain.allocateRegion(REGION_LENGTH, ACCESS));
        connect(leftPair, rightPair);
    }

    static SoftwareLink open(final Environment environment, final Path fabric) {
        return new SoftwareLink(
            SoftwareDevice.open(environment, fabric), SoftwareDevice.open(environment, fabric), 0);
    }

    static SoftwareLink open(final Environment environment, final Path fabric, final FaultHook hookOfLeft) {
        return new SoftwareLink(
            SoftwareDevice.open(environment, fabric, hookOfLeft), SoftwareDevice.open(environment, fabric), 0);
    }

    static void connect(final QueuePair one, final QueuePair other) {
        one.initialise(ACCESS);
        other.initialise(ACCESS);
        one.readyToReceive(other.localAddress());
        other.readyToReceive(one.localAddress());
        one.readyToSend();
        other.readyToSend();
    }

    <T extends AutoCloseable> T keep(final T resource) {
        resources.add(resource);
        return resource;
    }

    CompletionQueue newQueue(final SoftwareDevice device) {
        return keep(device.createCompletionQueue(new CompletionQueueAttributes(1024,
            CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE | CompletionField.QUEUE_PAIR_NUMBER, null)));
    }

    QueuePair newPair(
        final ProtectionDomain domain,
        final CompletionQueue sends,
        final CompletionQueue receives,
        final int rnrRetryCount) {
        return keep(domain.createQueuePair(
            new QueuePairAttributes(sends, receives, WORK, WORK, 64, rnrRetryCount, 12, 6, 14)));
    }

    /** Post a WRITE WITH IMMEDIATE of some bytes at an offset. */
    int write(final long id, final int offset, final int length, final int immediate) {
        return leftPair.postWriteWithImmediate(id, WorkFlags.SIGNALED, leftRegion.address() + offset,
            leftRegion.localKey(), length, rightRegion.address() + offset, rightRegion.remoteKey(), immediate);
    }

    void duties() {
        left.poll((type, queue, pair) -> events.add(type));
        right.poll((type, queue, pair) -> events.add(type));
    }

    /** The next completion's immediate data; it must be there. */
    static int takeImmediate(final CompletionQueue queue) {
        assertEquals(Errno.OK, queue.startPoll());
        assertEquals(0, queue.status());
        final int immediate = queue.immediateData();
        queue.endPoll();
        return immediate;
    }

    /** The next completion's status; it must be there. */
    static int takeStatus(final CompletionQueue queue) {
        assertEquals(Errno.OK, queue.startPoll());
        final int status = queue.status();
        queue.endPoll();
        return status;
    }

    static void assertEmpty(final CompletionQueue queue) {
        assertNotNull(queue);
        assertEquals(Errno.ENOENT, queue.startPoll());
    }

    /** File of a queue pair, by its place in the documented layout of the fabric. */
    static Path file(final SoftwareDevice device, final QueuePair pair) {
        return device.context().folder().resolve(FabricNames.queuePair(pair.number()));
    }

    static Path file(final SoftwareDevice device, final CompletionQueue queue) {
        return device.context().folder().resolve(
            FabricNames.completionQueue(((SoftwareCompletionQueue) queue).number()));
    }

    @Override
    public void close() {
        leftPair.close();
        rightPair.close();
        closeAll(QueuePair.class);
        closeAll(CompletionQueue.class);
        closeAll(MemoryRegion.class);
        left.close();
        right.close();
    }

    private void closeAll(final Class<? extends AutoCloseable> type) {
        for (final AutoCloseable resource : resources) {
            if (type.isInstance(resource)) {
                try {
                    resource.close();
                } catch (final Exception e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}

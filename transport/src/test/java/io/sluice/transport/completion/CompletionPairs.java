package io.sluice.transport.completion;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import org.agrona.CloseHelper;

/** Two connected queue pairs of the software device: what the one sends completes in the other's queue. */
final class CompletionPairs implements AutoCloseable {
    static final int MESSAGE_LENGTH = 24;
    private static final int DEPTH = 64;
    private static final int FIELDS =
        CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE | CompletionField.QUEUE_PAIR_NUMBER;

    private final RdmaDevice device;
    private final ProtectionDomain domain;
    private final MemoryRegion region;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final QueuePair sender;
    private final QueuePair receiver;

    CompletionPairs(final Path directory) {
        device = SoftwareDevice.open(SystemEnvironment.instance(), directory);
        domain = device.allocateProtectionDomain();
        region = domain.allocateRegion(4096, AccessFlags.LOCAL_WRITE);
        sends = device.createCompletionQueue(new CompletionQueueAttributes(2 * DEPTH, 0, null));
        receives = device.createCompletionQueue(new CompletionQueueAttributes(2 * DEPTH, FIELDS, null));
        sender = pair(sends);
        receiver = pair(receives);
        receiver.readyToReceive(sender.localAddress());
        receiver.readyToSend();
        sender.readyToReceive(receiver.localAddress());
        sender.readyToSend();
    }

    private QueuePair pair(final CompletionQueue queue) {
        final QueuePair pair =
            domain.createQueuePair(new QueuePairAttributes(queue, queue, DEPTH, DEPTH, 0, 7, 12, 6, 14));
        pair.initialise(AccessFlags.LOCAL_WRITE);
        return pair;
    }

    CompletionQueue receives() {
        return receives;
    }

    int receivingNumber() {
        return receiver.number();
    }

    /** A receive. */
    void post(final long workRequestId) {
        require(receiver.postReceive(workRequestId, region.address(), region.localKey(), MESSAGE_LENGTH));
    }

    /** A message for a receive that was posted. */
    void send(final int immediate) {
        require(sender.postSendWithImmediate(
            0, WorkFlags.NONE, region.address(), region.localKey(), MESSAGE_LENGTH, immediate));
    }

    private static void require(final int result) {
        if (result != Errno.OK) {
            throw new AssertionError("posting has failed: " + Errno.describe(result));
        }
    }

    /** Posted receives complete with an error. */
    void fail() {
        receiver.fail();
    }

    @Override
    public void close() {
        CloseHelper.closeAll(sender, receiver, sends, receives, region, domain, device);
    }
}

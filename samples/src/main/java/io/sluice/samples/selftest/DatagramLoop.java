package io.sluice.samples.selftest;

import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairType;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.util.List;
import org.agrona.CloseHelper;

/**
 * Two queue pairs of datagrams: the first sends to the second, whose receives lie one after the other in the target.
 * They may arrive in any order, and in principle not at all.
 */
final class DatagramLoop extends Loop {
    private static final int QUEUE_KEY = 0x1234_5678;

    private final int slotLength;
    private final int slots;
    private AddressHandle handle;
    private int nextSlot;

    private DatagramLoop(final RdmaDevice device, final LoopOptions options, final int length) {
        super(device, options);
        slotLength = QueuePair.GLOBAL_ROUTE_HEADER_LENGTH + length;
        slots = LENGTH / slotLength;
    }

    /**
     * A loop for datagrams up to a length.
     *
     * @param options of it.
     * @param length  of the longest datagram.
     */
    static DatagramLoop open(final RdmaDevice device, final LoopOptions options, final int length) {
        return connected(new DatagramLoop(device, options, length));
    }

    @Override
    void connect() {
        first = queuePair(sends, returns, options.sendWork());
        second = queuePair(returns, receives, WORK);
        for (final QueuePair each : List.of(first, second)) {
            each.initialiseDatagrams(QUEUE_KEY);
            each.readyToReceiveDatagrams();
            each.readyToSend();
        }
        handle = domain.createAddressHandle(device.portAddress());
    }

    /**
     * Creates a queue pair with as much inline data as the device grants. The device's inline range is that of a
     * connected queue pair; beside an address there may be less room.
     */
    private QueuePair queuePair(
        final CompletionQueue sendQueue, final CompletionQueue receiveQueue, final int work) {
        for (int inline = device.attributes().maxInlineData();; inline /= 2) {
            try {
                return domain.createQueuePair(
                    new QueuePairAttributes(sendQueue, receiveQueue, work, WORK, inline, 0, 0, 0, 0)
                        .withType(QueuePairType.UNRELIABLE_DATAGRAM));
            } catch (final VerbsException e) {
                if (inline == 0) {
                    throw e;
                }
            }
        }
    }

    @Override
    void expect(final int count) {
        for (int i = 0; i < count; i++) {
            require("ibv_post_recv", second.postReceive(nextSlot, target.address() + (long) nextSlot * slotLength,
                target.localKey(), slotLength));
            nextSlot = (nextSlot + 1) % slots;
        }
    }

    @Override
    int send(final int flags, final int offset, final int length, final int number) {
        return first.postSendToWithImmediate(number, flags, source.address() + offset, source.localKey(), length,
            handle, second.number(), QUEUE_KEY, number);
    }

    /** Fail unless the current completion of a receive is whole. */
    void checkReceived(final CompletionQueue queue, final int length) {
        final int found = queue.byteLength() - QueuePair.GLOBAL_ROUTE_HEADER_LENGTH;
        if (found != length) {
            throw new CheckFailure("length=" + found + " instead of " + length + " message=" + queue.immediateData());
        }
        checkArrived((int) queue.workRequestId() * slotLength + QueuePair.GLOBAL_ROUTE_HEADER_LENGTH, length,
            queue.immediateData());
    }

    @Override
    public void close() {
        // before the domain of which it is
        CloseHelper.closeAll(handle, super::close);
    }
}

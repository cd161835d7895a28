package io.sluice.verbs.software;

import io.sluice.verbs.QueuePairAttributes;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A queue pair's places in its one or two completion queues. */
final class QueuePairAttachment {
    private final SoftwareCompletionQueue sendCompletionQueue;
    private final SoftwareCompletionQueue receiveCompletionQueue;
    private final CompletionSource sendSource;
    private final CompletionSource receiveSource;
    private final ReadySignal sendSignal;
    private final ReadySignal receiveSignal;

    QueuePairAttachment(
        final QueueOwner owner,
        final QueuePairNumbers numbers,
        final QueuePairAttributes attributes,
        final LocalCompletions sends,
        final ReceiveCompletions receives) {
        sendCompletionQueue = (SoftwareCompletionQueue) attributes.sendQueue();
        receiveCompletionQueue = (SoftwareCompletionQueue) attributes.receiveQueue();
        final int maxSends = attributes.maxSendWork();
        final int maxReceives = ReceiveQueue.maxCompletions(attributes);
        if (sendCompletionQueue == receiveCompletionQueue) {
            receiveSource = receiveCompletionQueue.attach(owner, numbers, receives, sends, maxReceives + maxSends);
            sendSource = receiveSource;
        } else {
            receiveSource = receiveCompletionQueue.attach(owner, numbers, receives, null, maxReceives);
            sendSource = attachSends(owner, numbers, sends, maxSends);
        }
        sendSignal = sendCompletionQueue.signal(sendSource.slot());
        receiveSignal = receiveCompletionQueue.signal(receiveSource.slot());
    }

    private CompletionSource attachSends(
        final QueueOwner owner, final QueuePairNumbers numbers, final LocalCompletions sends, final int maxSends) {
        CompletionSource source = null;
        try {
            source = sendCompletionQueue.attach(owner, numbers, null, sends, maxSends);
            return source;
        } finally {
            if (source == null) {
                receiveCompletionQueue.detach(receiveSource);
            }
        }
    }

    int receiveSlot() {
        return receiveSource.slot();
    }

    ReadySignal sendSignal() {
        return sendSignal;
    }

    ReadySignal receiveSignal() {
        return receiveSignal;
    }

    void detach() {
        receiveCompletionQueue.detach(receiveSource);
        if (sendSource != receiveSource) {
            sendCompletionQueue.detach(sendSource);
        }
    }

    /** Guards of the threads inside polls of the queues. */
    List<BooleanSupplier> polls() {
        return List.of(receiveCompletionQueue::isBusy, sendCompletionQueue::isBusy);
    }
}

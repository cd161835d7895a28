package io.sluice.verbs.software;

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

    QueuePairAttachment(final SoftwareQueuePair queuePair) {
        sendCompletionQueue = queuePair.sendCompletionQueue();
        receiveCompletionQueue = queuePair.receiveCompletionQueue();
        final LocalCompletions sends = queuePair.sendQueue().completions();
        final ReceiveCompletions receives = queuePair.receiveQueue().completions();
        final int maxSends = queuePair.attributes().maxSendWork();
        final int maxReceives = ReceiveQueue.maxCompletions(queuePair.attributes());
        if (sendCompletionQueue == receiveCompletionQueue) {
            receiveSource = receiveCompletionQueue.attach(queuePair, receives, sends, maxReceives + maxSends);
            sendSource = receiveSource;
        } else {
            receiveSource = receiveCompletionQueue.attach(queuePair, receives, null, maxReceives);
            sendSource = attachSends(queuePair, sends, maxSends);
        }
        sendSignal = sendCompletionQueue.signal(sendSource.slot());
        receiveSignal = receiveCompletionQueue.signal(receiveSource.slot());
    }

    private CompletionSource attachSends(
        final SoftwareQueuePair queuePair, final LocalCompletions sends, final int maxSends) {
        CompletionSource source = null;
        try {
            source = sendCompletionQueue.attach(queuePair, null, sends, maxSends);
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

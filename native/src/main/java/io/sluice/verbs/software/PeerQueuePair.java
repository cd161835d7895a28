package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import org.agrona.UnsafeApi;

/** A connected peer's queue pair, mapped and checked. What can change is read through {@link #file()} each time. */
final class PeerQueuePair {
    private final QueuePairAddress address;
    private final MappedMemory memory;
    private final PeerCompletionQueue completionQueue;
    private final PeerSharedReceives sharedReceives;
    private final ReadySignal signal;
    private final int receiveEntries;
    private final int completionEntries;
    private final int minRnrTimerCode;
    private final int domain;

    PeerQueuePair(
        final QueuePairAddress address,
        final MappedMemory memory,
        final PeerCompletionQueue completionQueue,
        final PeerSharedReceives sharedReceives,
        final int receiveEntries,
        final int completionEntries) {
        this.address = address;
        this.memory = memory;
        this.completionQueue = completionQueue;
        this.sharedReceives = sharedReceives;
        this.receiveEntries = receiveEntries;
        this.completionEntries = completionEntries;
        signal = completionQueue.signal(address.slot());
        minRnrTimerCode = UnsafeApi.getInt(memory.address() + QueuePairLayout.MIN_RNR_TIMER_OFFSET);
        domain = UnsafeApi.getInt(memory.address() + QueuePairLayout.DOMAIN_OFFSET);
    }

    QueuePairAddress address() {
        return address;
    }

    long file() {
        return memory.address();
    }

    ReadySignal signal() {
        return signal;
    }

    int receiveEntries() {
        return receiveEntries;
    }

    int completionEntries() {
        return completionEntries;
    }

    /** The queue that its receives are taken from; null when the queue pair has its own. */
    PeerSharedReceives sharedReceives() {
        return sharedReceives;
    }

    /** Mappings held. */
    int mappings() {
        return sharedReceives == null ? 2 : 3;
    }

    int minRnrTimerCode() {
        return minRnrTimerCode;
    }

    int domain() {
        return domain;
    }

    void close() {
        if (sharedReceives != null) {
            sharedReceives.close();
        }
        completionQueue.close();
        memory.close();
    }
}

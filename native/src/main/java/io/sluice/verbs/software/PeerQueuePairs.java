package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.environment.FileErrors;
import io.sluice.environment.LocalSocket;
import io.sluice.environment.MappedMemory;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Path;
import org.agrona.BitUtil;
import org.agrona.UnsafeApi;

/** Set-up: maps and checks what a peer's address names. Nothing there is trusted. */
final class PeerQueuePairs {
    private static final String CALL = "ibv_modify_qp";
    /** Completions of both queues of a pair, whose sizes are rounded up to powers of two. */
    private static final int MAX_ENTRIES = 2 * SoftwareLimits.MAX_WORK_REQUESTS;
    private static final long MAX_LENGTH = QueuePairLayout.sharedLength(MAX_ENTRIES, MAX_ENTRIES);

    private PeerQueuePairs() {
    }

    /** Sizes of a queue pair's rings, checked, and the number of its shared receive queue or 0. */
    private record Rings(int receives, int completions, int sharedQueue) {
    }

    static PeerQueuePair open(final Environment environment, final Path fabric, final QueuePairAddress address) {
        final Path folder = fabric.resolve(address.folder());
        final Path path = folder.resolve(FabricNames.queuePair(address.number()));
        MappedMemory memory = null;
        PeerQueuePair peer = null;
        try {
            memory = environment.files().open(path, true, MAX_LENGTH);
            final long file = memory.address();
            final boolean isQueuePair = memory.length() >= QueuePairLayout.ENTRIES_OFFSET
                && UnsafeApi.getLongAcquire(null, file + QueuePairLayout.MAGIC_OFFSET) == QueuePairLayout.MAGIC
                && UnsafeApi.getInt(file + QueuePairLayout.VERSION_OFFSET) == QueuePairLayout.VERSION
                && UnsafeApi.getInt(file + QueuePairLayout.NUMBER_OFFSET) == address.number();
            if (!isQueuePair || UnsafeApi.getLong(file + QueuePairLayout.NONCE_OFFSET) != address.nonce()) {
                throw new VerbsException(CALL, Errno.EINVAL, path + " is not the queue pair that the address names");
            }
            final int receives = UnsafeApi.getInt(file + QueuePairLayout.RECEIVE_ENTRIES_OFFSET);
            final int completions = UnsafeApi.getInt(file + QueuePairLayout.COMPLETION_ENTRIES_OFFSET);
            final int shared = UnsafeApi.getInt(file + QueuePairLayout.SHARED_QUEUE_OFFSET);
            final long length = shared == 0
                ? QueuePairLayout.length(receives, completions) : QueuePairLayout.sharedLength(receives, completions);
            if (!isRing(receives) || !isRing(completions) || completions < receives || memory.length() < length) {
                throw new VerbsException(CALL, Errno.EINVAL, path + " is damaged: receive entries=" + receives
                    + ", completion entries=" + completions + ", bytes=" + memory.length());
            }
            peer = open(environment, address, memory, folder, new Rings(receives, completions, shared));
            return peer;
        } catch (final IOException e) {
            throw SystemRefusal.of(CALL, Errno.EINVAL, FileErrors.isWant(e)
                ? "cannot open the peer's queue pair" : "the peer's queue pair is gone", e);
        } finally {
            if (peer == null && memory != null) {
                memory.close();
            }
        }
    }

    private static PeerQueuePair open(
        final Environment environment,
        final QueuePairAddress address,
        final MappedMemory memory,
        final Path folder,
        final Rings rings) throws IOException {
        final PeerSharedReceives shared =
            rings.sharedQueue() == 0 ? null : openSharedReceives(environment, folder, rings.sharedQueue());
        PeerCompletionQueue queue = null;
        try {
            queue = openCompletionQueue(environment, folder, address.completionQueue());
            return new PeerQueuePair(address, memory, queue, shared, rings.receives(), rings.completions());
        } finally {
            if (queue == null && shared != null) {
                shared.close();
            }
        }
    }

    private static PeerSharedReceives openSharedReceives(
        final Environment environment, final Path folder, final int number) throws IOException {
        final Path path = folder.resolve(FabricNames.sharedReceiveQueue(number));
        MappedMemory memory = null;
        PeerSharedReceives receives = null;
        try {
            memory = environment.files().open(path, true, SharedQueueLayout.length(MAX_ENTRIES));
            final int entries = memory.length() < SharedQueueLayout.ENTRIES_OFFSET
                ? 0 : UnsafeApi.getInt(memory.address() + SharedQueueLayout.ENTRY_COUNT_OFFSET);
            if (!isRing(entries) || memory.length() < SharedQueueLayout.length(entries)
                || !SharedQueueLayout.isOf(memory.address(), number)) {
                throw new VerbsException(CALL, Errno.EINVAL, path + " is not a shared receive queue");
            }
            receives = new PeerSharedReceives(memory, entries);
            return receives;
        } finally {
            if (receives == null && memory != null) {
                memory.close();
            }
        }
    }

    private static boolean isRing(final int entries) {
        return entries >= 1 && entries <= MAX_ENTRIES && BitUtil.isPowerOfTwo(entries);
    }

    private static PeerCompletionQueue openCompletionQueue(
        final Environment environment, final Path folder, final int number) throws IOException {
        final Path path = folder.resolve(FabricNames.completionQueue(number));
        MappedMemory memory = null;
        PeerCompletionQueue queue = null;
        try {
            memory = environment.files().open(path, true, CompletionQueueLayout.LENGTH);
            if (memory.length() != CompletionQueueLayout.LENGTH
                || !CompletionQueueLayout.isOf(memory.address(), number)) {
                throw new VerbsException(CALL, Errno.EINVAL, path + " is not a completion queue");
            }
            final int channel = UnsafeApi.getInt(memory.address() + CompletionQueueLayout.CHANNEL_OFFSET);
            LocalSocket socket = null;
            if (channel != 0) {
                socket = environment.localSockets().connect(folder.resolve(FabricNames.channelSocket(channel)));
            }
            queue = new PeerCompletionQueue(memory, socket);
            return queue;
        } finally {
            if (queue == null && memory != null) {
                memory.close();
            }
        }
    }
}

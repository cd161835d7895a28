package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.VerbsException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Set-up: makes the queues of a device in files of its folder. Unmaps them, and regions, when they are closed and no
 * thread is inside any more. Any thread may call.
 */
final class QueueFactory {
    private final DeviceContext device;
    private final DeviceObjects objects;

    QueueFactory(final DeviceContext device, final DeviceObjects objects) {
        this.device = device;
        this.objects = objects;
    }

    CompletionQueue createCompletionQueue(final CompletionQueueAttributes attributes) {
        final String call = "ibv_create_cq_ex";
        device.checkOpen(call);
        CompletionQueueRequests.check(call, attributes, SoftwareDescription.ATTRIBUTES);
        final CompletionChannel channel = attributes.channel();
        if (channel != null && (!(channel instanceof final SoftwareCompletionChannel own) || own.device() != device)) {
            throw new VerbsException(call, Errno.EINVAL, "the channel is not one of this device");
        }
        final int number = device.newNumber();
        final String file = FabricNames.completionQueue(number);
        final MappedMemory memory = device.createFile(call, file, CompletionQueueLayout.LENGTH);
        SoftwareCompletionQueue queue = null;
        boolean isAdded = false;
        try {
            queue = new SoftwareCompletionQueue(device, number, attributes, memory, this::dispose);
            queue.completionEvents().open();
            device.removedFiles().add(NamedFiles.Kind.COMPLETION_QUEUE, queue);
            // last: from now on whoever releases the device closes it
            objects.add(queue);
            isAdded = true;
            return queue;
        } finally {
            if (!isAdded) {
                if (queue != null) {
                    queue.withdraw();
                    leave(queue);
                }
                memory.close();
                device.deleteFile(call, file);
            }
        }
    }

    /** Makes peers, and whoever looks for removed files, know a queue no more. */
    private void leave(final SoftwareCompletionQueue queue) {
        queue.completionEvents().close();
        device.removedFiles().remove(NamedFiles.Kind.COMPLETION_QUEUE, queue);
    }

    SharedReceiveQueue createSharedReceiveQueue(final DomainContents domain, final int capacity) {
        final String call = "ibv_create_srq";
        final int number = device.newNumber();
        final String file = FabricNames.sharedReceiveQueue(number);
        final MappedMemory memory = device.createFile(
            call, file, SharedQueueLayout.length(SoftwareSharedReceiveQueue.entriesFor(capacity)));
        boolean isAdded = false;
        try {
            final SoftwareSharedReceiveQueue queue = new SoftwareSharedReceiveQueue(
                domain, device.newEvents(), number, capacity, memory, this::dispose);
            objects.add(queue);
            isAdded = true;
            return queue;
        } finally {
            if (!isAdded) {
                memory.close();
                device.deleteFile(call, file);
            }
        }
    }

    QueuePair createQueuePair(final DomainContents domain, final QueuePairAttributes attributes) {
        final String call = "ibv_create_qp";
        final int number = objects.newQueuePairNumber();
        final String file = FabricNames.queuePair(number);
        final MappedMemory memory = device.createFile(call, file, ReceiveQueue.fileLength(attributes));
        SoftwareQueuePair queuePair = null;
        boolean isAdded = false;
        try {
            queuePair = new SoftwareQueuePair(device, domain, number, attributes, memory, this::dispose);
            objects.add(queuePair);
            isAdded = true;
            return queuePair;
        } finally {
            if (!isAdded) {
                if (queuePair != null) {
                    queuePair.withdraw();
                }
                discard(memory, attributes);
                device.deleteFile(call, file);
            }
        }
    }

    /** Unmap what a queue pair lies in that could not be made: a poll of one of its queues may have seen it. */
    private void discard(final MappedMemory memory, final QueuePairAttributes attributes) {
        final SoftwareCompletionQueue sends = (SoftwareCompletionQueue) attributes.sendQueue();
        final SoftwareCompletionQueue receives = (SoftwareCompletionQueue) attributes.receiveQueue();
        if (device.awaitQuiet(List.of(sends::isBusy, receives::isBusy))) {
            memory.close();
        } else {
            device.abandon(1);
        }
    }

    /** Unmap and delete a region that is marked closed. */
    void dispose(final SoftwareRegion region) {
        final RegionDescription description = region.description();
        if (device.awaitQuiet(objects.sends())) {
            region.unmap();
        } else {
            device.abandon(region.mappings());
        }
        try {
            device.deleteFile("ibv_dereg_mr", FabricNames.regionHeader(description.key()));
        } finally {
            if (region.ownsData()) {
                device.deleteFile("ibv_dereg_mr", FabricNames.regionData(description.dataKey()));
            }
        }
    }

    private void dispose(final SoftwareQueuePair queuePair, final List<BooleanSupplier> guards) {
        if (queuePair.peerProcess() != null) {
            device.peers().leave(queuePair.peerProcess());
        }
        try {
            if (device.awaitQuiet(guards)) {
                queuePair.unmap();
            } else {
                device.abandon(queuePair.mappings());
                objects.abandon(queuePair);
            }
            device.deleteFile("ibv_destroy_qp", FabricNames.queuePair(queuePair.number()));
        } finally {
            // last: whoever closes a region or a queue meanwhile has to see the threads that are inside its posts
            objects.remove(queuePair);
        }
    }

    private void dispose(final SoftwareCompletionQueue queue, final List<BooleanSupplier> guards) {
        objects.remove(queue);
        leave(queue);
        if (device.awaitQuiet(Stream.of(guards, objects.postsAt(queue)).flatMap(List::stream).toList())) {
            queue.unmap();
        } else {
            device.abandon(1);
        }
        device.deleteFile("ibv_destroy_cq", FabricNames.completionQueue(queue.number()));
    }

    private void dispose(final SoftwareSharedReceiveQueue queue, final List<BooleanSupplier> guards) {
        objects.remove(queue);
        if (device.awaitQuiet(guards)) {
            queue.unmap();
        } else {
            device.abandon(1);
        }
        device.deleteFile("ibv_destroy_srq", FabricNames.sharedReceiveQueue(queue.number()));
    }
}

package io.sluice.verbs.model;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.foreign.PresentLibraries;
import io.sluice.verbs.rdma.PostingInterface;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A model with a region and a completion queue below the provider, for tests of what its violations tell. */
abstract class OpenedModelTests {
    /** Requests that each queue of a queue pair has room for. */
    static final int WORK = 4;
    static final int LENGTH = 4096;
    static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    private final List<AutoCloseable> resources = new ArrayList<>();
    Model model;
    RdmaDevice device;
    ProtectionDomain domain;
    MemoryRegion region;
    CompletionQueue queue;

    @BeforeEach
    void requireLibraries() {
        PresentLibraries.assume();
    }

    @AfterEach
    void close() throws Exception {
        for (final AutoCloseable resource : resources.reversed()) {
            resource.close();
        }
    }

    final <T extends AutoCloseable> T keep(final T resource) {
        resources.add(resource);
        return resource;
    }

    final void open(final ModelCard card, final PostingInterface posting, final int capacity) {
        open(card, posting, capacity, 0);
    }

    /** Open a card, with a region that can be accessed in some more ways. */
    final void open(final ModelCard card, final PostingInterface posting, final int capacity, final int access) {
        open(card, RdmaDeviceOptions.DEFAULT.withPostingInterface(posting), capacity, access);
    }

    final void open(
        final ModelCard card, final RdmaDeviceOptions options, final int capacity, final int access) {
        model = new Model(card, SystemEnvironment.instance());
        device = keep(model.open(options));
        domain = keep(device.allocateProtectionDomain());
        region = keep(domain.allocateRegion(LENGTH, ACCESS | access));
        queue = keep(device.createCompletionQueue(
            new CompletionQueueAttributes(capacity, CompletionField.QUEUE_PAIR_NUMBER, null)));
    }

    static void link(final QueuePair left, final QueuePair right) {
        left.initialise(ACCESS);
        right.initialise(ACCESS);
        left.readyToReceive(right.localAddress());
        right.readyToReceive(left.localAddress());
        left.readyToSend();
        right.readyToSend();
    }

    final int poll() {
        final int result = queue.startPoll();
        if (result == Errno.OK) {
            queue.endPoll();
        }
        return result;
    }

    /** Runs on a thread until it has ended or waits for a lock of the card. */
    static Runnable aside(final Runnable calls, final List<Thread> started) {
        return () -> {
            final Thread thread = new Thread(calls);
            started.add(thread);
            thread.start();
            while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        };
    }

    static void join(final List<Thread> threads) throws InterruptedException {
        for (final Thread thread : threads) {
            thread.join();
        }
    }
}

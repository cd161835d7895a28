package io.sluice.transport.stream;

import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The protection domain of one end of a link, over all its epochs. A key is good on the queue pairs of its domain only,
 * so the peer of the link reaches what is registered here, and no other peer does. It is allocated with the first thing
 * that is made in it, and freed when the link is over and all of that is closed: a handler may read a ring for longer
 * than the link lasts. Set-up thread; any other may close what was made.
 */
final class LinkDomain implements AutoCloseable {
    private final RdmaDevice device;
    private final Set<Object> living = Collections.newSetFromMap(new IdentityHashMap<>());
    private ProtectionDomain domain;
    /** The log; null where nothing is sent from one. */
    private MemoryRegion sent;
    private boolean isOver;

    LinkDomain(final RdmaDevice device) {
        this.device = device;
    }

    /** Memory for the peer to write to, or for this end only. */
    synchronized MemoryRegion allocateRegion(final long length, final int access) {
        return keep(domain().allocateRegion(length, access));
    }

    /** Another process's memory, mapped when it is as long as expected. */
    synchronized MemoryRegion openShared(final byte[] shareToken, final long length, final int access) {
        return keep(domain().openShared(shareToken, length, access));
    }

    /** The publication's log as queue pairs of the link send from it: registered once, until the link is over. */
    synchronized MemoryRegion registerForSends(final MemoryRegion log) {
        if (sent == null) {
            sent = keep(domain().registerForSends(log));
        }
        return sent;
    }

    /** A queue pair: {@link #onDestroyed} is to be told when it is closed. */
    synchronized QueuePair createQueuePair(final QueuePairAttributes attributes) {
        final QueuePair queuePair = domain().createQueuePair(attributes);
        living.add(queuePair);
        return queuePair;
    }

    /** Notes that a queue pair is closed; idempotent. */
    synchronized void onDestroyed(final QueuePair queuePair) {
        leave(queuePair);
        if (isOver) {
            closeSent();
        }
    }

    private void closeSent() {
        if (sent != null) {
            // when the device refuses, it is tried again when the next queue pair is closed
            sent.close();
            sent = null;
        }
    }

    private ProtectionDomain domain() {
        if (domain == null) {
            domain = device.allocateProtectionDomain();
        }
        return domain;
    }

    private MemoryRegion keep(final MemoryRegion region) {
        final KeptRegion kept = new KeptRegion(region);
        living.add(kept);
        return kept;
    }

    private synchronized void leave(final Object closed) {
        if (living.remove(closed)) {
            free();
        }
    }

    private void free() {
        if (isOver && living.isEmpty() && domain != null) {
            // when the device refuses, it is tried again with whatever leaves next
            domain.close();
            domain = null;
        }
    }

    /**
     * Closes the domain, as the link is over, and its queue pairs are closed or about to be: nothing more is made here.
     * Idempotent.
     */
    @Override
    public synchronized void close() {
        isOver = true;
        closeSent();
        free();
    }

    /** A region that the domain outlives. */
    private final class KeptRegion implements MemoryRegion {
        private final MemoryRegion region;

        private KeptRegion(final MemoryRegion region) {
            this.region = region;
        }

        @Override
        public long address() {
            return region.address();
        }

        @Override
        public long length() {
            return region.length();
        }

        @Override
        public int localKey() {
            return region.localKey();
        }

        @Override
        public int remoteKey() {
            return region.remoteKey();
        }

        @Override
        public UnsafeBuffer buffer() {
            return region.buffer();
        }

        @Override
        public byte[] shareToken() {
            return region.shareToken();
        }

        @Override
        public void close() {
            // when the device refuses, the domain has to stay, too
            region.close();
            leave(this);
        }
    }
}

package io.sluice.verbs.software;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The objects of a protection domain that live: its regions by their keys, and how many objects there are in all. Its
 * monitor guards the regions. Any thread.
 */
final class DomainContents {
    private final int number;
    private final Int2ObjectHashMap<SoftwareRegion> regions = new Int2ObjectHashMap<>();
    /** Regions, queue pairs and shared receive queues that are not closed. */
    private final AtomicInteger living = new AtomicInteger();

    DomainContents(final int number) {
        this.number = number;
    }

    /** The number of the domain. */
    int number() {
        return number;
    }

    /** The region of a key, or null. */
    synchronized SoftwareRegion region(final int key) {
        return regions.get(key);
    }

    /** Whether a key of this domain covers a range. */
    boolean covers(final int localKey, final long address, final int length) {
        final SoftwareRegion region = region(localKey);
        return region != null && region.covers(address, length);
    }

    synchronized void put(final int key, final SoftwareRegion region) {
        regions.put(key, region);
    }

    /** Forget a key. */
    synchronized void remove(final int key) {
        regions.remove(key);
    }

    /** The regions that peers may look for. */
    synchronized List<SoftwareRegion> openRegions() {
        return regions.values().stream().filter(region -> !region.isForSends()).toList();
    }

    /** Counts something that was created here. */
    void enter() {
        living.incrementAndGet();
    }

    /** Counts out something that was created here, and is closed. */
    void leave() {
        living.decrementAndGet();
    }

    int living() {
        return living.get();
    }
}

package io.sluice.transport.stream;

import io.sluice.verbs.MemoryRegion;
import java.util.ArrayList;
import java.util.List;

/**
 * Receive rings of a link's earlier epochs, each kept until the consumers have passed what they were handed out of it.
 * Conductor only.
 */
final class ReplacedRings {
    /**
     * The most replaced rings that a link may have at once: one that breaks this often while its consumers handle one
     * message is not resumed until they have gone on, so that neither it nor a peer takes ring after ring.
     */
    static final int MAX_RINGS = 16;

    private record Replaced(MemoryRegion ring, long consumedPosition) {
    }

    private final AbandonedRings abandoned;
    private final List<Replaced> rings = new ArrayList<>();
    /** Ring of which the polling thread has yet to say from which position on nobody uses it; else null. */
    private MemoryRegion leaving;
    private long lastPosition;
    private long expectedBytes;
    private boolean isOver;

    /** Makes a list of rings, of which there are none yet; those that a consumer was abandoned with stay with it. */
    ReplacedRings(final AbandonedRings abandoned) {
        this.abandoned = abandoned;
    }

    /** All that a consumer may be reading: these, the one that the polling thread has yet to leave, the current one. */
    List<MemoryRegion> with(final MemoryRegion current) {
        final List<MemoryRegion> all = new ArrayList<>(List.of(current));
        if (leaving != null) {
            all.add(leaving);
        }
        rings.forEach(replaced -> all.add(replaced.ring()));
        return all;
    }

    /**
     * Notes the length of a ring that is being made, or was made for nothing when less than 0: the current one will be
     * replaced by it.
     */
    void expect(final long length) {
        expectedBytes += length;
    }

    /**
     * Notes that the polling thread was told to go over from a ring to the one that was expected. It leaves one ring at
     * a time, since an epoch begins when the polling thread has ended the one before.
     */
    void leave(final MemoryRegion ring) {
        leaving = ring;
    }

    /**
     * Keep a ring, which the one that was expected has replaced, until a position is consumed. When the link is over,
     * or nothing was handed out since the ring before was replaced, nobody uses it any more.
     */
    void add(final MemoryRegion ring, final long consumedPosition) {
        expectedBytes -= ring.length();
        leaving = null;
        if (isOver || consumedPosition == lastPosition) {
            abandoned.release(ring);
        } else {
            rings.add(new Replaced(ring, consumedPosition));
        }
        lastPosition = consumedPosition;
    }

    /**
     * Whether no further ring may be replaced until the consumers have gone on. One that the polling thread has yet to
     * leave counts: a peer that has just seen it leave may be heard before that is.
     */
    boolean isFull() {
        return rings.size() + (leaving == null ? 0 : 1) >= MAX_RINGS;
    }

    /** Bytes of all of them, and of what is being made in the place of the current one. */
    long bytes() {
        return expectedBytes + rings.stream().mapToLong(replaced -> replaced.ring().length()).sum();
    }

    void releasePassed(final long consumed) {
        for (int i = rings.size() - 1; i >= 0; i--) {
            if (consumed >= rings.get(i).consumedPosition()) {
                abandoned.release(rings.remove(i).ring());
            }
        }
    }

    /** Releases all rings, as the link is over: its current one goes, too. */
    void releaseAll(final MemoryRegion current) {
        isOver = true;
        releasePassed(Long.MAX_VALUE);
        if (current != null) {
            abandoned.release(current);
        }
    }
}

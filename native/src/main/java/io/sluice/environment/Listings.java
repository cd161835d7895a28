package io.sluice.environment;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Directories as they were listed last, for who looks into one again and again: a directory that has not changed is
 * not read anew. A change within the same tick of the file system's clock as the one before has the same time, so that
 * a listing is only kept of a directory that had rested for longer than a tick. Any thread.
 */
final class Listings {
    /** The most directories: a process that rests looks into one for each endpoint, and an evicted one is read. */
    private static final int MAX_DIRECTORIES = 64;

    /** Longer than the tick of a kernel's file systems, which is 1 to 10 ms. */
    static final long TICK_MS = 20;
    /** The longest tick, that of old networks' file systems: their times are whole seconds. */
    static final long COARSE_TICK_MS = 2_000;
    private static final long MS_PER_SECOND = 1_000;

    private final Map<Path, Listing> listings = new LinkedHashMap<>(MAX_DIRECTORIES, 1, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<Path, Listing> eldest) {
            return size() > MAX_DIRECTORIES;
        }
    };

    /**
     * The entries of a directory.
     *
     * @param key        of the directory that is there now, by which it is told from others.
     * @param modifiedMs time of day of its last change, in milliseconds.
     * @return the entries, or null when it must be read.
     */
    synchronized List<Path> find(final Path directory, final Object key, final long modifiedMs) {
        final Listing listing = listings.get(directory);
        return listing != null && listing.key.equals(key) && listing.modifiedMs == modifiedMs ? listing.entries : null;
    }

    /**
     * Keeps a listing, unless the directory may change again and have the same time.
     *
     * @param key        of the directory before it was read.
     * @param modifiedMs time of day of its last change then, in milliseconds.
     * @param nowMs      time of day before that was asked for.
     * @param entries    that were read.
     */
    synchronized void keep(
        final Path directory, final Object key, final long modifiedMs, final long nowMs, final List<Path> entries) {
        final long tickMs = modifiedMs % MS_PER_SECOND == 0 ? COARSE_TICK_MS : TICK_MS;
        if (nowMs - modifiedMs > tickMs) {
            listings.put(directory, new Listing(key, modifiedMs, entries));
        } else {
            listings.remove(directory);
        }
    }

    /**
     * A directory's entries.
     *
     * @param key        of the directory before it was read.
     * @param modifiedMs time of day of its last change then, in milliseconds.
     * @param entries    that were read.
     */
    private record Listing(Object key, long modifiedMs, List<Path> entries) {
    }
}

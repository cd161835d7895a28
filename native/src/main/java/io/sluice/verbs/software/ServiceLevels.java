package io.sluice.verbs.software;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Levels of the services that were listed last: a transport that rests looks for the same peers ten times a second,
 * and need not make their addresses of the same names again. Any thread.
 */
final class ServiceLevels {
    /** The most levels: a process that rests looks into one for each endpoint, and an evicted one is made anew. */
    private static final int MAX_LEVELS = 64;

    private final Map<String, ServiceLevel> levels = new LinkedHashMap<>(MAX_LEVELS, 1, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<String, ServiceLevel> eldest) {
            return size() > MAX_LEVELS;
        }
    };

    /** The level of a service; null when it has not been listed, or not of late. */
    synchronized ServiceLevel find(final String service) {
        return levels.get(service);
    }

    /** Keeps the level of a service in the place of the one before. */
    synchronized void keep(final String service, final ServiceLevel level) {
        levels.put(service, level);
    }
}

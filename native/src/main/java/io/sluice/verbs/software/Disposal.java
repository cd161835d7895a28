package io.sluice.verbs.software;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The way a device lets go of one of its queues.
 *
 * @param <T> the kind of queue.
 */
@FunctionalInterface
interface Disposal<T> {
    /**
     * Unmap it and delete its file.
     *
     * @param closed which is marked so.
     * @param guards of the threads that may be inside.
     */
    void dispose(T closed, List<BooleanSupplier> guards);
}

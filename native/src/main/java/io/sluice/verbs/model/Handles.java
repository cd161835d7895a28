package io.sluice.verbs.model;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The objects of a model by their addresses in memory, which are all that a library's caller has. Any thread. */
final class Handles {
    private final Map<Long, Object> objects = new ConcurrentHashMap<>();

    <T> T add(final long address, final T object) {
        objects.put(address, object);
        return object;
    }

    void remove(final long address) {
        objects.remove(address);
    }

    /** The object; one that is gone, or is of another type, is a mistake of the caller. */
    <T> T get(final Class<T> type, final long address) {
        final Object object = objects.get(address);
        if (!type.isInstance(object)) {
            throw new IllegalStateException("the model has no object like this: " + type.getSimpleName() + " at 0x"
                + Long.toHexString(address)
                + (object == null ? "" : " but a " + object.getClass().getSimpleName()));
        }
        return type.cast(object);
    }

    <T> Stream<T> all(final Class<T> type) {
        return objects.values().stream().filter(type::isInstance).map(type::cast);
    }
}

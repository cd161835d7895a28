package io.sluice.verbs.rdma;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts the objects of a device that live. ibv_close_device(3) does not look: it frees the context below those that
 * are left and says that all is well. Any thread.
 */
final class DeviceObjects {
    private final AtomicIntegerArray counts = new AtomicIntegerArray(Kind.values().length);

    /** Kinds of objects that are created from a device, by the names that people read. */
    enum Kind {
        PROTECTION_DOMAIN,
        COMPLETION_CHANNEL,
        COMPLETION_QUEUE,
        QUEUE_PAIR,
        MEMORY_REGION,
        SHARED_RECEIVE_QUEUE,
        ADDRESS_HANDLE
    }

    /** Counts an object that was created. */
    void onCreated(final Kind kind) {
        counts.incrementAndGet(kind.ordinal());
    }

    /**
     * Counts an object that the device has let go of; not when it has refused to, and not when a thread is left inside
     * of it.
     */
    void onDestroyed(final Kind kind) {
        counts.decrementAndGet(kind.ordinal());
    }

    /**
     * Refuse to close the device below them.
     *
     * @param device its name.
     * @throws VerbsException EBUSY, with what is left.
     */
    void checkNone(final String device) {
        final StringBuilder left = new StringBuilder();
        for (final Kind kind : Kind.values()) {
            final int count = counts.get(kind.ordinal());
            if (count != 0) {
                left.append(left.isEmpty() ? "" : ", ").append(count).append(' ')
                    .append(kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')).append("(s)");
            }
        }
        if (!left.isEmpty()) {
            throw new VerbsException("ibv_close_device", Errno.EBUSY,
                "device " + device + " stays open: close first what was created from it: " + left);
        }
    }
}

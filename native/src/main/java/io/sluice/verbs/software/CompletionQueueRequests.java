package io.sluice.verbs.software;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.CompletionQueueFlags;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;

/** Set-up: refuses completion queues that the device cannot have, and says by name what it lacks. */
final class CompletionQueueRequests {
    private CompletionQueueRequests() {
    }

    static void check(
        final String call, final CompletionQueueAttributes asked, final DeviceAttributes device) {
        checkCapacity(call, asked.capacity());
        final int fields = asked.fields() & ~device.completionFields();
        if (fields != 0) {
            throw new VerbsException(call, Errno.EOPNOTSUPP, "fields=" + CompletionField.describe(fields)
                + " cannot be read here, only " + CompletionField.describe(device.completionFields()));
        }
        final int flags = asked.flags() & ~device.completionQueueFlags();
        if (flags != 0) {
            throw new VerbsException(
                call, Errno.EOPNOTSUPP, "flags=" + CompletionQueueFlags.describe(flags) + " are unknown here");
        }
        if (asked.parentDomain() != null) {
            throw new VerbsException(
                call, Errno.EOPNOTSUPP, "parentDomain: the software device has no parent domains, use none");
        }
        if (asked.vector() < 0 || asked.vector() >= device.completionVectors()) {
            throw new VerbsException(
                call, Errno.EINVAL, "vector=" + asked.vector() + " must be below " + device.completionVectors());
        }
    }

    static void checkCapacity(final String call, final int capacity) {
        if (capacity < 1 || capacity > SoftwareLimits.MAX_COMPLETION_QUEUE_ENTRIES) {
            throw new VerbsException(call, Errno.EINVAL, "capacity=" + capacity + " must be from 1 to "
                + SoftwareLimits.MAX_COMPLETION_QUEUE_ENTRIES);
        }
    }
}

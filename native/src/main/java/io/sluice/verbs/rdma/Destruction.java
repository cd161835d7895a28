package io.sluice.verbs.rdma;

import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;

/** Destroys objects of a device, and remembers what a device that goes has refused to destroy. Any thread. */
final class Destruction {
    /** A device that is gone for the kernel answers so; what it is asked to destroy is destroyed. */
    private static final int EIO = 5;

    private final DevicePresence presence;
    /** The first refusal of the device while it was released; null for none. */
    private volatile VerbsException refusal;

    Destruction(final DevicePresence presence) {
        this.presence = presence;
    }

    /** Forget what was refused. */
    void clear() {
        refusal = null;
    }

    /** The first refusal since then; null for none. */
    VerbsException refusal() {
        return refusal;
    }

    /**
     * Destroy something. Of a device that goes, what it refuses is noted, and is the kernel's to destroy with the
     * context.
     *
     * @throws VerbsException when it refuses otherwise.
     */
    void check(final SetupCall call, final String stays, final long handle) {
        final SetupCall.Result result = call.invoke(handle);
        if (result.value() == 0) {
            return;
        }
        onRefused(call.failure(result.error(), stays));
    }

    /** Run a call that checks its own result. */
    void attempt(final Runnable destruction) {
        try {
            destruction.run();
        } catch (final VerbsException e) {
            onRefused(e);
        }
    }

    private void onRefused(final VerbsException failure) {
        if (!presence.isUnderWay()) {
            throw failure;
        }
        if (failure.errno() != EIO && refusal == null) {
            refusal = failure;
        }
    }
}

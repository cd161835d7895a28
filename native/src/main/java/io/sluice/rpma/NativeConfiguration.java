package io.sluice.rpma;

import io.sluice.verbs.foreign.SetupCall;

/** A configuration as librpma has it, for the time of one call, which copies what it needs. One thread. */
final class NativeConfiguration implements AutoCloseable {
    private final RpmaLibrary library;
    private final SetupCall deletion;
    private final long handle;

    private NativeConfiguration(final RpmaLibrary library, final SetupCall creation, final SetupCall deletion) {
        this.library = library;
        this.deletion = deletion;
        handle = library.create(creation, "no configuration");
    }

    static NativeConfiguration of(final RpmaLibrary library, final RpmaConnectionConfiguration values) {
        final NativeConfiguration result = new NativeConfiguration(library, library.connCfgNew, library.connCfgDelete)
            .set(library.connCfgSetTimeout, "timeoutMs", values.timeoutMs())
            .set(library.connCfgSetCqSize, "completionQueueSize", values.completionQueueSize())
            .set(library.connCfgSetRcqSize, "receiveCompletionQueueSize", values.receiveCompletionQueueSize())
            .set(library.connCfgSetSqSize, "sendQueueSize", values.sendQueueSize())
            .set(library.connCfgSetRqSize, "receiveQueueSize", values.receiveQueueSize())
            .set(library.connCfgSetComplChannel, "sharesCompletionChannel", values.sharesCompletionChannel());
        final RpmaSharedReceiveQueue queue = values.sharedReceiveQueue();
        return queue == null ? result : result.set(library.connCfgSetSrq, "sharedReceiveQueue", queue.handle());
    }

    static NativeConfiguration of(final RpmaLibrary library, final RpmaSharedReceiveQueueConfiguration values) {
        return new NativeConfiguration(library, library.srqCfgNew, library.srqCfgDelete)
            .set(library.srqCfgSetRqSize, "receiveQueueSize", values.receiveQueueSize())
            .set(library.srqCfgSetRcqSize, "receiveCompletionQueueSize", values.receiveCompletionQueueSize());
    }

    static NativeConfiguration of(final RpmaLibrary library, final RpmaPeerConfiguration values) {
        return new NativeConfiguration(library, library.peerCfgNew, library.peerCfgDelete).set(
            library.peerCfgSetDirectWrite, "directWriteToPersistentMemory", values.directWriteToPersistentMemory());
    }

    private NativeConfiguration set(final SetupCall call, final String name, final Object value) {
        try {
            library.check(call, name + "=" + value, handle, value);
            return this;
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
    }

    long handle() {
        return handle;
    }

    @Override
    public void close() {
        library.delete(deletion, "a configuration stays", handle);
    }
}

package io.sluice.rpma;

import io.sluice.verbs.foreign.SetupCall;

/** A configuration as librpma has it, for the time of one call, which copies what it needs. One thread. */
final class NativeConfiguration implements AutoCloseable {
    private final RpmaLibrary library;
    private final SetupCall deletion;
    private final long handle;

    /** A configuration with the library's defaults. */
    NativeConfiguration(final RpmaLibrary library, final SetupCall creation, final SetupCall deletion) {
        this.library = library;
        this.deletion = deletion;
        handle = library.create(creation, "no configuration");
    }

    /** Change one of its values; when the library refuses, this is closed. */
    NativeConfiguration set(final SetupCall call, final String name, final Object value) {
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

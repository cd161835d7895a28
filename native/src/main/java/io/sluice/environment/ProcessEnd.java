package io.sluice.environment;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * An end of this process that waits for no thread: {@link System#exit} and {@link Runtime#halt} both wait for a
 * safepoint, and so for ever for a thread that does not come back from a critical call of native code. It is prepared
 * while all is well, since little can be relied on afterwards. No shutdown hook runs. Any thread.
 */
public final class ProcessEnd {
    private static final String CALL = "_exit";

    /** The call of {@code _exit}; null where native code may not be called. */
    private final MethodHandle exit;

    private ProcessEnd(final MethodHandle exit) {
        this.exit = exit;
    }

    /**
     * Find the C library's {@code _exit(2)}.
     *
     * @return an end that has not come; where native code may not be called it is {@link Runtime#halt}.
     */
    public static ProcessEnd prepare() {
        if (!ProcessEnd.class.getModule().isNativeAccessEnabled()) {
            return new ProcessEnd(null);
        }
        final Linker linker = Linker.nativeLinker();
        return new ProcessEnd(linker.defaultLookup().find(CALL)
            .map(address -> linker.downcallHandle(address, FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT)))
            .orElse(null));
    }

    /**
     * End the process.
     *
     * @param status that it ends with, 0 to 255.
     */
    public void now(final int status) {
        if (exit != null) {
            try {
                exit.invokeExact(status);
            } catch (final Throwable e) {
                throw new AssertionError(e);
            }
        }
        Runtime.getRuntime().halt(status);
    }
}

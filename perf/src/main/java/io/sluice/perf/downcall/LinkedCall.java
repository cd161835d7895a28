package io.sluice.perf.downcall;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.verbs.foreign.DataPathLinker;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/**
 * Handles for functions of the shape of {@code ibv_post_send}, linked as the provider links them: the function comes as
 * the first argument, and pointers are {@code long}s. Stateless.
 */
public final class LinkedCall {
    private static final FunctionDescriptor POST =
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private LinkedCall() {
    }

    /**
     * Link a handle that calls a function by its address.
     *
     * @param isCritical    whether the thread stays in the Java state.
     * @param capturesErrno whether errno is kept, in memory that lives as long as this process.
     * @return a handle of type {@code (long, long, long, long) int}: the function, and its arguments.
     */
    public static MethodHandle link(final boolean isCritical, final boolean capturesErrno) {
        final List<Linker.Option> options = new ArrayList<>();
        if (isCritical) {
            options.add(Linker.Option.critical(false));
        }
        if (capturesErrno) {
            options.add(Linker.Option.captureCallState("errno"));
        }
        final MethodHandle handle = DataPathLinker.link(POST, options.toArray(Linker.Option[]::new));
        return capturesErrno ? MethodHandles.insertArguments(handle, 1, captured()) : handle;
    }

    private static MemorySegment captured() {
        return Arena.global().allocate(Linker.Option.captureStateLayout());
    }
}

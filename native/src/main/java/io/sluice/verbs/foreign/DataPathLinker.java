package io.sluice.verbs.foreign;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * Links the calls of the data path. Each shape of call is linked once, and the function comes as the first argument, a
 * {@code long} as all pointers are; a handle in a static final field is a constant to the compiler. Such calls allocate
 * nothing, and errors are results, so no errno is captured. Any thread.
 * <p>
 * Calls that are short and never block are <i>critical</i>: the thread does not leave the Java state, which saves more
 * than half of the call (2.7 ns instead of 7.2), but a safepoint waits for it, and the function must not call Java.
 * With {@code -Dsluice.verbs.critical=false} none is, so that a test can be the library in Java.
 */
public final class DataPathLinker {
    /** Name of the system property. */
    public static final String CRITICAL_PROP_NAME = "sluice.verbs.critical";

    private static final boolean IS_CRITICAL = !"false".equals(System.getProperty(CRITICAL_PROP_NAME));

    private static final List<String> WORDS = List.of("true", "false");

    /** Whether the last call of a thread by a handle of this class was one that would be critical. */
    private static final ThreadLocal<boolean[]> SEEMS_CRITICAL = ThreadLocal.withInitial(() -> new boolean[] {true});

    private DataPathLinker() {
    }

    /**
     * Refuse a value of the system property that is neither {@code true} nor {@code false}: such a value would be taken
     * for {@code true} silently. Those ask that open a device or a library, since this class cannot fail as it is
     * loaded.
     *
     * @param asked value of {@value #CRITICAL_PROP_NAME}, or null.
     * @throws IllegalArgumentException when the property has another value.
     */
    public static void requireKnown(final String asked) {
        if (asked != null && !WORDS.contains(asked)) {
            throw new IllegalArgumentException(
                "unknown value: " + CRITICAL_PROP_NAME + "=" + asked + " known=" + String.join(",", WORDS));
        }
    }

    /**
     * Whether the calls that {@link #critical} links are critical indeed.
     *
     * @return false when the system property says so: functions may call Java then.
     */
    public static boolean isCritical() {
        return IS_CRITICAL;
    }

    /**
     * Whether the call that this thread is inside of would be critical but for the system property. For a library in
     * Java, which none is: so it finds out who waits in a call for which safepoints wait.
     *
     * @return also true when the thread has made no call of the data path.
     */
    public static boolean isInCritical() {
        return SEEMS_CRITICAL.get()[0];
    }

    /**
     * Link a shape of call whose functions come back within some nanoseconds: no system call, no lock.
     *
     * @param descriptor of arguments and result, with pointers as {@code long}s.
     * @return a handle that takes the function's address, then the arguments.
     */
    public static MethodHandle critical(final FunctionDescriptor descriptor) {
        return IS_CRITICAL
            ? link(descriptor, "ofAddress", Linker.Option.critical(false)) : link(descriptor, "ofSeeminglyCritical");
    }

    /**
     * Link a shape of call.
     *
     * @param descriptor of arguments and result, with pointers as {@code long}s.
     * @param options    of the linker; none for calls that may block.
     * @return a handle that takes the function's address, then the arguments.
     */
    public static MethodHandle link(final FunctionDescriptor descriptor, final Linker.Option... options) {
        return link(descriptor, IS_CRITICAL ? "ofAddress" : "ofPlain", options);
    }

    private static MethodHandle link(
        final FunctionDescriptor descriptor, final String conversion, final Linker.Option... options) {
        try {
            final MethodHandle toSegment = MethodHandles.lookup().findStatic(
                DataPathLinker.class, conversion, MethodType.methodType(MemorySegment.class, long.class));
            return MethodHandles.filterArguments(
                NativeLibraries.linker().downcallHandle(descriptor, options), 0, toSegment);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static MemorySegment ofAddress(final long function) {
        return MemorySegment.ofAddress(function);
    }

    private static MemorySegment ofPlain(final long function) {
        SEEMS_CRITICAL.get()[0] = false;
        return MemorySegment.ofAddress(function);
    }

    private static MemorySegment ofSeeminglyCritical(final long function) {
        SEEMS_CRITICAL.get()[0] = true;
        return MemorySegment.ofAddress(function);
    }

    /**
     * Make the error for what a handle has thrown: a handle throws nothing of its own, so there is a bug.
     *
     * @param t thrown.
     * @return the error to throw.
     */
    public static AssertionError bug(final Throwable t) {
        return new AssertionError(t);
    }
}

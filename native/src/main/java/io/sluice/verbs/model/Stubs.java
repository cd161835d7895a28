package io.sluice.verbs.model;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.agrona.UnsafeApi;

/**
 * Pointers to functions that are methods: arguments and results are numbers, pointers too. What a method throws is a
 * violation, since nothing may be thrown through native code. They are good as long as this object is reachable. Any
 * thread.
 */
final class Stubs {
    private static final Map<Class<?>, MemoryLayout> LAYOUTS = Map.of(
        long.class, ValueLayout.JAVA_LONG, int.class, ValueLayout.JAVA_INT, short.class, ValueLayout.JAVA_SHORT,
        byte.class, ValueLayout.JAVA_BYTE);
    /** A failure of the model itself, and what erdma answers to posts in the ERROR state. */
    static final int EIO = 5;
    private static final Runnable NOTHING = () -> { };
    private static final MethodHandle ERRNO = Linker.nativeLinker().downcallHandle(
        Linker.nativeLinker().defaultLookup().findOrThrow("__errno_location"),
        FunctionDescriptor.of(ValueLayout.JAVA_LONG));

    private static final MethodHandle RUN;

    static {
        try {
            RUN = MethodHandles.publicLookup()
                .findVirtual(Runnable.class, "run", MethodType.methodType(void.class));
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Arena arena = Arena.ofAuto();
    private final Violations violations;

    Stubs(final Violations violations) {
        this.violations = violations;
    }

    /** Whether an object has a method of that name. */
    static boolean has(final Object target, final String name) {
        return Arrays.stream(target.getClass().getDeclaredMethods()).anyMatch(method -> method.getName().equals(name));
    }

    /** Address of a function that calls the only method of that name. */
    long of(final Object target, final String name) {
        return of(target, name, NOTHING);
    }

    /** Address of a function that runs something and then calls the only method of that name. */
    long of(final Object target, final String name, final Runnable before) {
        final Method method = Arrays.stream(target.getClass().getDeclaredMethods())
            .filter(candidate -> candidate.getName().equals(name)).findFirst().orElseThrow();
        try {
            final MethodHandle handle = MethodHandles.foldArguments(
                MethodHandles.lookup().unreflect(method).bindTo(target), RUN.bindTo(before));
            final MethodType type = handle.type();
            final MemoryLayout[] arguments =
                type.parameterList().stream().map(LAYOUTS::get).toArray(MemoryLayout[]::new);
            final FunctionDescriptor descriptor = type.returnType() == void.class
                ? FunctionDescriptor.ofVoid(arguments)
                : FunctionDescriptor.of(LAYOUTS.get(type.returnType()), arguments);
            final MethodHandle failure = MethodHandles.lookup().findVirtual(Stubs.class, "fail",
                MethodType.methodType(int.class, String.class, Throwable.class)).bindTo(this).bindTo(name);
            final MethodHandle guarded = MethodHandles.catchException(handle, Throwable.class,
                MethodHandles.explicitCastArguments(
                    failure, MethodType.methodType(type.returnType(), Throwable.class)));
            return Linker.nativeLinker().upcallStub(guarded, descriptor, arena).address();
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(name, e);
        }
    }

    private int fail(final String name, final Throwable cause) {
        violations.add(name + ": " + cause + " at " + Arrays.stream(cause.getStackTrace()).limit(2).toList());
        return EIO;
    }

    /** Result of a function that has no pointer to return. */
    static long none(final int error) {
        setErrno(error);
        return 0;
    }

    /** Result of a function of librdmacm that has failed. */
    static int failed(final int error) {
        setErrno(error);
        return -1;
    }

    private static void setErrno(final int error) {
        try {
            UnsafeApi.putInt((long) ERRNO.invokeExact(), error);
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** The memory of a struct at an address. */
    static MemorySegment struct(final long address, final MemoryLayout layout) {
        return MemorySegment.ofAddress(address).reinterpret(layout.byteSize());
    }
}

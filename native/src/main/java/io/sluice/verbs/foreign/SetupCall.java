package io.sluice.verbs.foreign;

import io.sluice.verbs.VerbsException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/**
 * A native function for set-up and tear-down, which may block and whose errno is captured at the call. Pointers go in
 * and come out as {@code long}. It allocates, so it is not for the data path. Any thread may call.
 */
public final class SetupCall {
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURE.varHandle(PathElement.groupElement("errno"));

    private final String name;
    private final boolean[] isPointer;
    private final MethodHandle handle;

    private SetupCall(final String name, final MemorySegment address, final FunctionDescriptor descriptor) {
        this.name = name;
        isPointer = new boolean[descriptor.argumentLayouts().size()];
        for (int i = 0; i < isPointer.length; i++) {
            final MemoryLayout layout = descriptor.argumentLayouts().get(i);
            isPointer[i] = layout instanceof AddressLayout;
        }
        handle = NativeLibraries.linker()
            .downcallHandle(address, descriptor, Linker.Option.captureCallState("errno"))
            .asSpreader(1, Object[].class, isPointer.length)
            .asType(MethodType.methodType(Object.class, MemorySegment.class, Object[].class));
    }

    /**
     * A function that a library exports, or that a pointer in a struct leads to.
     *
     * @param name       for messages: as its manual page has it.
     * @param address    of the function.
     * @param descriptor of its arguments and result.
     * @return the linked function.
     */
    public static SetupCall at(final String name, final long address, final FunctionDescriptor descriptor) {
        return new SetupCall(name, MemorySegment.ofAddress(address), descriptor);
    }

    /**
     * The name of the function.
     *
     * @return its name.
     */
    public String name() {
        return name;
    }

    /**
     * Call the function; the caller judges the result.
     *
     * @param arguments of the function, a pointer as its address or a segment; the array is changed.
     * @return result and errno.
     */
    public Result invoke(final Object... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (isPointer[i] && arguments[i] instanceof Long address) {
                arguments[i] = MemorySegment.ofAddress(address);
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(CAPTURE);
            final Object result = (Object) handle.invokeExact(capture, arguments);
            return new Result(asLong(result), (int) ERRNO.get(capture, 0L));
        } catch (final RuntimeException | Error e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(name, t);
        }
    }

    private static long asLong(final Object result) {
        return switch (result) {
            case null -> 0;
            case MemorySegment pointer -> pointer.address();
            case Number number -> number.longValue();
            default -> throw new AssertionError(result.getClass());
        };
    }

    /**
     * Call a function that returns a pointer, or NULL and errno.
     *
     * @param what      cannot be done when it fails, for the message.
     * @param arguments of the function.
     * @return the pointer, never NULL.
     * @throws VerbsException with errno when it is NULL.
     */
    public long pointer(final String what, final Object... arguments) {
        final Result result = invoke(arguments);
        if (result.value == 0) {
            throw failure(result.errno, what);
        }
        return result.value;
    }

    /**
     * Call a function that returns 0, or an error number (libibverbs), or -1 and errno (librdmacm).
     *
     * @param what      cannot be done when it fails, for the message.
     * @param arguments of the function.
     * @throws VerbsException with the error number when it is not 0.
     */
    public void check(final String what, final Object... arguments) {
        final int error = invoke(arguments).error();
        if (error != 0) {
            throw failure(error, what);
        }
    }

    /**
     * Make the exception for a call that has failed.
     *
     * @param errno of the call.
     * @param what  cannot be done, for the message.
     * @return the exception to throw, which says what to do about the error where that is known.
     */
    public VerbsException failure(final int errno, final String what) {
        return new VerbsException(name, errno, what + Remedies.remedy(errno));
    }

    /**
     * The value that a call has returned, and its errno.
     *
     * @param value result; pointers as their address.
     * @param errno as it was right after the call; means something when the value says that it failed.
     */
    public record Result(long value, int errno) {
        /**
         * The error number by either convention, that of libibverbs or that of librdmacm.
         *
         * @return 0 for success.
         */
        public int error() {
            return value == 0 ? 0 : value == -1 ? errno : (int) Math.abs(value);
        }
    }
}

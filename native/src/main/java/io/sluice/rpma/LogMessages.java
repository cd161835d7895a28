package io.sluice.rpma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.sluice.verbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The messages that librpma logs: the last error of each thread, for the exception that follows, and all of them for a
 * user's function. Without this class the cause of a failure would be in the system's log only, and errno gone.
 * <p>
 * The library's function takes what printf(3) takes. As one of Java takes no variable arguments, this one takes more
 * than any message has, the way they are passed on x86-64: the sixth word in a register, the others on the stack, where
 * those that were not passed are whatever lies there and are not looked at. {@code vsnprintf} gets them as a
 * {@code va_list} of the same platform. The library passes no floating-point numbers.
 */
final class LogMessages {
    /** The most arguments of a message; the longest one of librpma 1.3 has seven. */
    private static final int MAX_ARGUMENTS = 10;
    private static final int FIXED_ARGUMENTS = 5;
    private static final int TEXT_LENGTH = 1024;
    private static final int MAX_NAME_LENGTH = 4096;
    private static final int MAX_ERRNO = 133;
    /** The error in place of one that could not be kept: a constant, since there may be no memory for another text. */
    private static final String LOST = "what was logged is lost";
    /** The separator after which the text of an error number may come, with which most errors of the library end. */
    private static final String CAUSE = ": ";

    /** {@code va_list} of the System V ABI: offsets into the saved registers, all used up, and the rest in memory. */
    private static final int VA_LIST_LENGTH = 24;
    private static final int REGISTERS_USED = 48;
    private static final int FLOAT_REGISTERS_USED = 304;
    private static final int FLOAT_OFFSET = 4;
    private static final int MEMORY_OFFSET = 8;

    private static final FunctionDescriptor DESCRIPTOR = descriptor();
    private static final MethodHandle FORMAT = downcall(
        "vsnprintf", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
    private static final MethodHandle ERROR_TEXT = downcall("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private final ThreadLocal<String> lastError = ThreadLocal.withInitial(() -> "");
    private final Map<String, Integer> errnos = errnos();
    private final MemorySegment stub;
    private volatile RpmaLogFunction function;

    LogMessages() {
        try {
            final MethodHandle target = MethodHandles.lookup().bind(
                this, "onMessage", MethodType.methodType(void.class, Object[].class));
            final MethodType type = DESCRIPTOR.toMethodType();
            // around the boxing of the arguments, too: there may be no memory left for it
            final MethodHandle safe = MethodHandles.catchException(
                target.asCollector(Object[].class, type.parameterCount()).asType(type), Throwable.class,
                MethodHandles.empty(type.insertParameterTypes(0, Throwable.class)));
            stub = Linker.nativeLinker().upcallStub(safe, DESCRIPTOR, Arena.global());
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static FunctionDescriptor descriptor() {
        final MemoryLayout[] layouts = new MemoryLayout[FIXED_ARGUMENTS + MAX_ARGUMENTS];
        Arrays.fill(layouts, JAVA_LONG);
        layouts[0] = JAVA_INT;
        layouts[1] = ADDRESS;
        layouts[2] = JAVA_INT;
        layouts[3] = ADDRESS;
        layouts[4] = ADDRESS;
        return FunctionDescriptor.ofVoid(layouts);
    }

    private static MethodHandle downcall(final String name, final FunctionDescriptor descriptor) {
        final Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name)
            .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name)), descriptor);
    }

    /** Error numbers by the texts that the C library has for them in this locale. */
    private static Map<String, Integer> errnos() {
        final Map<String, Integer> numbers = new HashMap<>();
        for (int errno = 1; errno <= MAX_ERRNO; errno++) {
            try {
                numbers.putIfAbsent(name((MemorySegment) ERROR_TEXT.invokeExact(errno)), errno);
            } catch (final Throwable t) {
                throw new AssertionError(t);
            }
        }
        return numbers;
    }

    /** The function that the library calls with each message. */
    MemorySegment stub() {
        return stub;
    }

    /** Set the function that gets all messages; null for none. */
    void function(final RpmaLogFunction newFunction) {
        function = newFunction;
    }

    /** Forget what this thread's calls have logged. */
    void forget() {
        lastError.remove();
    }

    /** The last error that this thread's calls have logged; empty without one. */
    String lastError() {
        return lastError.get();
    }

    /** The error number that a message ends with; 0 without one. */
    int errnoIn(final String message) {
        for (int at = message.indexOf(CAUSE); at >= 0; at = message.indexOf(CAUSE, at + 1)) {
            final Integer errno = errnos.get(message.substring(at + CAUSE.length()));
            if (errno != null) {
                return errno;
            }
        }
        return Errno.OK;
    }

    /** Take a message. Nothing may be thrown from here: there is C above it, and the JVM would end. */
    private void onMessage(final Object... arguments) {
        try {
            final RpmaLogLevel level = RpmaLogLevel.of((int) arguments[0]);
            final String message = format(arguments);
            if (level == RpmaLogLevel.ERROR || level == RpmaLogLevel.FATAL) {
                lastError.set(message);
            }
            tell(level, arguments, message);
        } catch (final Throwable t) {
            lastError.set(LOST);
        }
    }

    private void tell(final RpmaLogLevel level, final Object[] arguments, final String message) {
        final RpmaLogFunction user = function;
        if (user == null) {
            return;
        }
        final String file = name((MemorySegment) arguments[1]);
        final String told = name((MemorySegment) arguments[3]);
        try {
            user.onMessage(level, file, (int) arguments[2], told, message);
        } catch (final Throwable t) {
            // as its Javadoc says; not even told, since that may throw, too
        }
    }

    private static String name(final MemorySegment text) {
        return text.address() == 0 ? "" : text.reinterpret(MAX_NAME_LENGTH).getString(0);
    }

    private static String format(final Object[] arguments) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment values = arena.allocate(JAVA_LONG, MAX_ARGUMENTS);
            for (int i = 0; i < MAX_ARGUMENTS; i++) {
                values.setAtIndex(JAVA_LONG, i, (long) arguments[FIXED_ARGUMENTS + i]);
            }
            final MemorySegment list = arena.allocate(VA_LIST_LENGTH, Long.BYTES);
            list.set(JAVA_INT, 0, REGISTERS_USED);
            list.set(JAVA_INT, FLOAT_OFFSET, FLOAT_REGISTERS_USED);
            list.set(ADDRESS, MEMORY_OFFSET, values);
            final MemorySegment text = arena.allocate(TEXT_LENGTH);
            final int length = (int) FORMAT.invokeExact(
                text, (long) TEXT_LENGTH, (MemorySegment) arguments[FIXED_ARGUMENTS - 1], list);
            return length < 0 ? "" : text.getString(0).stripTrailing();
        }
    }
}

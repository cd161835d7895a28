package io.sluice.verbs.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Set;
import java.util.TreeSet;

/**
 * The way in which a program waits for descriptors of its own and of others at once, by epoll(7) on x86-64. One thread.
 */
public final class Epoll implements AutoCloseable {
    private static final int MAX_EVENTS = 16;
    /** A packed {@code struct epoll_event}: what is waited for, and a word of the program's. */
    private static final int EVENT_LENGTH = 12;
    private static final int DATA_OFFSET = 4;
    private static final int ADD = 1;
    private static final int IN = 1;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle CREATE = link("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle CONTROL =
        link("epoll_ctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle WAIT =
        link("epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment events = arena.allocate(MAX_EVENTS * EVENT_LENGTH, Long.BYTES);
    private final int descriptor;

    /** Wait for these descriptors, until they can be read. */
    public Epoll(final int... descriptors) {
        descriptor = call(CREATE, 0);
        for (final int each : descriptors) {
            events.set(JAVA_INT_UNALIGNED, 0, IN);
            events.set(JAVA_INT_UNALIGNED, DATA_OFFSET, each);
            call(CONTROL, descriptor, ADD, each, events);
        }
    }

    private static MethodHandle link(final String name, final FunctionDescriptor function) {
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), function);
    }

    private static int call(final MethodHandle function, final Object... arguments) {
        try {
            final int result = (int) function.invokeWithArguments(arguments);
            assertTrue(result >= 0, () -> function + " failed");
            return result;
        } catch (final RuntimeException | Error e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /**
     * Wait.
     *
     * @param timeoutMs longest wait in milliseconds; 0 does not wait.
     * @return the descriptors that can be read, none after the timeout.
     */
    public Set<Integer> await(final int timeoutMs) {
        final int count = call(WAIT, descriptor, events, MAX_EVENTS, timeoutMs);
        final Set<Integer> ready = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            ready.add(events.get(JAVA_INT_UNALIGNED, (long) i * EVENT_LENGTH + DATA_OFFSET));
        }
        return ready;
    }

    @Override
    public void close() {
        SystemCalls.close(descriptor);
        arena.close();
    }
}

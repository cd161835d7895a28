package io.sluice.verbs.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.sluice.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The C library's calls about file descriptors and memory that verbs need. Any thread may call. */
public final class SystemCalls {
    /** Error number of a call that finds nothing there now. */
    public static final int EAGAIN = 11;
    private static final short POLL_IN = 1;
    private static final int POLL_RECORD_LENGTH = 8;
    private static final int POLL_EVENTS_OFFSET = 4;
    private static final int POLL_RESULTS_OFFSET = 6;
    private static final int SET_FLAGS = 4;
    private static final int NON_BLOCKING = 0x800;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int READ_AND_WRITE = 3;
    /** Private, anonymous, and with its pages there at once. */
    private static final int MAP_FLAGS = 0x02 | 0x20 | 0x8000;
    private static final int HUGE_PAGES = 0x40000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle POLL = LINKER.downcallHandle(
        find("poll"), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle READ = LINKER.downcallHandle(
        find("read"), FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE = LINKER.downcallHandle(
        find("write"), FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CLOSE = LINKER.downcallHandle(
        find("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle CONTROL = LINKER.downcallHandle(
        find("fcntl"), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
        Linker.Option.firstVariadicArg(2));
    private static final MethodHandle OPEN = LINKER.downcallHandle(
        find("open"), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle DUPLICATE = LINKER.downcallHandle(
        find("dup3"), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final SetupCall EVENT_DESCRIPTOR =
        SetupCall.at("eventfd", find("eventfd").address(), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final SetupCall MAP = SetupCall.at("mmap", find("mmap").address(),
        FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final SetupCall UNMAP =
        SetupCall.at("munmap", find("munmap").address(), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

    /** The number that is added to an event descriptor's count; all threads write it. */
    private static final MemorySegment ONE = Arena.global().allocateFrom(JAVA_LONG, 1L);
    /** The memory that the count is read to, which nobody looks at. */
    private static final MemorySegment COUNT = Arena.global().allocate(JAVA_LONG);

    private SystemCalls() {
    }

    private static MemorySegment find(final String name) {
        return LINKER.defaultLookup().find(name)
            .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
    }

    /**
     * Memory for {@link #await}: the descriptors to look at.
     *
     * @param descriptors that can become readable.
     * @return records that live as long as they are reachable, one for each in the order given.
     */
    public static MemorySegment pollRecords(final int... descriptors) {
        final MemorySegment records =
            Arena.ofAuto().allocate((long) descriptors.length * POLL_RECORD_LENGTH, Integer.BYTES);
        for (int i = 0; i < descriptors.length; i++) {
            records.set(JAVA_INT, (long) i * POLL_RECORD_LENGTH, descriptors[i]);
            records.set(JAVA_INT, (long) i * POLL_RECORD_LENGTH + POLL_EVENTS_OFFSET, POLL_IN);
        }
        return records;
    }

    /**
     * One of them, to wait for it alone.
     *
     * @param records by {@link #pollRecords}.
     * @param index   of the descriptor among them.
     * @return its record, which is a part of them.
     */
    public static MemorySegment pollRecord(final MemorySegment records, final int index) {
        return records.asSlice((long) index * POLL_RECORD_LENGTH, POLL_RECORD_LENGTH);
    }

    /**
     * Have a record look at another descriptor; nobody waits by it.
     *
     * @param records    by {@link #pollRecords}.
     * @param index      of the record.
     * @param descriptor that can become readable.
     */
    public static void watch(final MemorySegment records, final int index, final int descriptor) {
        records.set(JAVA_INT, (long) index * POLL_RECORD_LENGTH, descriptor);
    }

    /**
     * Put {@code /dev/null} in the place of what a descriptor refers to, which is closed so while whoever holds its
     * number neither knows nor closes another one by it (dup2(2)).
     *
     * @param descriptor of a file that is to be let go of.
     */
    public static void empty(final int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            final int nothing = (int) OPEN.invokeExact(arena.allocateFrom("/dev/null"), CLOSE_ON_EXEC);
            if (nothing >= 0) {
                final int ignored = (int) DUPLICATE.invokeExact(nothing, descriptor, CLOSE_ON_EXEC);
                close(nothing);
            }
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /**
     * Wait until one of the descriptors can be read.
     *
     * @param records   by {@link #pollRecords}.
     * @param timeoutNs longest wait; 0 or less does not wait, while poll(2) takes less for no limit.
     * @return false after the timeout, and when a signal came.
     */
    public static boolean await(final MemorySegment records, final long timeoutNs) {
        final long timeoutMs = (Math.max(0, timeoutNs) + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
        try {
            return (int) POLL.invokeExact(records, records.byteSize() / POLL_RECORD_LENGTH, (int) timeoutMs) > 0;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /**
     * Whether one of them can be read, after an {@link #await} that returned true.
     *
     * @param records that were waited for.
     * @param index   of the descriptor among them.
     * @return whether reading it would not block.
     */
    public static boolean isReadable(final MemorySegment records, final int index) {
        return (records.get(JAVA_SHORT, (long) index * POLL_RECORD_LENGTH + POLL_RESULTS_OFFSET) & POLL_IN) != 0;
    }

    /**
     * Have reads of a descriptor answer {@link #EAGAIN} instead of waiting.
     *
     * @param descriptor to change.
     * @throws VerbsException when it cannot be changed.
     */
    public static void setNonBlocking(final int descriptor) {
        try {
            if ((int) CONTROL.invokeExact(descriptor, SET_FLAGS, NON_BLOCKING) < 0) {
                throw new VerbsException("fcntl", 0, "descriptor " + descriptor + " stays blocking");
            }
        } catch (final VerbsException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /**
     * A descriptor that {@link #signal} makes readable (eventfd(2)).
     *
     * @return it, the caller's to {@link #close}.
     * @throws VerbsException when there is none left.
     */
    public static int newEventDescriptor() {
        final SetupCall.Result result = EVENT_DESCRIPTOR.invoke(0, NON_BLOCKING | CLOSE_ON_EXEC);
        if (result.value() < 0) {
            throw EVENT_DESCRIPTOR.failure(result.errno(), "no descriptor to wake a thread with");
        }
        return (int) result.value();
    }

    /**
     * Make an event descriptor readable.
     *
     * @param eventDescriptor by {@link #newEventDescriptor}.
     */
    public static void signal(final int eventDescriptor) {
        try {
            // The counter cannot run over: it is cleared when it is read, and full means readable, too.
            final long ignored = (long) WRITE.invokeExact(eventDescriptor, ONE, 8L);
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /**
     * Make an event descriptor unreadable, which it may be already.
     *
     * @param eventDescriptor by {@link #newEventDescriptor}.
     */
    public static void clear(final int eventDescriptor) {
        try {
            // Nothing to read is fine, too.
            final long ignored = (long) READ.invokeExact(eventDescriptor, COUNT, 8L);
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /**
     * Close a descriptor.
     *
     * @param descriptor which is nobody's any more, whatever happens.
     */
    public static void close(final int descriptor) {
        try {
            // Nothing can be done about a failure, and the descriptor is gone in any case.
            final int ignored = (int) CLOSE.invokeExact(descriptor);
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /**
     * Zeroed pages of this process (mmap(2)).
     *
     * @param length in bytes: whole pages.
     * @return their address, or -1 and an error number.
     */
    public static SetupCall.Result map(final long length) {
        return MAP.invoke(0L, length, READ_AND_WRITE, MAP_FLAGS, -1, 0L);
    }

    /**
     * Zeroed huge pages of this process (mmap(2)).
     *
     * @param length in bytes: whole huge pages.
     * @return their address, or -1 and an error number.
     */
    public static SetupCall.Result mapHuge(final long length) {
        return MAP.invoke(0L, length, READ_AND_WRITE, MAP_FLAGS | HUGE_PAGES, -1, 0L);
    }

    /**
     * Give pages back (munmap(2)).
     *
     * @param address of the first.
     * @param length  in bytes: as it was mapped.
     * @throws VerbsException when they are no such pages.
     */
    public static void unmap(final long address, final long length) {
        UNMAP.check("cannot give back " + length + " bytes", address, length);
    }
}

package io.sluice.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.BitSet;

/**
 * The C library's calls about processors, sched.h; Linux only, linked at first use. Any thread may call; all calls are
 * about the calling thread.
 */
final class SchedulerCalls {
    private static final int EINVAL = 22;
    private static final int CALLING_THREAD = 0;
    private static final int MASK_LENGTH = CpuList.MAX_CPUS / Byte.SIZE;
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURE.varHandle(PathElement.groupElement("errno"));

    private static SchedulerCalls instance;

    private final MethodHandle setAffinity;
    private final MethodHandle getAffinity;
    private final MethodHandle getCpu;

    private SchedulerCalls() {
        final FunctionDescriptor affinity = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
        setAffinity = link("sched_setaffinity", affinity);
        getAffinity = link("sched_getaffinity", affinity);
        getCpu = link("sched_getcpu", FunctionDescriptor.of(JAVA_INT));
    }

    static synchronized SchedulerCalls instance() {
        if (instance == null) {
            try {
                instance = new SchedulerCalls();
            } catch (final IllegalCallerException e) {
                throw new IllegalStateException("processor affinity needs native access: start the JVM with"
                    + " --enable-native-access=ALL-UNNAMED (class path) or =io.sluice.verbs (module path)", e);
            }
        }
        return instance;
    }

    private static MethodHandle link(final String name, final FunctionDescriptor descriptor) {
        final Linker linker = Linker.nativeLinker();
        final MemorySegment address = linker.defaultLookup().find(name)
            .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
        return linker.downcallHandle(address, descriptor, Linker.Option.captureCallState("errno"));
    }

    /**
     * Allow processors, sched_setaffinity(2): 0, or -1 and errno.
     *
     * @return false when none of them can be had.
     */
    boolean setAffinity(final int[] cpus) {
        final BitSet bits = new BitSet();
        for (final int cpu : cpus) {
            bits.set(cpu);
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(CAPTURE);
            final MemorySegment mask = arena.allocate(MASK_LENGTH, Long.BYTES);
            final long[] words = bits.toLongArray();
            MemorySegment.copy(words, 0, mask, JAVA_LONG, 0, words.length);
            final int result = (int) setAffinity.invokeExact(capture, CALLING_THREAD, (long) MASK_LENGTH, mask);
            if (result == 0) {
                return true;
            }
            final int errno = (int) ERRNO.get(capture, 0L);
            if (errno == EINVAL) {
                return false;
            }
            throw failure("sched_setaffinity", errno);
        } catch (final RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Allowed processors, ascending, sched_getaffinity(2): 0, or -1 and errno. */
    int[] affinity() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(CAPTURE);
            final MemorySegment mask = arena.allocate(MASK_LENGTH, Long.BYTES);
            final int result = (int) getAffinity.invokeExact(capture, CALLING_THREAD, (long) MASK_LENGTH, mask);
            if (result != 0) {
                throw failure("sched_getaffinity", (int) ERRNO.get(capture, 0L));
            }
            return BitSet.valueOf(mask.toArray(JAVA_LONG)).stream().toArray();
        } catch (final RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** The processor of this moment, sched_getcpu(3): its number, or -1 and errno. */
    int currentCpu() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(CAPTURE);
            final int cpu = (int) getCpu.invokeExact(capture);
            if (cpu < 0) {
                throw failure("sched_getcpu", (int) ERRNO.get(capture, 0L));
            }
            return cpu;
        } catch (final RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static IllegalStateException failure(final String call, final int errno) {
        return new IllegalStateException(call + " failed: errno=" + errno
            + "; a sandbox (seccomp) may forbid it to this process, see its profile");
    }
}

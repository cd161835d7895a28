package io.sluice.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.agrona.SystemUtil;

/**
 * The number of descriptors that this process may have open, and what to do when there are no more. Any thread may
 * call.
 */
public final class OpenFiles {
    /** An answer to {@link #limit()} where the system does not tell. */
    public static final long UNKNOWN = -1;

    /** RLIMIT_NOFILE of Linux. */
    private static final int RESOURCE = 7;
    private static final int LIMITS_LENGTH = 2 * Long.BYTES;

    private OpenFiles() {
    }

    /**
     * The soft limit of open descriptors, getrlimit(2), which the JVM raises to the hard one when it starts. Opens no
     * file, so that it answers when none can be opened any more.
     *
     * @return how many, or {@link #UNKNOWN}, as on other systems than Linux; {@link Long#MAX_VALUE} when there is no
     *         limit.
     */
    public static long limit() {
        if (!SystemUtil.isLinux()) {
            return UNKNOWN;
        }
        try (Arena arena = Arena.ofConfined()) {
            final MethodHandle getLimits = Linker.nativeLinker().downcallHandle(
                Linker.nativeLinker().defaultLookup().find("getrlimit").orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
            final MemorySegment limits = arena.allocate(LIMITS_LENGTH, Long.BYTES);
            if ((int) getLimits.invokeExact(RESOURCE, limits) != 0) {
                return UNKNOWN;
            }
            final long soft = limits.get(JAVA_LONG, 0);
            // RLIM_INFINITY has all bits set
            return soft < 0 ? Long.MAX_VALUE : soft;
        } catch (final Throwable ex) {
            // It is for a message about something worse.
            return UNKNOWN;
        }
    }

    /**
     * Tell that there are no descriptors left, with the limit, and what to do.
     *
     * @param onMachine whether the whole machine has none (ENFILE), or else this process (EMFILE).
     * @return for people, without a full stop.
     */
    public static String exhausted(final boolean onMachine) {
        if (onMachine) {
            return "this machine has no descriptors left; raise fs.file-max";
        }
        final long limit = limit();
        return "this process has no descriptors left" + (limit == UNKNOWN ? "" : ", its limit is " + limit)
            + "; raise it (ulimit -n, LimitNOFILE= of a systemd unit, --ulimit nofile= of a container)";
    }
}

package io.sluice.environment;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * The C library's call that looks at a path, statx(2): the JDK's map of attributes was a seventh of the time of
 * connecting. Where {@link LockCalls} are; any thread.
 */
final class StatusCall {
    /** The answer that there is a status. */
    static final int FOUND = 0;
    /** The answer that nothing is there: ENOENT. */
    static final int MISSING = 2;
    /** The answer that the call cannot tell: the JDK can, or says why not. */
    static final int UNKNOWN = -1;

    /** The indices of what is found. */
    static final int DEVICE = 0;
    static final int INODE = 1;
    static final int UID = 2;
    static final int MODE = 3;
    static final int SIZE = 4;
    static final int MODIFIED_MS = 5;
    /** The number of values. */
    static final int VALUES = 6;

    /** AT_FDCWD. */
    private static final int CURRENT_FOLDER = -100;
    /** AT_SYMLINK_NOFOLLOW. */
    private static final int NO_FOLLOW = 0x100;
    /** STATX_BASIC_STATS: what stat(2) tells. */
    private static final int BASIC_STATUS = 0x7ff;
    /** The length of a struct statx, which is the same on all architectures, and the offsets of its fields. */
    private static final int STATUS_LENGTH = 256;
    private static final int UID_OFFSET = 20;
    private static final int MODE_OFFSET = 28;
    private static final int INODE_OFFSET = 32;
    private static final int SIZE_OFFSET = 40;
    private static final int MODIFIED_SECONDS_OFFSET = 112;
    private static final int MODIFIED_NANOS_OFFSET = 120;
    private static final int DEVICE_MAJOR_OFFSET = 136;
    private static final int DEVICE_MINOR_OFFSET = 140;
    private static final int MILLIS_PER_SECOND = 1_000;
    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final long LOW_MAJOR = 0xFFF;
    private static final long LOW_MINOR = 0xFF;
    private static final int LOW_MAJOR_SHIFT = 8;
    private static final int HIGH_MINOR_SHIFT = 12;

    /** The call; null where this process may not call native code, or the C library does not have it. */
    private static final MethodHandle STATUS = find();

    private StatusCall() {
    }

    private static MethodHandle find() {
        if (LockCalls.instance() == null || Linker.nativeLinker().defaultLookup().find("statx").isEmpty()) {
            return null;
        }
        return LockCalls.link(
            "statx", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    }

    /**
     * Look at a path itself, whatever a symbolic link there points to.
     *
     * @param found gets the values.
     * @return {@link #FOUND}, {@link #MISSING} or {@link #UNKNOWN}.
     */
    static int read(final Path path, final long[] found) {
        if (STATUS == null) {
            return UNKNOWN;
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(LockCalls.CAPTURE);
            final MemorySegment status = arena.allocate(STATUS_LENGTH, Long.BYTES);
            if ((int) STATUS.invokeExact(
                capture, CURRENT_FOLDER, LockCalls.string(arena, path), NO_FOLLOW, BASIC_STATUS, status) != 0) {
                return (int) LockCalls.ERRNO.get(capture, 0L) == LockCalls.ENOENT ? MISSING : UNKNOWN;
            }
            found[DEVICE] =
                device(status.get(JAVA_INT, DEVICE_MAJOR_OFFSET), status.get(JAVA_INT, DEVICE_MINOR_OFFSET));
            found[INODE] = status.get(JAVA_LONG, INODE_OFFSET);
            found[UID] = status.get(JAVA_INT, UID_OFFSET);
            found[MODE] = Short.toUnsignedInt(status.get(JAVA_SHORT, MODE_OFFSET));
            found[SIZE] = status.get(JAVA_LONG, SIZE_OFFSET);
            found[MODIFIED_MS] = status.get(JAVA_LONG, MODIFIED_SECONDS_OFFSET) * MILLIS_PER_SECOND
                + status.get(JAVA_INT, MODIFIED_NANOS_OFFSET) / NANOS_PER_MILLI;
            return FOUND;
        } catch (final RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** A device's number as stat(2) has it, by makedev(3). */
    static long device(final int major, final int minor) {
        final long high = Integer.toUnsignedLong(major);
        final long low = Integer.toUnsignedLong(minor);
        return (high & ~LOW_MAJOR) << Integer.SIZE | (high & LOW_MAJOR) << LOW_MAJOR_SHIFT
            | (low & ~LOW_MINOR) << HIGH_MINOR_SHIFT | low & LOW_MINOR;
    }
}

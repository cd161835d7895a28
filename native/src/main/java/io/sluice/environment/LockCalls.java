package io.sluice.environment;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * The C library's calls about open file description locks, fcntl(2): such a lock belongs to what open(2) has returned,
 * and no other descriptor of the process undoes it. Linux only, where this process may call native code. Any thread may
 * call.
 */
final class LockCalls {
    private static final int READ_ONLY = 0;
    private static final int READ_AND_WRITE = 2;
    private static final int CREATE = 0x40;
    private static final int EXCLUSIVE = 0x80;
    private static final int NON_BLOCKING = 0x800;
    private static final int CLOSE_ON_EXEC = 0x80000;
    /** O_NOFOLLOW, which differs between architectures; on others than these the locks of the process have to do. */
    private static final Map<String, Integer> NO_FOLLOW =
        Map.of("amd64", 0x20000, "x86_64", 0x20000, "riscv64", 0x20000, "aarch64", 0x8000);

    /** Permissions of a file that open(2) makes, which it asks for otherwise, too. */
    static final int OWNER = 0600;
    private static final int NO_ONE = 0;

    /** F_OFD_GETLK. */
    private static final int ASK = 36;
    /** F_OFD_SETLK. */
    private static final int SET = 37;
    private static final short READ_LOCK = 0;
    private static final short WRITE_LOCK = 1;
    private static final short NO_LOCK = 2;

    private static final int NO_PROCESS = 3;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int EACCES = 13;
    /** A struct flock of 64 bits. */
    private static final MemoryLayout LOCK = MemoryLayout.structLayout(
        JAVA_SHORT.withName("l_type"), JAVA_SHORT.withName("l_whence"), MemoryLayout.paddingLayout(4),
        JAVA_LONG.withName("l_start"), JAVA_LONG.withName("l_len"), JAVA_INT.withName("l_pid"),
        MemoryLayout.paddingLayout(4));
    private static final long TYPE_OFFSET = LOCK.byteOffset(PathElement.groupElement("l_type"));
    private static final long START_OFFSET = LOCK.byteOffset(PathElement.groupElement("l_start"));
    private static final long LENGTH_OFFSET = LOCK.byteOffset(PathElement.groupElement("l_len"));
    static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO = CAPTURE.varHandle(PathElement.groupElement("errno"));
    private static final Charset NAMES_OF_FILES =
        Charset.forName(System.getProperty("sun.jnu.encoding"), Charset.defaultCharset());

    private final int noFollow;
    private final MethodHandle open;
    private final MethodHandle close;
    private final MethodHandle control;
    private final MethodHandle read;
    private final MethodHandle write;
    private final MethodHandle kill;

    private LockCalls(final int noFollow) {
        this.noFollow = noFollow;
        open = link("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
        close = link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        control = link("fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS),
            Linker.Option.firstVariadicArg(2));
        final FunctionDescriptor transfer = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
        read = link("pread", transfer);
        write = link("pwrite", transfer);
        kill = link("kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    }

    static MethodHandle link(
        final String name, final FunctionDescriptor descriptor, final Linker.Option... options) {
        final Linker linker = Linker.nativeLinker();
        final MemorySegment address = linker.defaultLookup().find(name)
            .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
        final Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = Linker.Option.captureCallState("errno");
        return linker.downcallHandle(address, descriptor, all);
    }

    /** The calls; null where there are no such locks, or this process may not call native code. */
    static LockCalls instance() {
        return Holder.INSTANCE;
    }

    private static LockCalls find() {
        final Integer noFollow = NO_FOLLOW.get(System.getProperty("os.arch"));
        if (noFollow == null || !"Linux".equals(System.getProperty("os.name"))
            || !LockCalls.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        final LockCalls calls = new LockCalls(noFollow);
        return calls.hasLocks() ? calls : null;
    }

    /**
     * Kernels before 3.15, and sandboxes that play one, do not know them. Who has no descriptor left to ask with is
     * told so by what comes next, and does not go on for ever without them.
     */
    private boolean hasLocks() {
        try {
            final int descriptor = open(Path.of("/dev/null"), false);
            try {
                isLocked(descriptor, 0);
                return true;
            } finally {
                close(descriptor);
            }
        } catch (final IOException e) {
            return FileErrors.isWant(e);
        }
    }

    /** Open a file for locks, by open(2); never through a symbolic link, and no child that is executed gets it. */
    int open(final Path file, final boolean isWritable) throws IOException {
        return open(file, isWritable ? READ_AND_WRITE : READ_ONLY, NO_ONE);
    }

    /** Make a file for its owner alone, by open(2), where nothing is: not through a symbolic link either. */
    int create(final Path file) throws IOException {
        return open(file, READ_AND_WRITE | CREATE | EXCLUSIVE, OWNER);
    }

    private int open(final Path file, final int flags, final int permissions) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(CAPTURE);
            final MemorySegment path = string(arena, file);
            int errno;
            do {
                final int descriptor = (int) open.invokeExact(
                    capture, path, flags | NON_BLOCKING | CLOSE_ON_EXEC | noFollow, permissions);
                if (descriptor >= 0) {
                    return descriptor;
                }
                errno = (int) ERRNO.get(capture, 0L);
                // a file system of another host may be waited for
            } while (errno == EINTR);
            if (errno == ENOENT) {
                throw new NoSuchFileException(file.toString());
            }
            throw failure("open", errno, file);
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** A path as C's functions take it. */
    static MemorySegment string(final Arena arena, final Path path) {
        final byte[] name = path.toString().getBytes(NAMES_OF_FILES);
        // zeroed, and so ended by a NUL
        final MemorySegment string = arena.allocate(name.length + 1L);
        MemorySegment.copy(name, 0, string, JAVA_BYTE, 0, name.length);
        return string;
    }

    /** Lock a byte for this descriptor alone: false when another has it. */
    boolean tryLock(final int descriptor, final long index) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(CAPTURE);
            if ((int) control.invokeExact(capture, descriptor, SET, lock(arena, WRITE_LOCK, index)) == 0) {
                return true;
            }
            final int errno = (int) ERRNO.get(capture, 0L);
            if (errno == EAGAIN || errno == EACCES) {
                return false;
            }
            throw failure("fcntl", errno, null);
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Whether another descriptor or process has a byte for itself; takes nothing. */
    boolean isLocked(final int descriptor, final long index) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(CAPTURE);
            final MemorySegment lock = lock(arena, READ_LOCK, index);
            if ((int) control.invokeExact(capture, descriptor, ASK, lock) == 0) {
                return lock.get(JAVA_SHORT, TYPE_OFFSET) != NO_LOCK;
            }
            throw failure("fcntl", (int) ERRNO.get(capture, 0L), null);
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static MemorySegment lock(final Arena arena, final short type, final long index) {
        final MemorySegment lock = arena.allocate(LOCK);
        lock.set(JAVA_SHORT, TYPE_OFFSET, type);
        lock.set(JAVA_LONG, START_OFFSET, index);
        lock.set(JAVA_LONG, LENGTH_OFFSET, 1);
        return lock;
    }

    /** The first bytes of a file, as many as there are. */
    byte[] read(final int descriptor, final int length) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(CAPTURE);
            final MemorySegment buffer = arena.allocate(length);
            final long count = (long) read.invokeExact(capture, descriptor, buffer, (long) length, 0L);
            if (count < 0) {
                throw failure("pread", (int) ERRNO.get(capture, 0L), null);
            }
            return buffer.asSlice(0, count).toArray(JAVA_BYTE);
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Overwrite the first bytes of a file. */
    void write(final int descriptor, final byte[] content) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(CAPTURE);
            final MemorySegment buffer = arena.allocate(content.length);
            MemorySegment.copy(content, 0, buffer, JAVA_BYTE, 0, content.length);
            if ((long) write.invokeExact(capture, descriptor, buffer, (long) content.length, 0L) != content.length) {
                throw failure("pwrite", (int) ERRNO.get(capture, 0L), null);
            }
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Close a descriptor, and drop its locks. */
    void close(final int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            // it is gone in any case
            int _ = (int) close.invokeExact(arena.allocate(CAPTURE), descriptor);
        } catch (final RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Whether there is certainly no process of an id, by kill(2) with signal 0. */
    boolean isNoProcess(final long pid) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(CAPTURE);
            return (int) kill.invokeExact(capture, (int) pid, 0) != 0 && (int) ERRNO.get(capture, 0L) == NO_PROCESS;
        } catch (final RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    static IOException failure(final String call, final int errno, final Path file) {
        final String reason = call + " failed: " + FileErrors.describe(errno);
        return file == null ? new IOException(reason) : new FileSystemException(file.toString(), null, reason);
    }

    private static final class Holder {
        static final LockCalls INSTANCE = find();
    }
}

package io.sluice.environment;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The C library's calls that write, map and name files: fchmod(2), pwrite(2), mmap(2), munmap(2), renameat2(2). The
 * JDK's channels are closed by an interrupt of the thread that uses them, and what they map is released by a handshake
 * with all threads: these calls need neither another thread nor a pause of those that send and receive. Where
 * {@link LockCalls} are; any thread.
 */
final class FileCalls {
    /**
     * The length of the zeros: large enough that the system calls do not matter, small enough to stay in a second-level
     * cache.
     */
    static final int ZEROS_LENGTH = 256 * 1024;
    /** Zeros for all files, since to clear memory for each takes longer than to write it; nobody writes to them. */
    private static final MemorySegment ZEROS = Arena.global().allocate(ZEROS_LENGTH);

    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int SHARED = 1;
    /** MAP_POPULATE: pages are there before the first access. */
    private static final int POPULATE = 0x8000;
    private static final long FAILED = -1;
    private static final int CURRENT_FOLDER = -100;
    private static final int NO_REPLACE = 1;
    private static final int EPERM = 1;
    private static final int EEXIST = 17;
    private static final int EINVAL = 22;
    private static final int ENOSYS = 38;

    private final LockCalls calls;
    private final MethodHandle write;
    private final MethodHandle map;
    private final MethodHandle unmap;
    private final MethodHandle changeMode;
    /** The call renameat2(2); null with a C library that does not have it. */
    private final MethodHandle rename;

    private FileCalls(final LockCalls calls) {
        this.calls = calls;
        write = LockCalls.link("pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
        map = LockCalls.link("mmap", FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
        unmap = LockCalls.link("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        changeMode = LockCalls.link("fchmod", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        rename = Linker.nativeLinker().defaultLookup().find("renameat2").isEmpty() ? null : LockCalls.link("renameat2",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));
    }

    /** The calls; null where {@link LockCalls} are not. */
    static FileCalls instance() {
        return Holder.INSTANCE;
    }

    private static FileCalls find() {
        final LockCalls calls = LockCalls.instance();
        return calls == null ? null : new FileCalls(calls);
    }

    /** Open a file that is there: its descriptor. */
    int open(final Path file, final boolean isWritable) throws IOException {
        return calls.open(file, isWritable);
    }

    /** Make a file where nothing is, for its owner alone: its descriptor. */
    int create(final Path file) throws IOException {
        final int descriptor = calls.create(file);
        boolean isKept = false;
        try {
            allow(descriptor);
            isKept = true;
            return descriptor;
        } finally {
            if (!isKept) {
                close(descriptor);
            }
        }
    }

    /** Gives the owner of a new file what the umask of this process has taken, see {@link NewFile}. */
    private void allow(final int descriptor) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(LockCalls.CAPTURE);
            if ((int) changeMode.invokeExact(capture, descriptor, LockCalls.OWNER) != 0) {
                throw LockCalls.failure("fchmod", errno(capture), null);
            }
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /**
     * Give a file another name, unless something has that.
     *
     * @return false where the C library, the kernel or the file system does not know how, or a sandbox forbids it.
     */
    boolean rename(final Path file, final Path name) throws IOException {
        if (rename == null) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(LockCalls.CAPTURE);
            if ((int) rename.invokeExact(capture, CURRENT_FOLDER, LockCalls.string(arena, file), CURRENT_FOLDER,
                LockCalls.string(arena, name), NO_REPLACE) == 0) {
                return true;
            }
            return switch (errno(capture)) {
                case EEXIST -> throw new FileAlreadyExistsException(name.toString());
                case LockCalls.ENOENT -> throw new NoSuchFileException(file.toString());
                case EPERM, EINVAL, ENOSYS -> false;
                default -> throw LockCalls.failure("renameat2", errno(capture), name);
            };
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Close a descriptor. */
    void close(final int descriptor) {
        calls.close(descriptor);
    }

    /** Write zeros, so that the file has the room. */
    void writeZeros(final int descriptor, final long offset, final long length) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            write(arena, descriptor, ZEROS, offset, length);
        }
    }

    /** Write a file's first bytes. */
    void write(final int descriptor, final byte[] content) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            write(arena, descriptor, arena.allocateFrom(JAVA_BYTE, content), 0, content.length);
        }
    }

    /** Write bytes, over and over again until the length is written. */
    private void write(
        final Arena arena, final int descriptor, final MemorySegment bytes, final long offset, final long length)
        throws IOException {
        try {
            final MemorySegment capture = arena.allocate(LockCalls.CAPTURE);
            final long period = bytes.byteSize();
            long written = 0;
            while (written < length) {
                final long count = (long) write.invokeExact(capture, descriptor, bytes.asSlice(written % period),
                    Math.min(length - written, period - written % period), offset + written);
                if (count >= 0) {
                    written += count;
                } else if (errno(capture) != LockCalls.EINTR) {
                    throw LockCalls.failure("pwrite", errno(capture), null);
                }
            }
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Map a file from its beginning, shared: the address. */
    long map(final int descriptor, final long length, final boolean isWritable, final boolean isTouched)
        throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(LockCalls.CAPTURE);
            final long address = (long) map.invokeExact(capture, 0L, length, isWritable ? READ | WRITE : READ,
                isTouched ? SHARED | POPULATE : SHARED, descriptor, 0L);
            if (address == FAILED) {
                throw LockCalls.failure("mmap", errno(capture), null);
            }
            return address;
        } catch (final IOException | RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Release what {@link #map} has mapped, which nobody may touch any more. */
    void unmap(final long address, final long length) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment capture = arena.allocate(LockCalls.CAPTURE);
            if ((int) unmap.invokeExact(capture, address, length) != 0) {
                throw new IllegalStateException("cannot unmap file, which stays mapped: bytes=" + length + " "
                    + FileErrors.describe(errno(capture)));
            }
        } catch (final RuntimeException e) {
            throw e;
        } catch (final Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static int errno(final MemorySegment capture) {
        return (int) LockCalls.ERRNO.get(capture, 0L);
    }

    private static final class Holder {
        static final FileCalls INSTANCE = find();
    }
}

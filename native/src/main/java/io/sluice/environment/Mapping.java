package io.sluice.environment;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Maps files: by {@link FileCalls} where they are. Elsewhere by channels, and then, as files are written, on another
 * thread: an interrupt of a thread that writes or maps closes the channel under it, and with it the locks that this
 * process holds on the file.
 */
final class Mapping {
    /**
     * The longest window of a stream. Of what is longer, which the software device lets others have, pages come as they
     * are used: a peer says how long it is, and its file may be sparse.
     */
    private static final long MAX_TOUCHED_LENGTH = 1L << 30;

    private static final String THREAD_NAME = "sluice-file";
    /** Time from one operation of a set-up to the next: making a thread takes longer than most operations. */
    private static final long THREAD_KEPT_MS = 100;
    /**
     * A thread for each that asks, made by it and so on the processors that it may use: pages belong to the memory of
     * the processor that touches them first. What callers keep of it has nothing of this class, which may be unloaded.
     */
    private static final ThreadLocal<ThreadPoolExecutor> THREADS = ThreadLocal.withInitial(() -> {
        final ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, THREAD_KEPT_MS, TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name(THREAD_NAME).inheritInheritableThreadLocals(false).factory());
        thread.allowCoreThreadTimeOut(true);
        return thread;
    });

    private Mapping() {
    }

    /** Map an open file of a length, for its path in what is said when it cannot be. */
    static SystemMappedMemory map(
        final FileCalls calls, final int descriptor, final Path file, final Use use, final long length)
        throws IOException {
        try {
            final long address = calls.map(descriptor, length, use.isWritable(), use.isTouchedAt(length));
            return new SystemMappedMemory(address, length, () -> calls.unmap(address, length));
        } catch (final IOException e) {
            throw unmapped(file, length, e);
        }
    }

    /** Map a file of a length, for its path in what is said when it cannot be. */
    static SystemMappedMemory map(
        final FileChannel channel, final Path file, final Use use, final long length) throws IOException {
        return uninterrupted(() -> {
            final Arena arena = Arena.ofShared();
            try {
                final MapMode mode = use.isWritable() ? MapMode.READ_WRITE : MapMode.READ_ONLY;
                final MemorySegment segment = map(channel, file, mode, length, arena);
                if (use.isTouchedAt(length)) {
                    // or the first lap through a ring would stop at each page for a fault
                    segment.load();
                }
                return new SystemMappedMemory(segment.address(), length, arena::close);
            } catch (final Throwable t) {
                arena.close();
                throw t;
            }
        });
    }

    /**
     * Maps a part of a file, and says what to do on a failure: the JDK says no more than that it has failed, whichever
     * limit was met.
     */
    private static MemorySegment map(
        final FileChannel channel, final Path file, final MapMode mode, final long length, final Arena arena)
        throws IOException {
        try {
            return channel.map(mode, 0, length, arena);
        } catch (final IOException e) {
            throw unmapped(file, length, e);
        }
    }

    private static IOException unmapped(final Path file, final long length, final IOException cause) {
        return new IOException("cannot map file: path=" + file + " bytes=" + length + " cause=" + cause.getMessage()
            + "; this process may be out of mappings (sysctl vm.max_map_count) or of address space (ulimit -v), or"
            + " the file system maps no shared memory", cause);
    }

    /** The purpose that a file is mapped for: all but a look, and what is filled bit by bit, touch its pages before. */
    enum Use {
        READ_AND_WRITE, FILL, READ, LOOK;

        boolean isWritable() {
            return this == READ_AND_WRITE || this == FILL;
        }

        boolean isTouchedAt(final long length) {
            return (this == READ_AND_WRITE || this == READ) && length <= MAX_TOUCHED_LENGTH;
        }
    }

    /** Run on a thread that nobody knows and so nobody interrupts; the caller's interrupt is kept for afterwards. */
    static <T> T uninterrupted(final Callable<T> operation) throws IOException {
        final FutureTask<T> task = new FutureTask<>(operation);
        start(task);
        if (Thread.currentThread().isVirtual()) {
            keepCarrier(task);
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (final InterruptedException e) {
                    interrupted = true;
                } catch (final ExecutionException e) {
                    throw new IOException(e.getCause().getMessage(), e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Starts a task on a thread. No thread is a want of resources, as no room is, which callers expect: an error would
     * leave things half done.
     */
    private static void start(final Runnable task) throws IOException {
        final ThreadPoolExecutor thread = THREADS.get();
        try {
            thread.execute(task);
        } catch (final OutOfMemoryError e) {
            thread.remove(task);
            throw new IOException(SystemWorker.noThread(THREAD_NAME), e);
        }
    }

    /**
     * Keeps the carrier of a virtual thread until a task is done: one that parks gets its carrier back when others
     * leave it one, which those that spin and yield never do. Meanwhile everybody would wait for the locks that it
     * holds here.
     */
    private static void keepCarrier(final Future<?> task) {
        while (!task.isDone()) {
            Thread.onSpinWait();
        }
    }
}

package io.sluice.rpma;

import io.sluice.verbs.foreign.Guard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The operations by which a connection moves messages, and bytes of the other peer's memory. They are the data path of
 * {@link RpmaConnection}.
 */
abstract class ConnectionOperations {
    /** The number of bytes that the place of an atomic write is a multiple of. */
    public static final int ATOMIC_WRITE_ALIGNMENT = 8;

    final NativePeer peer;
    final long handle;
    final Guard sendGuard = new Guard();
    final Guard receiveGuard = new Guard();
    volatile boolean isShut;
    private final RpmaCalls calls;
    /** The bytes of an atomic write, which librpma takes at the call. */
    private final MemorySegment atomicBytes = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);

    ConnectionOperations(final NativePeer peer, final long handle) {
        this.peer = peer;
        this.handle = handle;
        calls = peer.library().calls();
    }

    /**
     * Send a message, rpma_send(3).
     *
     * @param source        of the same peer, with {@link RpmaUsage#SEND}; null for a message without bytes.
     * @param offset        in it, in bytes.
     * @param length        in bytes.
     * @param flags         one of {@link RpmaCompletionFlags}.
     * @param workRequestId that its completion has.
     * @return 0 or one of {@link RpmaError}: E_INVAL for a bad argument or a closed connection, E_PROVIDER when the
     * queue is full or the connection broken: {@link RpmaLog#lastErrno} tells which. The library logs what it refuses,
     * which costs far more than a post and allocates: count what is under way.
     */
    public int send(
        final RpmaMemoryRegion source,
        final long offset,
        final int length,
        final int flags,
        final long workRequestId) {
        sendGuard.enter();
        try {
            return isUsable(source, length)
                ? calls.send(handle, handleOf(source), offset, length, flags, workRequestId) : RpmaError.E_INVAL;
        } finally {
            sendGuard.leave();
        }
    }

    /**
     * Send a message with 32 bits beside it, rpma_send_with_imm(3).
     *
     * @param source        of the same peer, with {@link RpmaUsage#SEND}; null for a message without bytes.
     * @param offset        in it, in bytes.
     * @param length        in bytes.
     * @param flags         one of {@link RpmaCompletionFlags}.
     * @param immediate     in this host's byte order.
     * @param workRequestId that its completion has.
     * @return 0 or an error, as of {@link #send}.
     */
    public int sendWithImmediate(
        final RpmaMemoryRegion source,
        final long offset,
        final int length,
        final int flags,
        final int immediate,
        final long workRequestId) {
        sendGuard.enter();
        try {
            return isUsable(source, length)
                ? calls.sendWithImm(handle, handleOf(source), offset, length, flags, immediate, workRequestId)
                : RpmaError.E_INVAL;
        } finally {
            sendGuard.leave();
        }
    }

    /**
     * Have a message received, rpma_recv(3).
     *
     * @param destination   of the same peer, with {@link RpmaUsage#RECEIVE}; null for a message without bytes.
     * @param offset        in it, in bytes.
     * @param length        longest message, in bytes.
     * @param workRequestId that its completion has.
     * @return 0 or an error, as of {@link #send}.
     */
    public int receive(
        final RpmaMemoryRegion destination, final long offset, final int length, final long workRequestId) {
        receiveGuard.enter();
        try {
            return isUsable(destination, length)
                ? calls.recv(handle, handleOf(destination), offset, length, workRequestId) : RpmaError.E_INVAL;
        } finally {
            receiveGuard.leave();
        }
    }

    /**
     * Read from the other peer's memory, rpma_read(3).
     *
     * @param destination       of the same peer, with {@link RpmaUsage#READ_DESTINATION}.
     * @param destinationOffset in it, in bytes.
     * @param source            of the other peer, with {@link RpmaUsage#READ_SOURCE}.
     * @param sourceOffset      in it, in bytes.
     * @param length            in bytes.
     * @param flags             one of {@link RpmaCompletionFlags}.
     * @param workRequestId     that its completion has.
     * @return 0 or an error, as of {@link #send}; what the other peer forbids fails by its completion.
     */
    public int read(
        final RpmaMemoryRegion destination,
        final long destinationOffset,
        final RpmaRemoteRegion source,
        final long sourceOffset,
        final int length,
        final int flags,
        final long workRequestId) {
        sendGuard.enter();
        try {
            return isUsable(destination, source, length)
                ? calls.read(handle, handleOf(destination), destinationOffset, handleOf(source), sourceOffset, length,
                    flags, workRequestId)
                : RpmaError.E_INVAL;
        } finally {
            sendGuard.leave();
        }
    }

    /**
     * Write to the other peer's memory, rpma_write(3).
     *
     * @param destination       of the other peer, with {@link RpmaUsage#WRITE_DESTINATION}.
     * @param destinationOffset in it, in bytes.
     * @param source            of the same peer, with {@link RpmaUsage#WRITE_SOURCE}.
     * @param sourceOffset      in it, in bytes.
     * @param length            in bytes.
     * @param flags             one of {@link RpmaCompletionFlags}.
     * @param workRequestId     that its completion has.
     * @return 0 or an error, as of {@link #read}.
     */
    public int write(
        final RpmaRemoteRegion destination,
        final long destinationOffset,
        final RpmaMemoryRegion source,
        final long sourceOffset,
        final int length,
        final int flags,
        final long workRequestId) {
        sendGuard.enter();
        try {
            return isUsable(source, destination, length)
                ? calls.write(handle, handleOf(destination), destinationOffset, handleOf(source), sourceOffset, length,
                    flags, workRequestId)
                : RpmaError.E_INVAL;
        } finally {
            sendGuard.leave();
        }
    }

    /**
     * Write to the other peer's memory and complete one of its receives with 32 bits, rpma_write_with_imm(3).
     *
     * @param destination       of the other peer, with {@link RpmaUsage#WRITE_DESTINATION}.
     * @param destinationOffset in it, in bytes.
     * @param source            of the same peer, with {@link RpmaUsage#WRITE_SOURCE}.
     * @param sourceOffset      in it, in bytes.
     * @param length            in bytes.
     * @param flags             one of {@link RpmaCompletionFlags}.
     * @param immediate         in this host's byte order.
     * @param workRequestId     that its completion has.
     * @return 0 or an error, as of {@link #read}.
     */
    public int writeWithImmediate(
        final RpmaRemoteRegion destination,
        final long destinationOffset,
        final RpmaMemoryRegion source,
        final long sourceOffset,
        final int length,
        final int flags,
        final int immediate,
        final long workRequestId) {
        sendGuard.enter();
        try {
            return isUsable(source, destination, length)
                ? calls.writeWithImm(handle, handleOf(destination), destinationOffset, handleOf(source), sourceOffset,
                    length, flags, immediate, workRequestId)
                : RpmaError.E_INVAL;
        } finally {
            sendGuard.leave();
        }
    }

    /**
     * Write eight bytes at once to the other peer's memory, rpma_atomic_write(3), behind all reads and flushes posted
     * before.
     *
     * @param destination       of the other peer, with {@link RpmaUsage#WRITE_DESTINATION}.
     * @param destinationOffset in it, in bytes, a multiple of {@link #ATOMIC_WRITE_ALIGNMENT}.
     * @param value             whose bytes are written in this host's order.
     * @param flags             one of {@link RpmaCompletionFlags}.
     * @param workRequestId     that its completion has.
     * @return 0 or an error, as of {@link #read}.
     */
    public int atomicWrite(
        final RpmaRemoteRegion destination,
        final long destinationOffset,
        final long value,
        final int flags,
        final long workRequestId) {
        sendGuard.enter();
        try {
            if (isShut || destination == null || !destination.isOf(peer)) {
                return RpmaError.E_INVAL;
            }
            atomicBytes.set(ValueLayout.JAVA_LONG, 0, value);
            return calls.atomicWrite(
                handle, destination.handle(), destinationOffset, atomicBytes.address(), flags, workRequestId);
        } finally {
            sendGuard.leave();
        }
    }

    /**
     * Flush what was written before to where it is visible or persistent, rpma_flush(3).
     *
     * @param destination       of the other peer, registered with that type of flush.
     * @param destinationOffset in it, in bytes.
     * @param length            in bytes.
     * @param type              one of {@link RpmaFlushType}.
     * @param flags             one of {@link RpmaCompletionFlags}.
     * @param workRequestId     that its completion has.
     * @return 0 or an error, as of {@link #read}; E_NOSUPP when the memory or the other peer has no such flush.
     */
    public int flush(
        final RpmaRemoteRegion destination,
        final long destinationOffset,
        final int length,
        final int type,
        final int flags,
        final long workRequestId) {
        sendGuard.enter();
        try {
            return isShut || length < 0 || destination == null || !destination.isOf(peer) ? RpmaError.E_INVAL
                : calls.flush(handle, destination.handle(), destinationOffset, length, type, flags, workRequestId);
        } finally {
            sendGuard.leave();
        }
    }

    private boolean isUsable(final RpmaMemoryRegion region, final int length) {
        return !isShut && length >= 0 && (region == null || region.isOf(peer));
    }

    private boolean isUsable(final RpmaMemoryRegion region, final RpmaRemoteRegion remote, final int length) {
        return isUsable(region, length) && (remote == null || remote.isOf(peer));
    }

    private static long handleOf(final RpmaMemoryRegion region) {
        return region == null ? 0 : region.handle();
    }

    private static long handleOf(final RpmaRemoteRegion region) {
        return region == null ? 0 : region.handle();
    }
}

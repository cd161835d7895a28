package io.sluice.verbs;

/**
 * The error numbers that verbs return, with Linux' values on every platform. Positive, as {@code ibv_post_send(3)} and
 * {@code ibv_start_poll} return them.
 */
public final class Errno {
    /** No error. */
    public static final int OK = 0;
    /** {@code startPoll} and {@code nextPoll}: the completion queue is empty. */
    public static final int ENOENT = 2;
    /** Posting: the queue is full; this is flow control, not a lack of memory. */
    public static final int ENOMEM = 12;
    /** Permission denied. */
    public static final int EACCES = 13;
    /** A bad address. */
    public static final int EFAULT = 14;
    /** {@code startPoll} with wall-clock timestamps: try again. */
    public static final int EBUSY = 16;
    /** A bad argument, or an object in the wrong state. */
    public static final int EINVAL = 22;
    /** The device cannot do this. */
    public static final int EOPNOTSUPP = 95;
    /** The address is taken. */
    public static final int EADDRINUSE = 98;
    /** Nobody answered in time. */
    public static final int ETIMEDOUT = 110;
    /** Nobody listens there. */
    public static final int ECONNREFUSED = 111;

    private Errno() {
    }

    /**
     * Number and name of an error.
     *
     * @param errno a positive error number.
     * @return for example {@code "12 ENOMEM"}.
     */
    public static String describe(final int errno) {
        return errno + " " + switch (errno) {
            case OK -> "OK";
            case ENOENT -> "ENOENT";
            case ENOMEM -> "ENOMEM";
            case EACCES -> "EACCES";
            case EFAULT -> "EFAULT";
            case EBUSY -> "EBUSY";
            case EINVAL -> "EINVAL";
            case EOPNOTSUPP -> "EOPNOTSUPP";
            case EADDRINUSE -> "EADDRINUSE";
            case ETIMEDOUT -> "ETIMEDOUT";
            case ECONNREFUSED -> "ECONNREFUSED";
            // of other calls than those of the data path, so without a name here
            case 1 -> "EPERM";
            case 5 -> "EIO";
            case 6 -> "ENXIO";
            case 19 -> "ENODEV";
            case 38 -> "ENOSYS";
            case 99 -> "EADDRNOTAVAIL";
            case 101 -> "ENETUNREACH";
            case 104 -> "ECONNRESET";
            case 113 -> "EHOSTUNREACH";
            default -> "unnamed";
        };
    }
}

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
    /** No descriptors are left to the whole machine. */
    public static final int ENFILE = 23;
    /** No descriptors are left to this process. */
    public static final int EMFILE = 24;
    /** The device cannot do this. */
    public static final int EOPNOTSUPP = 95;
    /** The address is taken. */
    public static final int EADDRINUSE = 98;
    /** No answer came in time. */
    public static final int ETIMEDOUT = 110;
    /** No listener is at the address. */
    public static final int ECONNREFUSED = 111;

    /** The kernel's own number for {@link #EOPNOTSUPP}: not for programs, but drivers let it through. */
    private static final int ENOTSUPP = 524;
    private static final String NO_NAME = "-";

    /**
     * The names of the error numbers from 0 on, as {@code asm-generic/errno.h} has them; numbers that nobody uses have
     * no name.
     */
    private static final String[] NAMES = """
        OK EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT
        ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG
        ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP
        - ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT EBADE EBADR EXFULL
        ENOANO EBADRQC EBADSLT - EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE ENOLINK EADV
        ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC ELIBBAD
        ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE
        EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT
        EADDRINUSE EADDRNOTAVAIL ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN
        ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY
        EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE
        ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE ERFKILL
        EHWPOISON
        """.split("\\s+");

    private Errno() {
    }

    /**
     * Number and name of an error.
     *
     * @param errno a positive error number.
     * @return for example {@code "12 ENOMEM"}.
     */
    public static String describe(final int errno) {
        return errno + " " + name(errno);
    }

    private static String name(final int errno) {
        if (errno == ENOTSUPP) {
            return "ENOTSUPP";
        }
        return errno < 0 || errno >= NAMES.length || NAMES[errno].equals(NO_NAME) ? "unnamed" : NAMES[errno];
    }
}

package io.sluice.environment;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Error numbers of the operating system in what the JDK and this package throw of files and sockets, with Linux' values
 * on every platform, and what to do about them. The JDK keeps an error's text only, in the language of the process.
 * Stateless; any thread.
 */
public final class FileErrors {
    /** The error number is not known. */
    public static final int UNKNOWN = 0;

    /** Errors that a message alone tells apart; a missing file or permission has an exception of its own. */
    private enum Known {
        EPERM(1, "Operation not permitted", ""),
        EIO(5, "Input/output error", ""),
        ENOMEM(12, "Cannot allocate memory", ""),
        EACCES(13, "Permission denied", ""),
        ENOTDIR(20, "Not a directory", ""),
        EINVAL(22, "Invalid argument", ""),
        ENFILE(23, "Too many open files in system", "; the machine is out of file descriptors: raise fs.file-max"),
        EMFILE(24, "Too many open files",
            "; this process is out of file descriptors: raise its limit (ulimit -n, LimitNOFILE= of a service)"),
        EFBIG(27, "File too large",
            "; it is longer than this process may write: raise its limit (ulimit -f, LimitFSIZE= of a service)"),
        ENOSPC(28, "No space left on device",
            "; free some space, or inodes (df -i), or choose a directory on another file system"),
        EROFS(30, "Read-only file system",
            "; the file system is mounted read-only: choose a directory on another one"),
        ENAMETOOLONG(36, "File name too long", ""),
        ENOLCK(37, "No locks available", "; the file system does not take locks: choose a directory on another one"),
        ELOOP(40, "Too many levels of symbolic links", "; symbolic links are not followed"),
        EDQUOT(122, "Disk quota exceeded", "; the user's quota is used up: free some space or files, or raise it");

        private final int errno;
        private final String text;
        private final String remedy;

        Known(final int errno, final String text, final String remedy) {
            this.errno = errno;
            this.text = text;
            this.remedy = remedy;
        }

        /** The errno's text in the language of this process, from the C library. */
        private String ownText() {
            return SystemTexts.of(errno, text);
        }
    }

    private static final Pattern NUMBER = Pattern.compile("errno=(\\d+)\\b");
    /** Causes of causes; more is somebody's loop. */
    private static final int MAX_CAUSES = 10;

    private FileErrors() {
    }

    /**
     * The error number that is behind a failure.
     *
     * @param failure of a file or socket.
     * @return errno, or {@link #UNKNOWN}.
     */
    public static int errno(final Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            final int errno = ownErrno(cause);
            if (errno != UNKNOWN) {
                return errno;
            }
            cause = cause.getCause();
        }
        return UNKNOWN;
    }

    private static int ownErrno(final Throwable failure) {
        if (failure instanceof AccessDeniedException) {
            return Known.EACCES.errno;
        }
        final String text = failure instanceof final FileSystemException named ? named.getReason()
            : failure instanceof IOException ? failure.getMessage() : null;
        if (text == null) {
            return UNKNOWN;
        }
        final Matcher number = NUMBER.matcher(text);
        if (number.find()) {
            return Integer.parseInt(number.group(1));
        }
        for (final Known known : Known.values()) {
            if (ends(text, known.text) || ends(text, known.ownText())) {
                return known.errno;
            }
        }
        return UNKNOWN;
    }

    private static boolean ends(final String message, final String text) {
        return message.equals(text) || message.endsWith(": " + text);
    }

    /**
     * Whether a failure says that somebody has run out of something, and nothing about the file: room, inodes,
     * descriptors, memory.
     *
     * @param failure of a file or socket.
     * @return whether to try again later may help.
     */
    public static boolean isWant(final Throwable failure) {
        final int errno = errno(failure);
        return errno == Known.ENOMEM.errno || errno == Known.ENFILE.errno || errno == Known.EMFILE.errno
            || isNoRoom(failure);
    }

    /**
     * Whether a failure says that the file system has no room, or this user has none on it.
     *
     * @param failure of a file or socket.
     * @return whether to free some space may help.
     */
    public static boolean isNoRoom(final Throwable failure) {
        final int errno = errno(failure);
        return errno == Known.ENOSPC.errno || errno == Known.EDQUOT.errno;
    }

    /**
     * Tell what to do about an error.
     *
     * @param errno of the operating system.
     * @return text that begins with a semicolon, to be appended; or nothing.
     */
    public static String remedy(final int errno) {
        final Known known = find(errno);
        return known == null ? "" : known.remedy;
    }

    /** Number, name and remedy, for messages that {@link #errno} finds the number in. */
    static String describe(final int errno) {
        final Known known = find(errno);
        return "errno=" + errno + " (" + (known == null ? "see errno(3)" : known.name()) + ")" + remedy(errno);
    }

    /** Tell what to do about a failure; nothing when its number is not known, or its message says it already. */
    static String describe(final Throwable failure) {
        final int errno = errno(failure);
        return errno == UNKNOWN || String.valueOf(failure.getMessage()).contains(describe(errno))
            ? "" : " " + describe(errno);
    }

    private static Known find(final int errno) {
        for (final Known known : Known.values()) {
            if (known.errno == errno) {
                return known;
            }
        }
        return null;
    }

    /** Texts of the C library, by strerror(3); where it cannot be called, or numbers differ, the English ones. */
    private static final class SystemTexts {
        private static final MethodHandle CALL = link();
        /** The greatest length of a text: none is longer. */
        private static final long MAX_LENGTH = 1024;
        private static final Charset CHARSET =
            Charset.forName(System.getProperty("sun.jnu.encoding"), Charset.defaultCharset());

        private static MethodHandle link() {
            if (!FileErrors.class.getModule().isNativeAccessEnabled()
                || !System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux")) {
                return null;
            }
            final Linker linker = Linker.nativeLinker();
            return linker.defaultLookup().find("strerror")
                .map(address -> linker.downcallHandle(address, FunctionDescriptor.of(ADDRESS, JAVA_INT))).orElse(null);
        }

        static String of(final int errno, final String english) {
            if (CALL == null) {
                return english;
            }
            try {
                final MemorySegment text = (MemorySegment) CALL.invokeExact(errno);
                return text.equals(MemorySegment.NULL)
                    ? english : text.reinterpret(MAX_LENGTH).getString(0, CHARSET);
            } catch (final RuntimeException e) {
                throw e;
            } catch (final Throwable t) {
                throw new AssertionError(t);
            }
        }
    }
}

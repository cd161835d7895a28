package io.sluice.verbs.software;

import io.sluice.environment.FileErrors;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;

/** Failures of verbs whose cause is a file or socket that the operating system refused, with its own error number. */
final class SystemRefusal {
    private static final int ENOSPC = 28;
    private static final int EDQUOT = 122;

    private SystemRefusal() {
    }

    /**
     * The failure to throw. Files are this device's memory: no room for them is {@link Errno#ENOMEM} to whoever asked
     * for memory.
     *
     * @param call      the verb.
     * @param otherwise errno of the verb when that of the system is not known.
     * @param what      could not be done.
     * @param cause     what the operating system, or the check of a file, said.
     */
    static VerbsException of(final String call, final int otherwise, final String what, final IOException cause) {
        final int own = FileErrors.errno(cause);
        final boolean isMemory = otherwise == Errno.ENOMEM && (own == ENOSPC || own == EDQUOT);
        final String message = cause.getMessage();
        final String remedy = FileErrors.remedy(own);
        return new VerbsException(call, own == FileErrors.UNKNOWN || isMemory ? otherwise : own,
            what + ": " + message + (String.valueOf(message).contains(remedy) ? "" : remedy), cause);
    }
}

package io.sluice.transport.agent;

import io.sluice.environment.FileErrors;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.function.UnaryOperator;

/** Makes the errors that the application is told of what was caught: each with a kind. Stateless. */
public final class TransportErrors {
    /** Causes of an error that are looked at: an error may be the cause of its own cause. */
    static final int MAX_CAUSES = 16;

    private TransportErrors() {
    }

    /**
     * The error to tell of something that was tried.
     *
     * @param tried   kind of error, unless what was caught says more: it may lack room, memory or descriptors.
     * @param subject that has failed, for people: it stands before what was not thrown to be told.
     * @param error   that was caught.
     * @param words   of the medium.
     * @return an error with that as its cause, unless it is one to tell already.
     */
    public static TransportException of(
        final ErrorKind tried, final String subject, final Throwable error, final UnaryOperator<String> words) {
        if (error instanceof TransportException known) {
            return of(known, words);
        }
        final boolean isToBeTold = error instanceof IllegalStateException || error instanceof VerbsException;
        final String text = isToBeTold && error.getMessage() != null ? error.getMessage() : subject + ": " + error;
        return new TransportException(kindOf(tried, error), words.apply(text), error);
    }

    /**
     * An error that is to be told already, in the words of its medium.
     *
     * @param error to tell.
     * @param words of the medium.
     * @return the error itself when it is so already; else one with it as its cause.
     */
    static TransportException of(final TransportException error, final UnaryOperator<String> words) {
        final String text = words.apply(error.getMessage());
        final ErrorKind kind = kindOf(error.kind(), error);
        return kind == error.kind() && text.equals(error.getMessage())
            ? error : new TransportException(kind, text, error);
    }

    private static ErrorKind kindOf(final ErrorKind tried, final Throwable error) {
        if (FileErrors.isNoRoom(error)) {
            return ErrorKind.STORAGE;
        }
        Throwable each = error;
        for (int i = 0; each != null && i < MAX_CAUSES; i++, each = each.getCause()) {
            final int errno = each instanceof VerbsException verbs ? verbs.errno() : Errno.OK;
            if (errno == Errno.ENOMEM || errno == Errno.EMFILE || errno == Errno.ENFILE) {
                return ErrorKind.RESOURCES;
            }
        }
        return tried;
    }
}

package io.sluice.transport.agent;

import io.sluice.os.OpenFiles;
import io.sluice.transport.counters.FailureKind;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Decides which failures are news. What loops try again fails again: the application is told once, and of the same
 * failure again only after its subject has recovered, or after the failure had been away for {@link #QUIET_NS}; all
 * others are counted. Two failures are the same when their subject is, and their {@link FailureKind}. Any thread.
 */
final class FailureNews {
    /** Failures that are remembered, the one seen longest ago forgotten first: a bound on what peers make us keep. */
    static final int MAX_REMEMBERED = 1024;

    /**
     * The time in nanoseconds of quiet after which a failure is news again: longer than any interval at which something
     * is tried again, so that a failure that goes on is told once.
     */
    static final long QUIET_NS = TimeUnit.MINUTES.toNanos(1);

    /** The subject of what concerns all of this process, and its kind. */
    private static final String PROCESS = "process";
    private static final String NO_DESCRIPTORS = "no descriptors";
    /** The system's text, all that Java tells of the error number; of the whole machine it says more. */
    private static final String TOO_MANY_FILES = "Too many open files";
    private static final String OF_THE_MACHINE = TOO_MANY_FILES + " in system";

    private record Failure(String subject, String kind) {
    }

    private static final class Told {
        private final Throwable error;
        private long seenNs;

        Told(final Throwable error) {
            this.error = error;
        }
    }

    private final LongSupplier nanoClock;
    private final Predicate<Throwable> news;
    private final Consumer<Throwable> repeated;
    private final Map<Failure, Told> told = new LinkedHashMap<>(MAX_REMEMBERED, 1, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<Failure, Told> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    /**
     * Begin when nothing has failed yet.
     *
     * @param nanoClock of the environment.
     * @param news      takes a failure that the application is to hear of; false when it will not, for want of room.
     * @param repeated  takes the failure that was told, when it has happened again.
     */
    FailureNews(
        final LongSupplier nanoClock, final Predicate<Throwable> news, final Consumer<Throwable> repeated) {
        this.nanoClock = nanoClock;
        this.news = news;
        this.repeated = repeated;
    }

    /**
     * Tells that something has failed with an error, whose class, number, text and place make its kind.
     *
     * @param caught by which one failure is told from others.
     * @param error  to tell of it.
     */
    void tellCaught(final String subject, final Throwable caught, final TransportException error) {
        final int errno = errnoOfDescriptors(caught);
        if (errno == Errno.OK) {
            tell(subject, FailureKind.of(caught), error);
        } else {
            final String text = String.valueOf(error.getMessage());
            tell(PROCESS, NO_DESCRIPTORS + " " + errno, new TransportException(ErrorKind.RESOURCES,
                OpenFiles.exhausted(errno == Errno.ENFILE) + "; what could not be done first: "
                    + (text.startsWith(subject) ? "" : subject + ": ") + text
                    + " (errno=" + Errno.describe(errno) + ")", caught));
        }
    }

    /** Tells that something has failed in a way that the caller tells from others. */
    void tell(final String subject, final String kind, final TransportException error) {
        final Failure failure = new Failure(subject, kind);
        final Throwable known = remember(failure, error, nanoClock.getAsLong());
        if (known != null) {
            repeated.accept(known);
        } else if (!news.test(error)) {
            forget(failure);
        }
    }

    /** {@return the error that was told of this failure, or null when it is news} */
    private synchronized Throwable remember(final Failure failure, final Throwable error, final long nowNs) {
        Told known = told.get(failure);
        final boolean isNews = known == null || nowNs - known.seenNs >= QUIET_NS;
        if (isNews) {
            known = new Told(error);
            told.put(failure, known);
        }
        known.seenNs = nowNs;
        return isNews ? null : known.error;
    }

    private synchronized void forget(final Failure failure) {
        told.remove(failure);
    }

    /** Notes that something works (again): what fails there from now on is news. */
    synchronized void recovered(final String subject) {
        told.keySet().removeIf(failure -> failure.subject().equals(subject));
    }

    /** Note that all subjects that begin so work again. */
    synchronized void recoveredAll(final String beginning) {
        told.keySet().removeIf(failure -> failure.subject().startsWith(beginning));
    }

    /** {@return whether an error says that this process, or the machine, has no descriptors} */
    static boolean isOfProcess(final Throwable error) {
        return errnoOfDescriptors(error) != Errno.OK;
    }

    /** EMFILE when the process has no descriptors left, ENFILE when the machine has none, otherwise OK. */
    private static int errnoOfDescriptors(final Throwable error) {
        Throwable each = error;
        for (int i = 0; each != null && i < TransportErrors.MAX_CAUSES; i++, each = each.getCause()) {
            final int errno = each instanceof VerbsException verbs ? verbs.errno() : Errno.OK;
            final String text = String.valueOf(each.getMessage());
            if (errno == Errno.ENFILE || text.contains(OF_THE_MACHINE)) {
                return Errno.ENFILE;
            }
            if (errno == Errno.EMFILE || text.contains(TOO_MANY_FILES)) {
                return Errno.EMFILE;
            }
        }
        return Errno.OK;
    }
}

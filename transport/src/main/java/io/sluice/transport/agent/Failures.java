package io.sluice.transport.agent;

import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.flight.FlightEvents;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.CompletionQueue;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Tells the application what has failed, of which kind, in the words of its medium: each failure once, until its
 * subject works again. Peers have a share of their own of what is told and kept, those that hold the key too: none
 * keeps this transport's own errors from being found. Any thread.
 */
public final class Failures {
    /** The time for which a failure must be away to be news again, ns. */
    public static final long QUIET_NS = FailureNews.QUIET_NS;

    private final LiveCounters counters;
    private final FlightEvents flight;
    private final Listeners listeners;
    private final FailureNews own;
    private final FailureNews ofPeers;
    private final UnaryOperator<String> words;

    /**
     * Begin when nothing has failed yet.
     *
     * @param counters  of the transport.
     * @param flight    has overruns recorded.
     * @param listeners that errors go to.
     * @param nanoClock of the environment.
     */
    public Failures(
        final LiveCounters counters, final FlightEvents flight, final Listeners listeners,
        final LongSupplier nanoClock) {
        this.counters = counters;
        this.flight = flight;
        this.listeners = listeners;
        own = new FailureNews(nanoClock, listeners::reportError, listeners::countRepeated);
        ofPeers = new FailureNews(nanoClock, listeners::reportStranger, listeners::countStrangerRepeated);
        words = text -> text;
    }

    private Failures(final Failures all, final UnaryOperator<String> words) {
        counters = all.counters;
        flight = all.flight;
        listeners = all.listeners;
        own = all.own;
        ofPeers = all.ofPeers;
        this.words = words;
    }

    /**
     * Failures of {@code sluice:ipc}.
     *
     * @return the same failures, told in {@link SharedMemoryWords}.
     */
    public Failures inWordsOfSharedMemory() {
        return new Failures(this, SharedMemoryWords::of);
    }

    /**
     * Report what can happen to one thing of the application once only: its end, or that its memory is given up.
     *
     * @param kind    of error.
     * @param message for people.
     */
    public void reportOnce(final ErrorKind kind, final String message) {
        listeners.reportError(TransportErrors.of(new TransportException(kind, message), words));
    }

    /**
     * Report a failure to the application, unless it was reported before: of what is tried again, and of what may
     * happen again and again.
     *
     * @param kind    of error, unless the error says more.
     * @param subject what has failed, without what changes each time; for people, too.
     * @param error   to report; its class, number, text and place tell it from others.
     */
    public void report(final ErrorKind kind, final String subject, final Throwable error) {
        own.tellCaught(subject, error, TransportErrors.of(kind, subject, error, words));
    }

    /**
     * Report a failure, unless it was reported before, that the caller tells from others.
     *
     * @param kind    of error.
     * @param subject that has failed, without what changes each time; for people, too.
     * @param variant of failure: another one of the same subject is news.
     * @param text    for people.
     */
    public void report(final ErrorKind kind, final String subject, final String variant, final String text) {
        report(subject, variant, new TransportException(kind, text));
    }

    /**
     * Report a failure to the application, unless it was reported before.
     *
     * @param subject what has failed, without what changes each time; for people, too.
     * @param error   to report; its text and place tell it from others.
     */
    public void report(final String subject, final TransportException error) {
        own.tellCaught(subject, error, TransportErrors.of(error, words));
    }

    /**
     * Report a failure, unless it was reported before, that the caller tells from others.
     *
     * @param subject that has failed, without what changes each time; for people, too.
     * @param variant of failure: another one of the same subject is news.
     * @param error   to report.
     */
    public void report(final String subject, final String variant, final TransportException error) {
        own.tell(subject, variant, TransportErrors.of(error, words));
    }

    /**
     * Report a failure that a peer can cause as often as it likes, unless it was reported before. What a peer says may
     * stand in the text, and in the subject; in the variant it may not.
     *
     * @param kind    of error.
     * @param subject that has failed, without what changes each time; for people, too.
     * @param variant of failure: another one of the same subject is news.
     * @param text    for people.
     */
    public void reportOfPeer(final ErrorKind kind, final String subject, final String variant, final String text) {
        ofPeers.tell(subject, variant, TransportErrors.of(new TransportException(kind, text), words));
    }

    /**
     * Report what goes wrong with what a peer has asked for: its failure, unless this process lacks something.
     *
     * @param kind    of error, unless the error says more.
     * @param subject that has failed, without what changes each time; for people, too.
     * @param error   to report; its class, number, text and place tell it from others.
     */
    public void reportOfPeer(final ErrorKind kind, final String subject, final Throwable error) {
        (FailureNews.isOfProcess(error) ? own : ofPeers).tellCaught(
            subject, error, TransportErrors.of(kind, subject, error, words));
    }

    /**
     * Reports that a completion queue has overrun. Those of one owner overrun together, for one reason: their count is
     * the counter's. Conductor.
     *
     * @param owner   that the queue belongs to, for people.
     * @param whose   which publication or subscription, for people.
     * @param overrun the completion queue that is dead.
     */
    public void reportOverrun(final String owner, final String whose, final CompletionQueue overrun) {
        counters.increment(TransportCounter.COMPLETION_QUEUE_OVERRUNS);
        flight.completionQueueOverrun(whose, overrun.capacity());
        report(ErrorKind.LINK_FAILED, owner, "overrun", "completion queue has overrun: capacity=" + overrun.capacity()
            + "; what it served breaks and goes on with another one: " + whose);
    }

    /**
     * Reports that memory is left to whoever may still use it.
     *
     * @param what for people.
     */
    public void reportAbandoned(final String what) {
        counters.increment(TransportCounter.MEMORY_ABANDONED);
        reportOnce(ErrorKind.ABANDONED, "memory abandoned: " + what);
    }

    /**
     * Notes that a subject works again: its next failure is news.
     *
     * @param subject that has failed, without what changes each time; for people, too.
     */
    public void recovered(final String subject) {
        own.recovered(subject);
        ofPeers.recovered(subject);
    }

    /**
     * Notes that everything works again whose subject begins so.
     *
     * @param beginning that the subjects begin with.
     */
    public void recoveredAll(final String beginning) {
        own.recoveredAll(beginning);
        ofPeers.recoveredAll(beginning);
    }
}

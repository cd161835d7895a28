package io.sluice.transport.stream;

import io.sluice.codec.control.CloseReason;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.FailureKind;
import io.sluice.transport.flight.LinkName;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportCounter;
import java.util.function.Supplier;

/**
 * Errors told of a subscription's link that cannot be made, or is given up, and how that and its breaks are counted and
 * recorded. Conductor only.
 */
final class SubscriptionLinkErrors {
    private final Services services;
    private final LinkName name;
    private final Supplier<String> link;
    private final String subject;
    /** The reason of the last break, for the application, should the link not be resumed. */
    private BreakReason breakReason = BreakReason.ADMINISTRATIVE;
    private boolean hasBroken;

    /**
     * Creates errors of which nothing is told yet.
     *
     * @param services of the transport.
     * @param name     of the link, in recordings.
     * @param link     describes it for people.
     * @param subject  see {@link #subject}.
     */
    SubscriptionLinkErrors(
        final Services services, final LinkName name, final Supplier<String> link, final String subject) {
        this.services = services;
        this.name = name;
        this.link = link;
        this.subject = subject;
    }

    /** The subject of a link that cannot be made. */
    static String subject(final SubscriptionOptions options, final TransportId peerId, final int sessionId) {
        return "link of streamId=" + options.streamId() + " channel=" + options.channel() + " from "
            + peerId + " sessionId=" + sessionId;
    }

    /** The subject of links that have worked: that the next one works, too, is no news of its end. */
    private String endOfLink() {
        return subject + " which has worked";
    }

    /** Tells that an attempt has failed here; the next ones may fail alike. */
    void notMade(final Throwable error) {
        services.failures().reportOfPeer(ErrorKind.LINK_FAILED, subject, error);
    }

    /**
     * Notes that the link works: its next failure is news.
     *
     * @param isResumed whether it did before.
     * @param epoch     that has begun.
     */
    void onEstablished(final boolean isResumed, final long epoch) {
        services.counters().increment(isResumed ? TransportCounter.LINKS_RESUMED : TransportCounter.LINKS_ESTABLISHED);
        if (isResumed) {
            services.flight().linkResumed(name, epoch);
        }
        services.failures().recovered(subject);
    }

    /** Notes why the link does not work, of which nothing is told while it may be resumed. */
    void note(final BreakReason reason) {
        breakReason = reason;
    }

    /**
     * Notes that the link has broken.
     *
     * @param isActive whether it worked in this epoch, so that recordings are told.
     */
    void onBroken(final BreakReason reason, final long epoch, final boolean isActive) {
        note(reason);
        services.counters().increment(TransportCounter.LINKS_BROKEN);
        if (isActive) {
            hasBroken = true;
            services.flight().linkBroken(name, reason, epoch);
        }
    }

    /** Tells recordings only; what the publication has for this end they know of the publication's. */
    private void recordGivenUp(final String reason) {
        services.flight().linkGivenUp(name, reason, hasBroken ? breakReason : null, 0);
    }

    /** Tells that the image ends before the stream does; with CLOSED the application was told why, or need not be. */
    void ended(final CloseReason reason) {
        if (reason == CloseReason.LEFT_BEHIND) {
            recordGivenUp("left behind");
            services.failures().reportOfPeer(ErrorKind.IMAGE_LOST, endOfLink(), reason.name(),
                "image given up: the publication went on without it, for it was too slow or stood still: " + link.get()
                + "; it may come back as a new image");
        } else if (reason == CloseReason.RESUME_TIMEOUT) {
            recordGivenUp("not resumed in time");
            services.failures().reportOfPeer(ErrorKind.IMAGE_LOST, endOfLink(), reason + " " + breakReason,
                "image given up: its link was not resumed in time, or broke each time before it made progress: reason="
                + breakReason + " " + link.get()
                + "; it may come back as a new image");
        }
    }

    /** Tells that the publisher has ended without an end of its stream, as a process does that is killed. */
    void lost() {
        recordGivenUp(PublicationLinkErrors.PEER_GONE);
        services.failures().reportOfPeer(ErrorKind.IMAGE_LOST, endOfLink(), "gone",
            "image lost before the end of its stream: the peer is gone: " + link.get());
    }

    /**
     * Tells that the link is given up because going on could only repeat what has broken it.
     *
     * @param badFrame    what stood where a frame should, for people.
     * @param isAvailable whether the link was established once, so that recordings are told.
     */
    void givenUp(final BreakReason reason, final String badFrame, final boolean isAvailable) {
        if (isAvailable) {
            recordGivenUp("it would break again: " + reason);
        }
        String found = "";
        if (reason == BreakReason.BAD_FRAME) {
            services.counters().increment(TransportCounter.FRAMES_REJECTED);
            found = " " + badFrame;
        }
        services.failures().reportOfPeer(ErrorKind.IMAGE_LOST, endOfLink(), reason.name() + FailureKind.of(found),
            "link given up: reason=" + reason + " " + link.get() + found);
    }
}

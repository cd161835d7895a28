package io.sluice.transport.stream;

import io.sluice.codec.control.RefuseReason;
import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.flight.LinkName;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.PeerOrigin;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.PressuredStream;
import io.sluice.transport.status.TransportCounter;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Errors told when a publication's link is given up or lost, once for each link and not again for those that follow it
 * with the same end, or cannot be made, once until it was, and how that and its breaks are counted and recorded.
 * Conductor only.
 */
final class PublicationLinkErrors {
    /** The subscriber's process has ended, or its transport has. */
    static final String PEER_GONE = "the peer is gone";

    private final Services services;
    private final PublicationOptions options;
    private final PublicationLinkId id;
    private final LongSupplier tail;
    private final Supplier<OutboundLink> outbound;
    private final BooleanSupplier isOwed;
    private final LinkName name;
    private boolean isTold;
    private boolean isLeftBehind;
    /** The reason of the last break of a working epoch, for recordings; null before the first. */
    private BreakReason lastBreak;
    /** The reason for which the link is given up here; empty while it is not. */
    private String givenUp = "";

    /**
     * Creates errors of which nothing is told yet.
     *
     * @param services of the transport.
     * @param options  of the publication.
     * @param id       of the link.
     * @param tail     tells how far the publication has come.
     * @param outbound tells the sending end of the last epoch, or null before the first.
     * @param isOwed   tells whether the peer lacks something that was offered.
     */
    PublicationLinkErrors(
        final Services services,
        final PublicationOptions options,
        final PublicationLinkId id,
        final LongSupplier tail,
        final Supplier<OutboundLink> outbound,
        final BooleanSupplier isOwed) {
        this.services = services;
        this.options = options;
        this.id = id;
        this.tail = tail;
        this.outbound = outbound;
        this.isOwed = isOwed;
        name = new LinkName(PressuredStream.Side.PUBLICATION, options.channel(), options.streamId(),
            options.session().sessionId(), id.peerName(), id.linkId());
    }

    /** Tells that the link is closed because the writing thread waits for it. */
    void leftBehind() {
        isLeftBehind = true;
        givenUp = "left behind";
        count(TransportCounter.LAGGARDS_CLOSED);
        report("subscription left behind:", "");
    }

    /**
     * Tells that the link is closed because it was not resumed in time, unless the peer was silent and has everything.
     */
    void notResumed(final ResumeAttempts attempts) {
        givenUp = "not resumed in time";
        if (attempts.isPeerThere() || isOwed.getAsBoolean()) {
            report("link given up: it was not resumed, or broke each time before it made progress:",
                " reason=" + attempts.reason() + " resumes=" + attempts.fruitless());
        }
    }

    /** Tells that an attempt has failed here; the next ones may fail alike. */
    void notMade(final Throwable error, final ResumeAttempts attempts) {
        attempts.onError();
        services.failures().reportOfPeer(ErrorKind.LINK_FAILED, subject(), error);
    }

    /**
     * Notes that the link works: its next failure is news.
     *
     * @param isResumed whether it did before.
     * @param epoch     that has begun.
     */
    void onConnected(final boolean isResumed, final long epoch) {
        count(isResumed ? TransportCounter.LINKS_RESUMED : TransportCounter.LINKS_ESTABLISHED);
        if (isResumed) {
            services.flight().linkResumed(name, epoch);
        }
        services.failures().recovered(subject());
    }

    /** Notes that the link has worked, and has broken in this epoch. */
    void onBroken(final BreakReason reason, final PublicationLinkStanding standing) {
        count(TransportCounter.LINKS_BROKEN);
        recordBroken(reason, standing);
    }

    /** Tells recordings only that the link has broken in this epoch, if it has worked in it until now. */
    void recordBroken(final BreakReason reason, final PublicationLinkStanding standing) {
        if (standing.state().isLive()) {
            lastBreak = reason;
            services.flight().linkBroken(name, reason, standing.epoch());
        }
    }

    private String subject() {
        return linkTo(id.origin()) + linkTo(id.subscriptionId()) + "sessionId=" + options.session().sessionId()
            + " streamId=" + options.streamId() + " channel=" + options.channel();
    }

    /** The subject of links that have worked: that the next one works, too, is no news of its end. */
    private String endOfLink() {
        return subject() + " which has worked";
    }

    private static String linkTo(final PeerOrigin peer) {
        return "link to " + peer.peerId() + " ";
    }

    private static String linkTo(final long subscriptionId) {
        return "subscriptionId=" + subscriptionId + " ";
    }

    /** Forgets the errors of a peer's subscription that has ended: another one may have its id. */
    static void onUnsubscribe(final Failures failures, final PeerOrigin peer, final long subscriptionId) {
        failures.recoveredAll(linkTo(peer) + linkTo(subscriptionId));
    }

    /** Forgets the errors of a peer whose connection has ended: it may be another peer that comes back. */
    static void onPeerLost(final Failures failures, final PeerOrigin peer) {
        failures.recoveredAll(linkTo(peer));
    }

    /** Tells that a fresh link is given up, and will be tried again. */
    void notAnswered() {
        reportRepeatable("unanswered",
            "a peer has not answered that a link is to be set up, or still reads what came over an earlier one:", "");
    }

    /** Tells that the link is closed because going on could only repeat what has broken it. */
    void fatal(final BreakReason reason) {
        givenUp = "it would break again: " + reason;
        if (reason == BreakReason.BAD_FEEDBACK) {
            count(TransportCounter.FEEDBACK_REJECTED);
        }
        report("link given up: reason=" + reason, "");
    }

    /** Tells that the peer has closed the link because going on could only repeat what has broken it. */
    void fatalToPeer(final BreakReason reason) {
        count(TransportCounter.LINKS_BROKEN);
        isTold = true;
        services.failures().reportOfPeer(
            ErrorKind.SUBSCRIBER_LOST, endOfLink(), "given up by the peer " + reason,
            "peer " + id.peerName() + " gave a link up: reason=" + reason + " streamId=" + options.streamId()
                + bytesBehind());
    }

    /** Tells that the link is closed for an answer that makes no sense, which the peer may give again and again. */
    void notOffered(final long receivedPosition, final boolean memoryCompletion) {
        count(TransportCounter.CONTROL_MESSAGES_REJECTED);
        reportRepeatable("unoffered", "a peer accepts what was not offered:", " linkId=" + id.linkId()
            + " receivedPosition=" + receivedPosition + " memoryCompletion=" + memoryCompletion);
    }

    /**
     * Tells that the peer refuses the link, which it may do again and again. That the peer has closed, or does not know
     * the link any more, is no news.
     */
    void refused(final RefuseReason reason, final String text, final ConnectedPeer peer) {
        if (reason != RefuseReason.UNKNOWN_SESSION) {
            isTold = true;
            services.failures().reportOfPeer(ErrorKind.LINK_REFUSED, subject(), "refused " + reason,
                "peer " + peer.peerName() + " refuses a link: reason=" + reason + " streamId="
                    + options.streamId() + ", " + text
                    + (reason == RefuseReason.SESSION_IN_USE ? anotherSession() : ""));
        }
    }

    private String anotherSession() {
        return options.session().named()
            ? ": give one of them another session-id"
            : ": this one was drawn: close the publication and add it anew, which draws another";
    }

    /** Tells that the link is over for good while something is owed, so that the subscriber does not get it. */
    void onGone(final String why, final BreakReason reason) {
        count(TransportCounter.LINKS_GONE);
        final boolean isSomethingOwed = isOwed.getAsBoolean();
        if (isSomethingOwed || isTold || !givenUp.isEmpty()) {
            services.flight().linkGivenUp(name, givenUp.isEmpty() ? why : givenUp, lastBreak, behind());
        }
        if (!isSomethingOwed) {
            return;
        }
        if (!isLeftBehind) {
            count(TransportCounter.SUBSCRIBERS_LOST);
        }
        if (!isTold) {
            report("subscriber lost before it had consumed everything: " + why + ":",
                reason == null ? "" : " reason=" + reason);
        }
    }

    private void report(final String what, final String why) {
        isTold = true;
        services.failures().reportOfPeer(ErrorKind.SUBSCRIBER_LOST, endOfLink(), what, what + details(why));
    }

    /** Tells of a failure that may come back with the next attempt. */
    private void reportRepeatable(final String kind, final String what, final String why) {
        isTold = true;
        services.failures().reportOfPeer(ErrorKind.LINK_FAILED, subject(), kind, what + details(why));
    }

    private String details(final String why) {
        return " peer=" + id.peerName() + " subscriptionId=" + id.subscriptionId()
            + " sessionId=" + options.session().sessionId() + " streamId=" + options.streamId() + why + bytesBehind()
            + " channel=" + options.channel();
    }

    private void count(final TransportCounter counter) {
        services.counters().increment(counter);
    }

    /** The bytes that the subscription is behind, as the peer has last reported it. */
    private String bytesBehind() {
        return outbound.get() == null ? "" : " bytesBehind=" + behind();
    }

    private long behind() {
        return tail.getAsLong() - outbound.get().consumedPosition();
    }
}

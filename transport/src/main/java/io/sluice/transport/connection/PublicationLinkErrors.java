package io.sluice.transport.connection;

import io.sluice.transport.status.BreakReason;

/**
 * What the error handler is told when a publication's link is given up. Conductor only.
 */
final class PublicationLinkErrors {
    private final PublicationLink link;
    private final PublicationState publication;

    PublicationLinkErrors(final PublicationLink link) {
        this.link = link;
        publication = link.publication();
    }

    /** It is closed because the writing thread waits for it. */
    void leftBehind() {
        report("subscription left behind:", " bytesBehind="
            + (publication.log().tail() - link.outbound().consumedPosition()));
    }

    /** It is closed because it was not resumed in time; a peer that was silent is not worth telling. */
    void notResumed(final ResumeAttempts attempts) {
        if (attempts.isPeerThere()) {
            report("link given up: it was not resumed, or broke each time before it made progress:",
                " reason=" + attempts.reason() + " resumes=" + attempts.fruitless());
        }
    }

    /** An attempt has failed here; the next ones may fail alike, and are not told. */
    void notSetUp(final Throwable error, final ResumeAttempts attempts) {
        if (attempts.onError() && (link.isResuming() || publication.links().isNews(link))) {
            publication.conductor().reportError(error);
        }
    }

    /** It is closed because going on could only repeat what has broken it. */
    void fatal(final BreakReason reason) {
        report("link given up: reason=" + reason, "");
    }

    /** The peer has accepted what was not offered to it, and may do so again and again: told once. */
    void badAccept(final long receivedPosition, final boolean memoryCompletion) {
        if (publication.links().isNews(link)) {
            report("a peer accepts what was not offered:", " linkId=" + link.linkId() + " receivedPosition="
                + receivedPosition + " memoryCompletion=" + memoryCompletion);
        }
    }

    /** The peer has closed it, likewise. */
    void fatalToPeer(final BreakReason reason) {
        publication.conductor().reportError("peer " + link.peer() + " gave a link up: reason=" + reason + " streamId="
            + publication.streamId());
    }

    private void report(final String what, final String why) {
        publication.conductor().reportError(what + " peer=" + link.peer() + " subscriptionId=" + link.subscriptionId()
            + " sessionId=" + publication.sessionId() + " streamId=" + publication.streamId() + why + " channel="
            + publication.channel());
    }
}

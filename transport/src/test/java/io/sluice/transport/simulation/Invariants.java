package io.sluice.transport.simulation;

import io.sluice.codec.FeedbackDescriptor;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Image;
import io.sluice.transport.Transport;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.send.LogPoster;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.send.OutboundLinkParameters;
import io.sluice.transport.send.SendLog;
import io.sluice.transport.status.TransportCounter;
import java.util.List;

/** What must hold after every step of anybody. */
final class Invariants {
    private final Scenario scenario;
    private final List<Transport> transports;
    private final List<ConsumingAgent> consumers;
    private final ExclusivePublication publication;
    private final Transport publisher;
    private final LogPoster poster;
    private final SendLog log;
    private long linksGone;

    Invariants(
        final Scenario scenario,
        final List<Transport> transports,
        final List<ConsumingAgent> consumers,
        final ExclusivePublication publication) {
        this.scenario = scenario;
        this.transports = transports;
        this.consumers = consumers;
        this.publication = publication;
        publisher = transports.getFirst();
        poster = Internals.state(publication).poster();
        log = Internals.state(publication).log();
    }

    void check() {
        final long gone = publisher.counters().get(TransportCounter.LINKS_GONE);
        if (gone != linksGone) {
            linksGone = gone;
            consumers.forEach(ConsumingAgent::onLinkGone);
        }
        final boolean isReleased = Internals.state(publication).isReleased();
        final long tail = log.tail();
        for (int i = 0; i < consumers.size(); i++) {
            for (final ConsumingAgent.ImageRun run : consumers.get(i).runs()) {
                if (!run.isUnavailable()) {
                    checkImage(run, Internals.link(run.image()), tail);
                }
            }
        }
        if (!isReleased) {
            checkLinks(tail);
        }
        for (int i = 0; i < transports.size(); i++) {
            if (transports.get(i).counters().get(TransportCounter.DEVICE_EVENTS) != 0) {
                throw new AssertionError("a completion queue overran: " + transports.get(i).counters());
            }
        }
        if (!scenario.outages()) {
            for (int i = 0; i < consumers.size(); i++) {
                checkOnlyImage(consumers.get(i));
            }
        }
    }

    private void checkImage(final ConsumingAgent.ImageRun run, final InboundLink link, final long tail) {
        final Image image = run.image();
        if (!link.isJoined()) {
            return;
        }
        final long reported = Internals.reported(link);
        if (reported > link.consumed() || link.consumed() > link.walked() || link.walked() > link.received()
            || link.received() > tail) {
            throw new AssertionError("reported=" + reported + " consumed=" + link.consumed() + " walked="
                + link.walked() + " received=" + link.received() + " committed=" + tail + " " + image);
        }
        if (!run.isSuspect() && tail > link.consumed() + log.windowLength()) {
            throw new AssertionError("overwritten before consumed: committed=" + tail + " " + image);
        }
    }

    private void checkLinks(final long tail) {
        for (final OutboundLink link : poster.links()) {
            final OutboundLinkParameters parameters = link.parameters();
            final long posted = link.postedPosition();
            if (posted > tail) {
                throw new AssertionError("posted=" + posted + " committed=" + tail);
            }
            final long inFlight =
                Internals.writesPosted(link) - (Internals.receivesKnown(link) - parameters.receiveDepth());
            if (inFlight > Math.min(parameters.maxWritesInFlight(), parameters.receiveDepth())) {
                throw new AssertionError("in flight=" + inFlight + " maxWritesInFlight="
                    + parameters.maxWritesInFlight() + " receiveDepth=" + parameters.receiveDepth());
            }
            checkCell(link, parameters, tail);
        }
    }

    /** What was reported is not more than what some subscriber has consumed, nor than what it can have received. */
    private void checkCell(final OutboundLink link, final OutboundLinkParameters parameters, final long tail) {
        final long reported =
            parameters.feedbackRegion().buffer().getLongAcquire(FeedbackDescriptor.CONSUMED_POSITION_OFFSET);
        if (link.breakReason() != null || reported == 0) {
            return;
        }
        // the subscriber's run may have begun before its application hears of the image
        long consumed = link.joinPosition();
        for (final ConsumingAgent consumer : consumers) {
            for (final ConsumingAgent.ImageRun run : consumer.runs()) {
                consumed = Math.max(consumed, run.image().position());
            }
        }
        final long posted = parameters.memoryCompletion() ? tail : link.postedPosition();
        if (reported > consumed || reported > posted) {
            throw new AssertionError("reported=" + reported + " consumed=" + consumed + " posted=" + posted);
        }
    }

    /** Nothing happens that a link may die of: each subscriber has one image, to the end of the stream. */
    private static void checkOnlyImage(final ConsumingAgent consumer) {
        if (!consumer.runs().isEmpty()) {
            final ConsumingAgent.ImageRun first = consumer.runs().getFirst();
            if (consumer.runs().size() > 1 || first.isUnavailable() && !first.image().isEndOfStream()) {
                throw new AssertionError(consumer.roleName() + " lost an image: " + first.image());
            }
        }
    }
}

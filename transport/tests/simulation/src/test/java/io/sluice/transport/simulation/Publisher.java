package io.sluice.transport.simulation;

import io.sluice.transport.Publication;
import io.sluice.transport.Transport;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.stream.PublicationState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A publication, who writes to it, and what was published. */
final class Publisher {
    private final World world;
    private final SimulatedProcess process;
    private final OfferedMessages offered;
    private final List<WritingAgent> writers = new ArrayList<>();
    private final Set<Long> linksGivenUp = new HashSet<>();
    private List<Long> linksSeen = List.of();

    Publisher(final World world, final SimulatedProcess process) {
        this.world = world;
        this.process = process;
        offered = new OfferedMessages(world.newRandom());
        for (int i = 0; i < world.scenario().writers(); i++) {
            writers.add(new WritingAgent(world, this, add(process.transport()), i));
        }
        world.publishers().add(this);
        writers.forEach(world.machine()::start);
    }

    private Publication add(final Transport transport) {
        final String channel = world.scenario().channel(world.scenario().flowControl());
        return world.scenario().isPublicationShared() ? transport.addPublication(channel, Scenario.STREAM_ID)
            : transport.addExclusivePublication(channel, Scenario.STREAM_ID);
    }

    boolean isDone() {
        return hasEnough() && writers.stream().allMatch(WritingAgent::isQuiet);
    }

    boolean hasEnough() {
        return offered.count() >= world.scenario().messages();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    SimulatedProcess process() {
        return process;
    }

    /** One handle on it. */
    Publication publication() {
        return writers.getFirst().publication();
    }

    PublicationState state() {
        return Internals.state(publication());
    }

    OfferedMessages offered() {
        return offered;
    }

    /**
     * The position at which the next claim begins at the earliest: up to here bytes of the log have been written, or
     * may be.
     */
    long claimedEnd() {
        if (world.scenario().isPublicationShared()) {
            return state().poster().claimableEnd();
        }
        final long claimEnd = writers.getFirst().claimEnd();
        return claimEnd == 0 ? state().log().tail() : claimEnd;
    }

    /**
     * The position behind what is committed: several writers commit padding, which peers that look at frames may see,
     * before they move the tail over it.
     */
    long committedEnd() {
        return world.scenario().isPublicationShared() ? state().poster().claimableEnd() : state().log().tail();
    }

    /** Close all writers; messages that were offered are still delivered. */
    void close() {
        writers.forEach(WritingAgent::close);
    }

    /** Notices, after every step, the links that it does not wait for any more, while it publishes. */
    void watchLinks() {
        if (isAlive() && !publication().isClosed() && !Internals.hasLinks(state(), linksSeen)) {
            linksGivenUp.addAll(linksSeen);
            linksSeen = Internals.linkIds(state());
            linksGivenUp.removeAll(linksSeen);
            LinkEnd.watch(world, this);
        }
    }

    /** Whether the publisher does not wait for a subscription's end of a link any more. */
    boolean hasGivenUp(final InboundLink link) {
        return linksGivenUp.contains(Internals.linkId(link));
    }

    long backPressured() {
        return writers.stream().mapToLong(WritingAgent::backPressured).sum();
    }

    long unblocked() {
        return writers.stream().mapToLong(WritingAgent::unblocked).sum();
    }

    @Override
    public String toString() {
        return "publisher@" + process.id() + (isAlive() ? "" : " dead") + " offered=" + offered.count() + " position="
            + publication().position() + " limit=" + publication().positionLimit();
    }
}

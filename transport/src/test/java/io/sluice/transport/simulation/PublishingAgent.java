package io.sluice.transport.simulation;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.connection.PublicationState;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.send.SendLog;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.Agent;

/** Publishes in bursts, by offer and by claim; a claim may stay open over many steps of others. */
final class PublishingAgent implements Agent {
    private static final int ABORT_ONE_IN = 8;
    private static final int PAUSE_IN_BURST_MAX_NS = 5_000;
    private static final int PAUSE_MAX_NS = 8_000_000;
    private static final int RETRY_MAX_NS = 100_000;

    private final World world;
    private final SimulatedMachine machine;
    private final SplittableRandom random;
    private final SimulatedProcess process;
    private final ExclusivePublication publication;
    private final OfferedMessages offered;
    private List<Long> linksSeen = List.of();
    private final Set<Long> linksGivenUp = new HashSet<>();
    private final BufferClaim claim = new BufferClaim();
    private long claimEnd;
    private int claimLength;
    private int burst;
    private long backPressured;

    PublishingAgent(final World world, final SimulatedProcess process) {
        this.world = world;
        this.process = process;
        machine = world.machine();
        random = world.newRandom();
        offered = new OfferedMessages(world.newRandom());
        publication = process.transport().addExclusivePublication(
            world.scenario().channel(world.scenario().flowControl()), Scenario.STREAM_ID);
        world.publishers().add(this);
        machine.start(this);
    }

    boolean isDone() {
        return claimEnd == 0 && offered.count() >= world.scenario().messages();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    SimulatedProcess process() {
        return process;
    }

    ExclusivePublication publication() {
        return publication;
    }

    PublicationState state() {
        return Internals.state(publication);
    }

    OfferedMessages offered() {
        return offered;
    }

    /** Where the next claim begins at the earliest: up to here bytes of the log have been written, or may be. */
    long claimedEnd() {
        return claimEnd == 0 ? state().log().tail() : claimEnd;
    }

    /** After every step: notice the links that it does not wait for any more, while it publishes. */
    void watchLinks() {
        if (isAlive() && !publication.isClosed() && !Internals.hasLinks(state(), linksSeen)) {
            linksGivenUp.addAll(linksSeen);
            linksSeen = Internals.linkIds(state());
            linksGivenUp.removeAll(linksSeen);
        }
    }

    /** Whether it does not wait for a subscription's end of a link any more. */
    boolean hasGivenUp(final InboundLink link) {
        return linksGivenUp.contains(Internals.linkId(link));
    }

    long backPressured() {
        return backPressured;
    }

    @Override
    public int doWork() {
        if (claimEnd != 0) {
            endClaim();
            return 1;
        }
        if (isDone()) {
            machine.parkRunning(Scenario.LIVENESS_NS);
            return 0;
        }
        if (burst == 0) {
            burst = 1 + random.nextInt(30);
            machine.parkRunning(1 + random.nextInt(PAUSE_MAX_NS));
            return 0;
        }
        burst--;
        machine.parkRunning(1 + random.nextInt(PAUSE_IN_BURST_MAX_NS));
        return publish(length()) ? 1 : 0;
    }

    private int length() {
        final int most = publication.maxMessageLength();
        return random.nextInt(random.nextBoolean() ? most + 1 : Math.min(most, 64));
    }

    private boolean publish(final int length) {
        final boolean isClaim = random.nextInt(3) == 0;
        final long result = isClaim ? publication.tryClaim(length, claim) : publication.offer(
            offered.content(), offered.nextOffset(length), length, offered.count());
        world.trace().publish(roleName(), isClaim ? "claims" : "offers", length, result);
        if (result <= 0) {
            if (result == Publication.BACK_PRESSURED) {
                backPressured++;
            } else if (result != Publication.NOT_CONNECTED) {
                throw new AssertionError("offer: " + Publication.errorString(result));
            }
            machine.parkRunning(1 + random.nextInt(RETRY_MAX_NS));
            return false;
        }
        if (isClaim) {
            claim.buffer().putBytes(claim.offset(), offered.content(), offered.nextOffset(length), length);
            claim.reservedValue(offered.count());
            claimEnd = result;
            claimLength = length;
        } else {
            offered.add(result, SendLog.alignedLength(length), length);
        }
        return true;
    }

    private void endClaim() {
        if (random.nextInt(ABORT_ONE_IN) == 0) {
            claim.abort();
            world.trace().publish(roleName(), "aborts", claimLength, claimEnd);
        } else {
            claim.commit();
            offered.add(claimEnd, SendLog.alignedLength(claimLength), claimLength);
            world.trace().publish(roleName(), "commits", claimLength, claimEnd);
        }
        claimEnd = 0;
    }

    @Override
    public String roleName() {
        return "publisher@" + process.id();
    }

    @Override
    public String toString() {
        return roleName() + (isAlive() ? "" : " dead") + " offered=" + offered.count() + " position="
            + publication.position() + " limit=" + publication.positionLimit();
    }
}

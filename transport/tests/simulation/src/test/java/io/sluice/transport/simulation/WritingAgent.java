package io.sluice.transport.simulation;

import io.sluice.codec.FrameDescriptor;
import io.sluice.transport.BufferClaim;
import io.sluice.transport.Publication;
import io.sluice.transport.send.SendLog;
import java.util.SplittableRandom;
import org.agrona.concurrent.Agent;

/**
 * Publishes in bursts, by offer and by claim. A claim may stay open over many steps of others, and of a publication
 * that others write to, too, for so long that it is given up. Within an offer others may go on when the last bytes are
 * copied and the first are not: the order of a copy is nobody's promise.
 */
final class WritingAgent implements Agent {
    private static final int ABORT_ONE_IN = 8;
    private static final int FORGET_ONE_IN = 16;
    private static final int FORGOTTEN_PER_TIMEOUT = 3;
    private static final int PREEMPT_ONE_IN = 4;
    private static final int PREEMPT_MAX_STEPS = 60;
    /** One offer in so many is in the way of a link that is about to join. */
    private static final int OBSTRUCT_ONE_IN = 2;
    private static final int OBSTRUCT_MAX_STEPS = 600;
    private static final int PAUSE_IN_BURST_MAX_NS = 5_000;
    private static final int PAUSE_MAX_NS = 8_000_000;
    private static final int RETRY_MAX_NS = 100_000;

    private final World world;
    private final SimulatedMachine machine;
    private final SplittableRandom random;
    private final Publisher publisher;
    private final Publication publication;
    private final String name;
    private final PreemptedSource source;
    private final BufferClaim claim = new BufferClaim();
    private long claimEnd;
    private int claimLength;
    private int claimId;
    private long claimedAtNs;
    private int burst;
    private boolean closed;
    private long backPressured;
    private long unblocked;

    /** A writer of an index, with its handle on the publication. */
    WritingAgent(final World world, final Publisher publisher, final Publication publication, final int index) {
        this.world = world;
        this.publisher = publisher;
        this.publication = publication;
        machine = world.machine();
        random = world.newRandom();
        source = new PreemptedSource(publisher.offered().content());
        name = "writer" + index + "@" + publisher.process().id();
    }

    Publication publication() {
        return publication;
    }

    boolean isQuiet() {
        return claimEnd == 0;
    }

    /** The position at which its open claim ends, or 0 when there is none. */
    long claimEnd() {
        return claimEnd;
    }

    void close() {
        closed = true;
        publication.close();
    }

    long backPressured() {
        return backPressured;
    }

    long unblocked() {
        return unblocked;
    }

    @Override
    public int doWork() {
        if (claimEnd != 0) {
            endClaim();
            return 1;
        }
        if (closed || publisher.hasEnough()) {
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
        final OfferedMessages offered = publisher.offered();
        final int id = offered.takeId();
        final int content = OfferedMessages.contentOffset(id, length);
        if (isClaim) {
            claimId = id;
        } else {
            preemptAtTimes(content, length);
        }
        final long result = isClaim ? publication.tryClaim(length, claim)
            : publication.offer(source, content, length, id);
        source.beforeCopy(null);
        world.trace().publish(name, isClaim ? "claims" : "offers", length, result);
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
            claim.buffer().putBytes(claim.offset(), source, content, length);
            claim.reservedValue(id);
            claimEnd = result;
            claimLength = length;
            claimedAtNs = machine.nowNs();
            forgetAtTimes();
        } else {
            offered.add(id, result, SendLog.alignedLength(length), length);
        }
        return true;
    }

    /** One thread drives a transport and offers where there are no others. */
    private void preemptAtTimes(final int content, final int length) {
        if (world.isCalm() || world.scenario().invoker()) {
            return;
        }
        final boolean obstructs = LinkEnd.isAny(publisher, LinkEnd.State.PUBLICATION_CONNECTING);
        if (random.nextInt(obstructs ? OBSTRUCT_ONE_IN : PREEMPT_ONE_IN) == 0) {
            final int steps = random.nextInt(obstructs ? OBSTRUCT_MAX_STEPS : PREEMPT_MAX_STEPS);
            source.beforeCopy(() -> preempt(content, length, steps));
        }
    }

    private void preempt(final int content, final int length, final int steps) {
        final SendLog log = publisher.state().log();
        final int alignedLength = SendLog.alignedLength(length);
        final long end = world.scenario().isPublicationShared()
            ? publisher.state().poster().claimableEnd() : log.claimEnd(alignedLength);
        final int half = length / 2;
        log.buffer().putBytes(log.offset(end - alignedLength) + FrameDescriptor.HEADER_LENGTH + half,
            publisher.offered().content(), content + half, length - half);
        for (int i = 0; i < steps; i++) {
            machine.step();
        }
    }

    private void forgetAtTimes() {
        if (world.scenario().isPublicationShared() && random.nextInt(FORGET_ONE_IN) == 0) {
            machine.parkRunning(random.nextLong(FORGOTTEN_PER_TIMEOUT * Scenario.UNBLOCK_NS));
        }
    }

    private void endClaim() {
        final long end = claimEnd;
        claimEnd = 0;
        if (random.nextInt(ABORT_ONE_IN) == 0) {
            claim.abort();
            world.trace().publish(name, "aborts", claimLength, end);
        } else if (commit()) {
            publisher.offered().add(claimId, end, SendLog.alignedLength(claimLength), claimLength);
            world.trace().publish(name, "commits", claimLength, end);
        } else {
            unblocked++;
            world.trace().publish(name, "commits in vain", claimLength, end);
        }
    }

    /** Commits: a claim may be refused only when it was open for long, or its publication was closed. */
    private boolean commit() {
        try {
            claim.commit();
            return true;
        } catch (final IllegalStateException ex) {
            if (!closed && (!world.scenario().isPublicationShared()
                || machine.nowNs() - claimedAtNs < Scenario.UNBLOCK_NS)) {
                throw new AssertionError("a claim was given up too early: openNs="
                    + (machine.nowNs() - claimedAtNs) + ": " + ex.getMessage(), ex);
            }
            return false;
        }
    }

    @Override
    public String roleName() {
        return name;
    }
}

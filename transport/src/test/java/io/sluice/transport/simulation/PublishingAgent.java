package io.sluice.transport.simulation;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.send.SendLog;
import java.util.SplittableRandom;
import org.agrona.concurrent.Agent;

/** Publishes in bursts, by offer and by claim; a claim may stay open over many steps of others. */
final class PublishingAgent implements Agent {
    private static final int ABORT_ONE_IN = 8;
    private static final int PAUSE_IN_BURST_MAX_NS = 5_000;
    private static final int PAUSE_MAX_NS = 8_000_000;
    private static final int RETRY_MAX_NS = 100_000;

    private final SimulatedMachine machine;
    private final SplittableRandom random;
    private final Trace trace;
    private final ExclusivePublication publication;
    private final OfferedMessages offered;
    private final int messages;
    private final BufferClaim claim = new BufferClaim();
    private long claimEnd;
    private int claimLength;
    private int burst;
    private long backPressured;
    private boolean off;

    PublishingAgent(
        final SimulatedMachine machine,
        final SplittableRandom random,
        final Trace trace,
        final ExclusivePublication publication,
        final OfferedMessages offered,
        final int messages) {
        this.machine = machine;
        this.random = random;
        this.trace = trace;
        this.publication = publication;
        this.offered = offered;
        this.messages = messages;
    }

    boolean isDone() {
        return claimEnd == 0 && (off || offered.count() >= messages);
    }

    long backPressured() {
        return backPressured;
    }

    /** Publish nothing more. */
    void off() {
        off = true;
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
        trace.event(machine.nowNs(), roleName(), isClaim ? "claims" : "offers", length, result);
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
            trace.event(machine.nowNs(), roleName(), "aborts", claimEnd, claimLength);
        } else {
            claim.commit();
            offered.add(claimEnd, SendLog.alignedLength(claimLength), claimLength);
            trace.event(machine.nowNs(), roleName(), "commits", claimEnd, claimLength);
        }
        claimEnd = 0;
    }

    @Override
    public String roleName() {
        return "publisher@1";
    }
}

package io.sluice.transport.simulation;

import io.sluice.transport.ControlledMessageHandler.Action;
import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;

/**
 * Polls a subscription and checks every message. At times the others go on while it is inside its handler, which then
 * looks again whether the message is still what it was; at times it is slow, and at times it takes a message back.
 */
final class ConsumingAgent implements Agent {
    private static final int HOLD_ONE_IN = 8;
    private static final int HOLD_MAX_STEPS = 200;
    /** Far below the time in which a link must resume, for which its polling thread is needed. */
    private static final long HOLD_MAX_NS = 20_000_000;
    private static final int ABORT_ONE_IN = 16;
    private static final int SLOW_ONE_IN = 30;
    private static final int SLOW_MAX_NS = 5_000_000;
    private static final int PARK_MIN_NS = 1_000;
    private static final int PARK_MAX_NS = 500_000;

    private final SimulatedMachine machine;
    private final SplittableRandom random;
    private final Trace trace;
    private final String name;
    private final OfferedMessages offered;
    private final boolean sharedLog;
    private final List<ImageRun> runs = new ArrayList<>();
    private Subscription subscription;
    private long parkNs = PARK_MIN_NS;
    private long held;
    private boolean off;

    ConsumingAgent(
        final SimulatedMachine machine,
        final SplittableRandom random,
        final Trace trace,
        final String name,
        final OfferedMessages offered,
        final boolean sharedLog) {
        this.machine = machine;
        this.random = random;
        this.trace = trace;
        this.name = name;
        this.offered = offered;
        this.sharedLog = sharedLog;
    }

    void subscription(final Subscription newSubscription) {
        subscription = newSubscription;
    }

    Subscription subscription() {
        return subscription;
    }

    /** The publisher has given somebody up: with a shared log it may then reuse what is still to be read. */
    void onLinkGone() {
        runs.forEach(run -> run.suspect = true);
    }

    /** From now on quick and without holding messages. */
    void off() {
        off = true;
    }

    void onAvailable(final Image image) {
        trace.event(machine.nowNs(), name, "image available", image.joinPosition(), runs.size());
        runs.add(new ImageRun(image));
    }

    void onUnavailable(final Image image) {
        trace.event(machine.nowNs(), name, "image unavailable", image.position(), image.isEndOfStream() ? 1 : 0);
        find(image).unavailable = true;
    }

    List<ImageRun> runs() {
        return runs;
    }

    long held() {
        return held;
    }

    @Override
    public int doWork() {
        final int limit = 1 + random.nextInt(10);
        final int messages = random.nextInt(3) == 0
            ? subscription.controlledPoll(this::onControlled, limit) : subscription.poll(this::onMessage, limit);
        if (messages > 0) {
            parkNs = PARK_MIN_NS;
            machine.parkRunning(!off && random.nextInt(SLOW_ONE_IN) == 0 ? random.nextInt(SLOW_MAX_NS) : 0);
        } else {
            parkNs = Math.min(parkNs * 2, PARK_MAX_NS);
            machine.parkRunning(random.nextLong(parkNs));
        }
        return messages;
    }

    private Action onControlled(
        final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final int die = random.nextInt(ABORT_ONE_IN);
        if (die == 0) {
            return Action.ABORT;
        }
        onMessage(buffer, offset, length, header);
        return die == 1 ? Action.BREAK : die < ABORT_ONE_IN / 2 ? Action.COMMIT : Action.CONTINUE;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final ImageRun run = find(header.image());
        if (run.next < 0) {
            run.next = offered.indexFrom(run.image.joinPosition());
        }
        final int index = run.next++;
        final long end = header.position();
        final long id = header.reservedValue();
        verify(run, offered.check(index, buffer, offset, length, end, id));
        if (run.unavailable) {
            throw new AssertionError(name + ": a message of an image that is unavailable: end=" + end);
        }
        if (!off && random.nextInt(HOLD_ONE_IN) == 0) {
            held++;
            hold(random.nextInt(HOLD_MAX_STEPS));
            final String wrong = offered.check(index, buffer, offset, length, end, header.reservedValue());
            verify(run, wrong == null ? null : "reused under its handler: " + wrong);
        }
    }

    private void hold(final int steps) {
        final long untilNs = machine.nowNs() + HOLD_MAX_NS;
        for (int i = 0; i < steps && machine.nowNs() < untilNs; i++) {
            machine.step();
        }
    }

    private void verify(final ImageRun run, final String wrong) {
        if (wrong != null && !(run.suspect && sharedLog)) {
            throw new AssertionError(name + ": " + wrong + " " + run.image);
        }
    }

    private ImageRun find(final Image image) {
        for (final ImageRun run : runs) {
            if (run.image == image) {
                return run;
            }
        }
        throw new AssertionError(name + ": an image that was never made available: " + image);
    }

    @Override
    public String roleName() {
        return name;
    }

    /** What one image has delivered. */
    static final class ImageRun {
        private final Image image;
        private int next = -1;
        private boolean unavailable;
        private boolean suspect;

        ImageRun(final Image image) {
            this.image = image;
        }

        Image image() {
            return image;
        }

        boolean isUnavailable() {
            return unavailable;
        }

        /** Whether its link may have been given up by the publisher. */
        boolean isSuspect() {
            return suspect;
        }

        /** Whether it has delivered everything up to the last of so many messages. */
        boolean isComplete(final OfferedMessages offered) {
            return (next < 0 ? offered.indexFrom(image.joinPosition()) : next) == offered.count();
        }
    }
}

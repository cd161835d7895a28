package io.sluice.transport.simulation;

import io.sluice.transport.Image;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;

/**
 * One that is handed the messages of a subscription, and checks each of them. At times the others go on while it is
 * inside its handler, which then looks again whether the message is still what it was; at times it throws.
 */
final class Reader {
    private static final int HOLD_ONE_IN = 8;
    private static final int HOLD_MAX_STEPS = 200;
    /** Far below the time in which a link must resume, for which its polling thread is needed. */
    private static final long HOLD_MAX_NS = 20_000_000;
    private static final int THROW_ONE_IN = 64;
    private static final int STALL_ONE_IN = 16;
    /** One stall in so many passes while a link of its subscription is being made or resumed, which is soon over. */
    private static final int STALL_PASSING_ONE_IN = 2;
    /** The longest stall, from not even noticed to evicted and given up. */
    private static final long STALL_MAX_NS =
        2 * (Scenario.EVICT_AFTER_MAX_MS + Scenario.EVICT_TIMEOUT_MS) * 1_000_000L;

    private final World world;
    private final Subscriber subscriber;
    private final String name;
    private final int index;
    private final int[] waitsFor;
    private final SplittableRandom random;
    private long held;

    /** The reader of an index, which sees a message only when certain others are done with it. */
    Reader(final World world, final Subscriber subscriber, final String name, final int index, final int... waitsFor) {
        this.world = world;
        this.subscriber = subscriber;
        this.name = name;
        this.index = index;
        this.waitsFor = waitsFor;
        random = world.newRandom();
    }

    /** Look at a message, and again after a while. */
    ImageRun inspect(
        final Image image,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final long end,
        final long id) {
        final ImageRun run = subscriber.run(image);
        final int number = run.next(index);
        verify(run, run.publisher().offered().check(number, buffer, offset, length, end, id));
        if (run.isUnavailable()) {
            throw fail(name + ": a message of an image that is unavailable: end=" + end);
        }
        for (final int other : waitsFor) {
            if (run.next(other) <= number) {
                throw fail(name + ": a message that handler " + other + " is not done with: " + run);
            }
        }
        if (isHolding()) {
            hold(subscriber.isGraph() && !world.machine().isNested() ? stallNs() : 0);
            final String wrong = run.publisher().offered().check(number, buffer, offset, length, end, id);
            verify(run, wrong == null ? null : "reused under its handler: " + wrong);
        }
        return run;
    }

    /** Be done with the message that was inspected last. */
    void done(final ImageRun run) {
        run.onHandled(index);
    }

    /** Let others go on, without looking at anything. */
    void holdAtTimes() {
        if (isHolding()) {
            hold(0);
        }
    }

    /** The time that it is to take at times, so that it may be evicted, or 0. */
    long stallNs() {
        return subscriber.evicts() && !world.isCalm()
            && random.nextInt(LinkEnd.isAnyPassing(subscriber) ? STALL_PASSING_ONE_IN : STALL_ONE_IN) == 0
            ? random.nextLong(STALL_MAX_NS) : 0;
    }

    void throwAtTimes() {
        if (!world.isCalm() && random.nextInt(THROW_ONE_IN) == 0) {
            throw new World.IntendedException();
        }
    }

    /**
     * Tells whether a handler takes its time: where they run in the transport's own duty cycle, one of them in a cycle
     * may.
     */
    private boolean isHolding() {
        return !world.isCalm() && random.nextInt(HOLD_ONE_IN) == 0
            && (!world.scenario().invoker() || !subscriber.isGraph()
            || world.machine().nowNs() - subscriber.process().heldUntilNs() > HOLD_MAX_NS);
    }

    private void hold(final long stallNs) {
        held++;
        final SimulatedMachine machine = world.machine();
        final long untilNs = machine.nowNs() + Math.max(stallNs, HOLD_MAX_NS);
        subscriber.process().heldUntilNs(untilNs);
        final int steps = stallNs > 0 ? Integer.MAX_VALUE : random.nextInt(HOLD_MAX_STEPS);
        for (int i = 0; i < steps && machine.nowNs() < untilNs; i++) {
            machine.step();
        }
    }

    private void verify(final ImageRun run, final String wrong) {
        if (wrong != null) {
            if (!run.isGivenUp() || !subscriber.isLogShared()) {
                throw fail(name + ": " + wrong + " " + run);
            }
            world.onChanged(run.image().sessionId(), run.publisher().offered().startOf(run.next(index)));
        }
    }

    /** To be thrown: code that calls handlers catches it, and goes on. */
    AssertionError fail(final String what) {
        return world.machine().fail(new AssertionError(what));
    }

    String name() {
        return name;
    }

    SplittableRandom random() {
        return random;
    }

    long held() {
        return held;
    }
}

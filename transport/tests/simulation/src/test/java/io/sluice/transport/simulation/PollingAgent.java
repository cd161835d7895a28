package io.sluice.transport.simulation;

import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.Header;
import io.sluice.transport.Subscription;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;

/** Polls a subscription; at times it is slow, and at times it takes a message back. */
final class PollingAgent implements Agent {
    private static final int ABORT_ONE_IN = 16;
    private static final int SLOW_ONE_IN = 30;
    private static final int SLOW_MAX_NS = 5_000_000;
    private static final int PARK_MIN_NS = 1_000;
    private static final int PARK_MAX_NS = 500_000;

    private final World world;
    private final Reader reader;
    private final Subscription subscription;
    private final SplittableRandom random;
    private long parkNs = PARK_MIN_NS;

    PollingAgent(final World world, final Reader reader, final Subscription subscription) {
        this.world = world;
        this.reader = reader;
        this.subscription = subscription;
        random = reader.random();
    }

    @Override
    public int doWork() {
        final SimulatedMachine machine = world.machine();
        final int limit = 1 + random.nextInt(10);
        final int messages = random.nextInt(3) == 0
            ? subscription.controlledPoll(this::onControlled, limit) : subscription.poll(this::onFragment, limit);
        final long stallNs = messages > 0 ? reader.stallNs() : 0;
        if (stallNs > 0) {
            machine.parkRunning(stallNs);
        } else if (messages > 0) {
            parkNs = PARK_MIN_NS;
            machine.parkRunning(!world.isCalm() && random.nextInt(SLOW_ONE_IN) == 0 ? random.nextInt(SLOW_MAX_NS) : 0);
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
        onFragment(buffer, offset, length, header);
        return die == 1 ? Action.BREAK : die < ABORT_ONE_IN / 2 ? Action.COMMIT : Action.CONTINUE;
    }

    private void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        reader.done(reader.inspect(
            header.image(), buffer, offset, length, header.position(), header.reservedValue()));
        reader.throwAtTimes();
    }

    @Override
    public String roleName() {
        return reader.name();
    }
}

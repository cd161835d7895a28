package io.sluice.transport.simulation;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Breaks links of subscriptions that are held up by their consumers, keeps those from going on, and holds up whoever
 * makes such a link, for as long as an eviction takes: by chance none would be made just then, for it is soon over.
 */
final class SlowSetups {
    private static final String SETUP = "sluice-set-up@";
    private static final String CONSUMER = "sluice-consumer-";
    /** One step in so many breaks a queue pair while a subscription is held up. */
    private static final int BREAK_ONE_IN = 100;
    private static final int DELAY_ONE_IN = 2;
    /**
     * The most of each in a run: a link that does not get on between two breaks, or that is made too late, is given up.
     */
    private static final int BREAKS_MAX = 2;
    private static final int DELAYS_MAX = 4;
    /** The longest delay, from not even noticed to told to leave: far below the time in which a link must resume. */
    private static final long DELAY_NS = 2 * Scenario.EVICT_AFTER_MAX_MS * 1_000_000L;

    private final World world;
    private final SplittableRandom random;
    private final Map<Object, LinkEnd.State> states = new IdentityHashMap<>();
    private int breaks;
    private int delays;

    SlowSetups(final World world) {
        this.world = world;
        random = world.newRandom();
    }

    /** Notices, after every step, what has begun in it. */
    void check(final Subscriber subscriber) {
        if (!subscriber.mayEvict() || world.isCalm() || delays == DELAYS_MAX) {
            return;
        }
        for (final Object link : Internals.links(subscriber.state())) {
            final LinkEnd.State state = LinkEnd.State.ofSubscription(link);
            final boolean isNew = states.put(link, state) != state;
            if (state == LinkEnd.State.SUBSCRIPTION_ACTIVE) {
                breakAtTimes(subscriber, link);
            } else if (isNew && subscriber.isHeldUp()) {
                delayAtTimes(subscriber, link, state);
            }
        }
    }

    private void breakAtTimes(final Subscriber subscriber, final Object link) {
        if (breaks < BREAKS_MAX && world.scenario().failOneIn() > 0 && subscriber.isHeldUp()
            && random.nextInt(BREAK_ONE_IN) == 0) {
            breaks++;
            world.trace().event(subscriber.name(), "its queue pair breaks", 0, 0);
            Internals.epoch(link).queuePair().fail();
            delayConsumers(subscriber);
        }
    }

    private void delayAtTimes(final Subscriber subscriber, final Object link, final LinkEnd.State state) {
        final boolean isAccepted = state == LinkEnd.State.SUBSCRIPTION_ACCEPTED;
        if (isAccepted || state == LinkEnd.State.SUBSCRIPTION_PREPARING && random.nextInt(DELAY_ONE_IN) == 0) {
            delays++;
            delayConsumers(subscriber);
            delay(SETUP, isAccepted
                ? world.publisher(Internals.sessionIdOf(link)).process() : subscriber.process());
        }
    }

    /** Hold up the process's consumers, if they have threads of the transport's; else the one that polls. */
    private void delayConsumers(final Subscriber subscriber) {
        delay(subscriber.isGraph() ? CONSUMER : subscriber.name(), subscriber.process());
    }

    private void delay(final String name, final SimulatedProcess process) {
        for (final SimulatedWorker worker : world.machine().workers()) {
            if (worker.isOf(process.id()) && worker.name().startsWith(name)) {
                world.trace().event(worker.name(), "is held up: durationNs={}", DELAY_NS, 0);
                worker.pause(DELAY_NS);
            }
        }
    }
}

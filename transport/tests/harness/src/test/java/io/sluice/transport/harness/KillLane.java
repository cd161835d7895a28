package io.sluice.transport.harness;

import io.sluice.transport.harness.Audit.Debt;
import io.sluice.transport.kit.Await;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One publisher and one subscriber that are killed again and again, one of them or both, and replaced by processes that
 * have started meanwhile. Several lanes go side by side. One thread.
 */
public final class KillLane {
    /**
     * The processes that are killed.
     */
    public enum Victim {
        PUBLISHER, SUBSCRIBER, BOTH;

        private boolean isPublisher() {
            return this != SUBSCRIBER;
        }

        private boolean isSubscriber() {
            return this != PUBLISHER;
        }
    }

    /** The flags of processes that live for a second: starting is most of what they do. */
    private static final String[] FLAGS = {
        "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"
    };
    /** Started while others are at work, for who is killed next. */
    private static final int SPARES = 1;
    /** The publisher is faster than its subscriber, so that a window's worth is in flight. */
    private static final String PACE = " limit=4 pace-ns=1000000";
    /** Some of it is consumed before the signal arrives. */
    private static final long LOAD = 3 * InFlight.MEBIBYTE;
    private static final long MAX_MOMENT_NS = TimeUnit.MILLISECONDS.toNanos(30);
    /** Looking into files takes a while. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    /** More than a busy machine takes away a process that long at the wrong moment. */
    private static final int MAX_MISSES = 10;
    private static final Debt A_PREFIX = new Debt(true, false);
    private static final Debt EVERYTHING = new Debt(true, true);

    private final Fabric fabric;
    private final int number;
    private final String channel;
    private final SplittableRandom random;
    private final Deque<ChildJvm> spares = new ArrayDeque<>();
    private final List<String> publishers = new ArrayList<>();
    private final List<String> subscribers = new ArrayList<>();
    private ChildJvm publisher;
    private ChildJvm subscriber;
    private int processes;
    private long leastInFlight = Long.MAX_VALUE;

    /**
     * A lane without processes.
     *
     * @param fabric  where they meet.
     * @param number  of the lane, which others do not have.
     * @param channel that others do not have, with a window of 4 MiB.
     * @param seed    of the moments.
     */
    public KillLane(final Fabric fabric, final int number, final String channel, final long seed) {
        this.fabric = fabric;
        this.number = number;
        this.channel = " stream=1 channel=" + channel;
        random = new SplittableRandom(seed + number);
    }

    /** The least that a kill has found in flight, in bytes. */
    public long leastInFlight() {
        return leastInFlight;
    }

    /** Kill one after the other, and compare everything. */
    public Audit run(final List<Victim> victims) {
        replace(Victim.BOTH);
        int misses = 0;
        for (final Victim victim : victims) {
            while (!kill(victim)) {
                replace(victim);
                misses++;
                if (misses > MAX_MISSES) {
                    throw new AssertionError("not enough in flight, again and again: misses=" + misses);
                }
            }
            replace(victim);
        }
        final String last = publishers.getLast();
        awaitLoad();
        publisher.ask("halt name=" + last, "PUBLISHED result=NONE");
        publisher.ask("close name=" + last, "CLOSED drained=true");
        subscriber.await("UNAVAILABLE end=true session=" + session());
        publisher.exit();
        subscriber.exit();
        spares.forEach(ChildJvm::close);
        return judge();
    }

    private int session() {
        return sessionOf(publishers.size());
    }

    private int sessionOf(final int publication) {
        return (number + 1) * 10_000 + publication;
    }

    private ChildJvm take() {
        while (spares.size() <= SPARES) {
            spares.add(fabric.launch("lane" + number + "-" + ++processes, FLAGS));
        }
        final ChildJvm ready = spares.remove();
        ready.await("READY");
        return ready;
    }

    private void replace(final Victim victim) {
        if (victim.isSubscriber()) {
            subscriber = take();
            subscribers.add("s" + number + "-" + subscribers.size());
            final String mode = subscribers.size() % 2 == 0 ? "invoker" : "dedicated";
            subscriber.tell("subscribe name=" + subscribers.getLast() + PACE
                + channel.replace("?", "?mode=" + mode + "|"));
        }
        if (victim.isPublisher()) {
            publisher = take();
            publishers.add("p" + number + "-" + publishers.size());
            publisher.tell("publish lengths=mix name=" + publishers.getLast() + " id=" + session()
                + channel.replace("?", "?session-id=" + session() + "|"));
        }
        subscriber.await("AVAILABLE session=" + session());
    }

    private void awaitLoad() {
        Await.until(() -> "something in flight\n" + publisher.describe() + subscriber.describe(),
            () -> {
                LockSupport.parkNanos(LOOK_NS);
                final long consumed = consumed();
                return consumed > 0 && sent() - consumed >= LOAD;
            }, Await.DEADLINE_SECONDS);
    }

    private long sent() {
        return InFlight.sent(fabric.journals(), publishers.getLast());
    }

    /** The position up to which bytes are consumed, without an image all: nothing is in flight. */
    private long consumed() {
        final long position = InFlight.consumed(fabric.journals(), subscribers.getLast(), session());
        return position < 0 ? Long.MAX_VALUE : position;
    }

    /** {@return whether enough was in flight} While this process stands still, a subscriber consumes all there is. */
    private boolean kill(final Victim victim) {
        awaitLoad();
        LockSupport.parkNanos(random.nextLong(MAX_MOMENT_NS));
        final long sentBefore = sent();
        if (victim.isPublisher()) {
            publisher.strike();
        }
        if (victim.isSubscriber()) {
            subscriber.strike();
        }
        // not less than that: more may have been offered when the signal arrived, and less have been consumed
        final long inFlight = sentBefore - consumed();
        if (victim.isPublisher()) {
            publisher.kill();
        }
        if (victim.isSubscriber()) {
            subscriber.kill();
        }
        final boolean isEnough = inFlight >= InFlight.MEBIBYTE;
        leastInFlight = isEnough ? Math.min(leastInFlight, inFlight) : leastInFlight;
        if (!victim.isSubscriber()) {
            subscriber.await("UNAVAILABLE end=false session=" + session());
        }
        return isEnough;
    }

    private Audit judge() {
        final Audit audit = new Audit(fabric.journals());
        for (int p = 0; p < publishers.size(); p++) {
            long messages = 0;
            for (int s = 0; s < subscribers.size(); s++) {
                final boolean isLast = p == publishers.size() - 1 && s == subscribers.size() - 1;
                messages += audit.judge(
                    publishers.get(p), sessionOf(p + 1), subscribers.get(s), "", isLast ? EVERYTHING : A_PREFIX);
            }
            if (messages == 0) {
                throw new AssertionError("nobody has received anything of " + publishers.get(p));
            }
        }
        return audit;
    }
}

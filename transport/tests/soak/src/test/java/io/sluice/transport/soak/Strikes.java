package io.sluice.transport.soak;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Line;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The strikes of each kind of fault, and how they are made good. The soak's thread.
 */
final class Strikes {
    /** The pause after each message: a hundred times what a message takes, and more. */
    private static final long SLOW_PAUSE_NS = 1_000_000;
    /** Counters that stay 0 in a process that nobody has taken for dead. */
    private static final List<String> DAMAGES = List.of(
        "positions-rejected", "feedback-rejected", "control-messages-rejected", "memory-abandoned");
    private static final String UNDELIVERED = "linger-expired";
    /** The time within which the dead and those that stand still are taken for gone: twice the liveness timeout. */
    private static final long LOSS_KNOWN_NS = TimeUnit.MILLISECONDS.toNanos(2 * SoakSettings.LIVENESS_MS);

    /** So that a completion queue has too little room for what comes before anybody looks. */
    private static final String[] UNDERSIZED = {"test.undersized=RECEIVES-LATE", "test.undersized.capacity=32"};

    private final SoakSettings settings;
    private final Strangers strangers;
    private final List<SoakPlace> publishers;
    private final List<SoakPlace> subscribers;
    private final Watch watch;
    private int evictions;

    Strikes(
        final SoakSettings settings,
        final SoakProcesses processes,
        final List<SoakPlace> publishers,
        final List<SoakPlace> subscribers,
        final Watch watch) {
        this.settings = settings;
        strangers = new Strangers(settings, processes);
        this.publishers = publishers;
        this.subscribers = subscribers;
        this.watch = watch;
    }

    /** The places that a fault hits. */
    List<SoakPlace> places(final ScheduledFault fault) {
        return Stream.concat(
            fault.kind().hitsPublisher() ? Stream.of(publishers.get(fault.publisher())) : Stream.empty(),
            fault.kind().hitsSubscriber() ? Stream.of(subscribers.get(subscriber(fault))) : Stream.empty()).toList();
    }

    /** The drawn one, or the next one where that can happen. */
    private int subscriber(final ScheduledFault fault) {
        int number = fault.subscriber();
        while (fault.kind() == FaultKind.OVERRUN_SUBSCRIBER && !settings.completesInQueues(number)) {
            number = (number + 1) % subscribers.size();
        }
        return number;
    }

    /** Let it happen to its places. */
    ActiveFault strike(final ScheduledFault fault, final List<SoakPlace> places) {
        final ActiveFault active = new ActiveFault(fault, places);
        final SoakPlace place = places.getFirst();
        active.inFlight(watch.inFlight(places, () -> {
            switch (fault.kind()) {
                case KILL_PUBLISHER, KILL_SUBSCRIBER, KILL_BOTH -> kill(active, places);
                case STOP_PUBLISHER, STOP_SUBSCRIBER -> stop(active, place);
                case FREEZE_PUBLISHER, FREEZE_SUBSCRIBER -> freeze(active, place);
                case SLOW_CONSUMER -> slow(active, place);
                case FAIL_DATA -> operation(active, place, "data ends=fails");
                case FAIL_FEEDBACK -> operation(active, place, "feedback ends=fails");
                case DROP_DATA -> operation(active, place, "data ends=fails hold-ms=" + fault.forMs());
                case DELAY_DATA -> operation(active, place, "data ends=passes hold-ms=" + fault.forMs());
                case LINK_FAILURE -> operation(active, place, "control ends=fails");
                case REOPEN_SUBSCRIPTION -> leave(active, place).then(place::begin);
                case RESTART_PUBLISHER -> relaunch(close(active, place), place);
                case RESTART_SUBSCRIBER -> relaunch(leave(active, place), place);
                case OVERRUN_SUBSCRIBER -> relaunch(leave(active, place), place, UNDERSIZED)
                    .thenAwait(() -> place.process().counter("cq-overruns") > 0).then(active::outageBegins);
                case EVICT_SUBSCRIPTION -> evict(active, place);
                case LINK_CHURN -> strangers.churn(active, place, places.getLast());
                case WRONG_KEY -> strangers.wrongKey(active, place);
                case REPLAYED_HANDSHAKE -> strangers.replay(active, place);
                case FOREIGN_ADDRESS -> strangers.foreignAddress(active, place);
                case RANDOM_BYTES -> strangers.noise(active, place);
                default -> throw new IllegalArgumentException("unknown kind: " + fault);
            }
        }));
        active.thenRecover(watch);
        if (fault.kind() == FaultKind.FREEZE_PUBLISHER || fault.kind() == FaultKind.FREEZE_SUBSCRIBER) {
            active.then(() -> {
                place.life().thaw(System.nanoTime());
                place.lost(System.nanoTime());
            });
        }
        return active;
    }

    private static void kill(final ActiveFault active, final List<SoakPlace> places) {
        places.forEach(place -> {
            place.process().strike();
            place.life().end(System.nanoTime());
            place.lost(System.nanoTime());
        });
        active.then(() -> places.forEach(place -> place.process().kill()))
            .then(() -> places.forEach(SoakPlace::launch));
        places.forEach(place -> active.thenAwait(place::isReady).then(place::begin));
    }

    private static void stop(final ActiveFault active, final SoakPlace place) {
        place.process().stop();
        active.thenWait().then(() -> place.process().proceed());
    }

    private static void freeze(final ActiveFault active, final SoakPlace place) {
        place.freeze();
        stop(active, place);
    }

    private static void slow(final ActiveFault active, final SoakPlace place) {
        final String command = "slow name=" + place.life().name() + " pause-ns=";
        place.process().tell(command + SLOW_PAUSE_NS);
        active.thenWait().then(() -> place.process().tell(command + 0)).then(active::outageBegins);
    }

    private static void operation(final ActiveFault active, final SoakPlace place, final String how) {
        place.process().tell("fault kind=strike operation=" + how);
        active.thenAwait(() -> place.process().poll("STRUCK") != null).then(active::outageBegins).thenWait();
    }

    private static ActiveFault leave(final ActiveFault active, final SoakPlace place) {
        final SoakLife life = place.life();
        life.closing(System.nanoTime());
        place.process().tell("leave name=" + life.name());
        return active.thenAwait(() -> place.process().poll("LEFT name=" + life.name()) != null)
            .then(() -> life.end(System.nanoTime()));
    }

    private boolean isClosed(final SoakPlace place, final SoakLife life) {
        final ChildJvm process = place.process();
        final Line line = process.poll("CLOSED name=" + life.name());
        if (line == null) {
            return false;
        }
        final long nowNs = System.nanoTime();
        if (line.flag("drained")) {
            life.drain(nowNs);
        } else if (place.wasFrozen() || subscribers.stream().anyMatch(
            subscriber -> subscriber.wasLostSince(life.closingNs() - LOSS_KNOWN_NS))) {
            life.end(nowNs);
            place.closeWithoutSome();
        } else {
            throw new AssertionError(
                "closed before everything was delivered, and nobody is gone: " + line + "\n" + process.describe());
        }
        return true;
    }

    /** Offers end, and everything is delivered, but to who is killed or frozen meanwhile. */
    private ActiveFault close(final ActiveFault active, final SoakPlace place) {
        final SoakLife life = place.life();
        final ChildJvm process = place.process();
        process.tell("halt name=" + life.name());
        return active.thenAwait(() -> process.poll("PUBLISHED result=NONE name=" + life.name()) != null)
            .then(() -> {
                life.closing(System.nanoTime());
                process.tell("close name=" + life.name());
            })
            .thenAwait(() -> isClosed(place, life));
    }

    /** A subscription that does not poll, and is in nobody's books. */
    private void evict(final ActiveFault active, final SoakPlace place) {
        final ChildJvm process = place.process();
        final String name = "name=evicted" + ++evictions + "-" + place.life().name();
        final long before = process.counter("consumers-evicted");
        process.tell("subscribe " + name + " paused=true stream=" + SoakPlace.STREAM_ID + " channel="
            + settings.ofEvicted());
        active.thenAwait(() -> process.poll("AVAILABLE " + name) != null)
            .thenAwait(() -> process.counter("consumers-evicted") > before)
            .thenAwait(() -> process.poll("UNAVAILABLE " + name) != null)
            .then(() -> process.tell("leave " + name))
            .thenAwait(() -> process.poll("LEFT " + name) != null);
    }

    private static ActiveFault relaunch(
        final ActiveFault active, final SoakPlace place, final String... properties) {
        return active.then(() -> end(place)).then(() -> place.launch(properties))
            .thenAwait(place::isReady).then(place::begin);
    }

    private static void checkNone(
        final String damage, final boolean isExplained, final Map<String, String> counters, final SoakPlace place) {
        if (!isExplained && !counters.get(damage).equals("0")) {
            throw new AssertionError(damage + "=" + counters.get(damage) + "\n" + place.process().describe());
        }
    }

    /** The process has done its work: nothing may have been damaged in it, and it ends by itself. */
    static void end(final SoakPlace place) {
        final Map<String, String> counters = place.process().counters();
        DAMAGES.forEach(damage -> checkNone(damage, place.wasFrozen(), counters, place));
        final long rejected = Long.parseLong(counters.get(Strangers.FRAMES_REJECTED));
        if (rejected != place.noises() && !place.wasFrozen()) {
            throw new AssertionError("frames rejected: " + rejected + ", noises: " + place.noises() + "\n"
                + place.process().describe());
        }
        checkNone(UNDELIVERED, place.wasFrozen() || place.hasClosedWithoutSome(), counters, place);
        place.process().exit();
    }

    /** Check that the process has done nothing impossible, and has not died unless a fault is on its place. */
    static void check(final SoakPlace place) {
        final ChildJvm process = place.process();
        for (final String complaint : new String[] {"FAILED", "REJECTED"}) {
            final Line line = process.poll(complaint);
            if (line != null) {
                throw new AssertionError(line + "\n" + process.describe());
            }
        }
        if (!place.isHit() && !process.isAlive()) {
            throw new AssertionError("died: " + process.describe());
        }
    }
}

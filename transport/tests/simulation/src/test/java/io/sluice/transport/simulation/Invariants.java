package io.sluice.transport.simulation;

import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.send.OutboundLink;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.CompletionQueue;
import java.util.IdentityHashMap;
import java.util.Map;

/** The invariants that must hold after every step of anybody. */
final class Invariants {
    private final World world;
    private final Map<InboundLink, LinkWatch> links = new IdentityHashMap<>();
    private final Map<Subscriber, RingWatch> rings = new IdentityHashMap<>();

    Invariants(final World world) {
        this.world = world;
    }

    void check() {
        world.ambushes().forEach(Ambush::check);
        for (final Publisher publisher : world.publishers()) {
            publisher.watchLinks();
        }
        for (final Subscriber subscriber : world.subscribers()) {
            subscriber.watchEvictions();
            world.slowSetups().check(subscriber);
            if (subscriber.isOpen()) {
                check(subscriber);
            }
        }
        for (final Publisher publisher : world.publishers()) {
            if (publisher.isAlive() && !publisher.state().isReleased()) {
                check(publisher);
            }
        }
        world.overruns().watch();
        for (final SimulatedProcess process : world.processes()) {
            if (process.isAlive()) {
                check(process);
            }
        }
    }

    private void check(final Subscriber subscriber) {
        for (final InboundLink link : subscriber.state().receiver().links()) {
            LinkWatch watch = links.get(link);
            if (watch == null) {
                watch = new LinkWatch(subscriber, world.publisher(Internals.sessionId(link)), link);
                links.put(link, watch);
                LinkEnd.watch(world, subscriber, link);
            }
            watch.check();
        }
        if (subscriber.state().eventRing() != null) {
            rings.computeIfAbsent(subscriber, key -> new RingWatch(key, key.state().eventRing())).check(links::get);
        }
        if (!world.scenario().mayLoseImages()) {
            checkRuns(subscriber);
        }
    }

    private void check(final Publisher publisher) {
        final long committed = publisher.committedEnd();
        for (final OutboundLink sender : publisher.state().poster().links()) {
            CreditWatch.check(sender, committed);
            for (final Subscriber subscriber : world.subscribers()) {
                if (subscriber.isOpen()) {
                    for (final InboundLink receiver : subscriber.state().receiver().links()) {
                        if (receiver.epoch().feedback().address() == sender.parameters().feedbackRegion().address()) {
                            CreditWatch.check(sender, receiver);
                        }
                    }
                }
            }
        }
    }

    private void check(final SimulatedProcess process) {
        for (final CompletionQueue queue : Internals.completionQueues(process.device())) {
            if (!world.overruns().isNarrow(queue)) {
                CreditWatch.check(process, queue);
            }
        }
        Overruns.check(process);
        if (process.transport().counters().get(TransportCounter.LINKS_BROKEN) != 0 && world.scenario().isQuiet()
            && !(world.scenario().mayCloseUnannounced() && world.hasAnyClosed())) {
            throw new AssertionError("a link broke without a reason: " + process.transport().counters());
        }
    }

    /**
     * Check that nothing happens that a link may die of: each subscriber has one image of each publication, to its end.
     */
    private static void checkRuns(final Subscriber subscriber) {
        for (int i = 0; i < subscriber.runs().size(); i++) {
            final ImageRun run = subscriber.runs().get(i);
            for (int j = 0; j < i; j++) {
                if (subscriber.runs().get(j).publisher() == run.publisher()) {
                    throw new AssertionError(subscriber.name() + " has two images of one publication: " + run);
                }
            }
            if (run.isUnavailable() && run.publisher().isAlive() && !run.image().isEndOfStream()) {
                throw new AssertionError(subscriber.name() + " lost an image: " + run);
            }
        }
    }
}

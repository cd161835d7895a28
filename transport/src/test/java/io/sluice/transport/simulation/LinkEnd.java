package io.sluice.transport.simulation;

import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.status.TransportCounter;
import java.util.Locale;

/** One end of a link, as the conductor of its process sees it. */
final class LinkEnd {
    /** Where it stands: the states of a publication's end, and those of a subscription's. */
    enum State {
        PUBLICATION_PREPARING,
        PUBLICATION_SETUP_SENT,
        PUBLICATION_CONNECTING,
        PUBLICATION_JOINING,
        PUBLICATION_ACTIVE,
        PUBLICATION_BROKEN,
        PUBLICATION_GONE,
        SUBSCRIPTION_PREPARING,
        SUBSCRIPTION_ACCEPTED,
        SUBSCRIPTION_ACTIVE,
        SUBSCRIPTION_BROKEN,
        SUBSCRIPTION_ENDING,
        SUBSCRIPTION_GONE;

        private static final String PUBLICATION = "PUBLICATION_";
        private static final String SUBSCRIPTION = "SUBSCRIPTION_";

        private static State ofPublication(final Object link) {
            return valueOf(PUBLICATION + Internals.publicationLinkState(link));
        }

        private static State ofSubscription(final Object link) {
            return valueOf(SUBSCRIPTION + Internals.subscriptionLinkState(link));
        }

        /** For the head of a table. */
        String column() {
            return (isOfPublication() ? "p:" : "s:")
                + name().substring(name().indexOf('_') + 1).toLowerCase(Locale.ROOT);
        }

        boolean isOfPublication() {
            return name().startsWith(PUBLICATION);
        }
    }

    private final Object link;
    private final boolean isOfPublication;
    private final SimulatedProcess process;

    private LinkEnd(final Object link, final boolean isOfPublication, final SimulatedProcess process) {
        this.link = link;
        this.isOfPublication = isOfPublication;
        this.process = process;
    }

    /** Remember a publication's end, to see whether it comes to its end. */
    static void watch(final World world, final Publisher publisher) {
        for (final Object link : Internals.links(publisher.state())) {
            world.linkEnds().putIfAbsent(link, new LinkEnd(link, true, publisher.process()));
        }
    }

    /** Remember a subscription's end. */
    static void watch(final World world, final Subscriber subscriber, final InboundLink link) {
        world.linkEnds().put(link.attachment(), new LinkEnd(link.attachment(), false, subscriber.process()));
    }

    /** Everything is closed: all ends must be over, and all connections of those who live. */
    static void checkOver(final World world) {
        for (final LinkEnd end : world.linkEnds().values()) {
            final State state = end.isOfPublication ? State.ofPublication(end.link) : State.ofSubscription(end.link);
            if (end.process.isAlive() && state != State.PUBLICATION_GONE && state != State.SUBSCRIPTION_GONE) {
                throw new AssertionError("everything is closed, and a link is " + state + ": " + end.link);
            }
        }
        world.publishers().stream().filter(Publisher::isAlive).forEach(publisher -> {
            final boolean hasLost =
                publisher.process().transport().counters().get(TransportCounter.LINGER_EXPIRED) > 0;
            if (!publisher.publication().isDrained() && !hasLost || !publisher.state().isReleased()) {
                throw new AssertionError("everything is closed, and a publication is not over: " + publisher);
            }
        });
    }

    /** An operation of a process's queue pair is struck: the end that it belongs to, if there still is one. */
    static void strike(final World world, final Fault fault, final SimulatedProcess process, final int queuePair) {
        for (final Publisher publisher : world.publishers()) {
            if (publisher.process() == process) {
                for (final Object link : Internals.links(publisher.state())) {
                    if (Internals.queuePairOfPublication(link) == queuePair) {
                        world.coverage().strike(fault, State.ofPublication(link));
                        return;
                    }
                }
            }
        }
        for (final Subscriber subscriber : world.subscribers()) {
            if (subscriber.process() == process) {
                for (final Object link : Internals.links(subscriber.state())) {
                    if (Internals.queuePairOfSubscription(link) == queuePair) {
                        world.coverage().strike(fault, State.ofSubscription(link));
                        return;
                    }
                }
            }
        }
    }

    /** A process is struck: both ends of all links that have one there. */
    static void strike(final World world, final Fault fault, final SimulatedProcess process) {
        for (final Publisher publisher : world.publishers()) {
            for (final Subscriber subscriber : world.subscribers()) {
                if (publisher.process() == process || subscriber.process() == process) {
                    strike(world, fault, publisher, subscriber);
                }
            }
        }
    }

    /** Everything is struck. */
    static void strike(final World world, final Fault fault) {
        for (final Publisher publisher : world.publishers()) {
            for (final Subscriber subscriber : world.subscribers()) {
                strike(world, fault, publisher, subscriber);
            }
        }
    }

    /** A subscription is struck: its links' ends, and those of the publications. */
    static void strike(final World world, final Fault fault, final Subscriber subscriber) {
        for (final Publisher publisher : world.publishers()) {
            strike(world, fault, publisher, subscriber);
        }
    }

    /** A publication is struck: its links' ends, and those of the subscriptions. */
    static void strike(final World world, final Fault fault, final Publisher publisher) {
        for (final Subscriber subscriber : world.subscribers()) {
            strike(world, fault, publisher, subscriber);
        }
    }

    private static void strike(
        final World world, final Fault fault, final Publisher publisher, final Subscriber subscriber) {
        if (publisher.isAlive()) {
            for (final Object link : Internals.links(publisher.state())) {
                if (Internals.isOfSubscription(link, subscriber.state())) {
                    world.coverage().strike(fault, State.ofPublication(link));
                }
            }
        }
        if (subscriber.process().isAlive()) {
            for (final Object link : Internals.links(subscriber.state())) {
                if (Internals.sessionIdOf(link) == publisher.publication().sessionId()) {
                    world.coverage().strike(fault, State.ofSubscription(link));
                }
            }
        }
    }
}

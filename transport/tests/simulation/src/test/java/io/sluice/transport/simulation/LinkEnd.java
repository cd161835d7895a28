package io.sluice.transport.simulation;

import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.status.TransportCounter;
import java.util.List;
import java.util.Locale;

/** One end of a link, as the conductor of its process sees it. */
final class LinkEnd {
    /** The standing of an end: the states of a publication's end, in their order, and those of a subscription's. */
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

        private static final State[] VALUES = values();

        private static State ofPublication(final Object link) {
            return VALUES[Internals.publicationLinkState(link).ordinal()];
        }

        static State ofSubscription(final Object link) {
            return VALUES[SUBSCRIPTION_PREPARING.ordinal() + Internals.subscriptionLinkState(link).ordinal()];
        }

        /** The text for the head of a table. */
        String column() {
            return (isOfPublication() ? "p:" : "s:")
                + name().substring(name().indexOf('_') + 1).toLowerCase(Locale.ROOT);
        }

        boolean isOfPublication() {
            return compareTo(SUBSCRIPTION_PREPARING) < 0;
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
        world.linkEnds().put(link.owner(), new LinkEnd(link.owner(), false, subscriber.process()));
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

    /** Whether some link of a subscription is in none of the states that last. */
    static boolean isAnyPassing(final Subscriber subscriber) {
        for (final Object link : Internals.links(subscriber.state())) {
            final State state = State.ofSubscription(link);
            if (state.compareTo(State.SUBSCRIPTION_BROKEN) <= 0 && state != State.SUBSCRIPTION_ACTIVE) {
                return true;
            }
        }
        return false;
    }

    /** Whether some link of a publication is in a state. */
    static boolean isAny(final Publisher publisher, final State state) {
        for (final Object link : Internals.links(publisher.state())) {
            if (State.ofPublication(link) == state) {
                return true;
            }
        }
        return false;
    }

    /** Whether all links that a publication has or makes are at work. */
    static boolean areActive(final Publisher publisher) {
        return Internals.links(publisher.state()).stream()
            .allMatch(link -> State.ofPublication(link) == State.PUBLICATION_ACTIVE);
    }

    SimulatedProcess process() {
        return process;
    }

    /** Whether this is an end of a link to a subscription. */
    boolean isOf(final Subscriber subscriber) {
        return isOfPublication ? Internals.isOfSubscription(link, subscriber.state())
            : Internals.links(subscriber.state()).contains(link);
    }

    /** An end of somebody who lives that is in a state, or null. */
    static LinkEnd find(final World world, final State state) {
        for (final Publisher publisher : state.isOfPublication() ? world.publishers() : List.<Publisher>of()) {
            if (publisher.isAlive()) {
                for (final Object link : Internals.links(publisher.state())) {
                    if (State.ofPublication(link) == state) {
                        return new LinkEnd(link, true, publisher.process());
                    }
                }
            }
        }
        for (final Subscriber subscriber : state.isOfPublication() ? List.<Subscriber>of() : world.subscribers()) {
            if (subscriber.process().isAlive()) {
                for (final Object link : Internals.links(subscriber.state())) {
                    if (State.ofSubscription(link) == state) {
                        return new LinkEnd(link, false, subscriber.process());
                    }
                }
            }
        }
        return null;
    }

    /** Whether an end that a process has is in none of the states that last. */
    static boolean isAnyPassing(final World world, final SimulatedProcess process) {
        for (final State state : State.values()) {
            if (state != State.PUBLICATION_ACTIVE && state != State.SUBSCRIPTION_ACTIVE) {
                final LinkEnd end = find(world, state);
                if (end != null && end.process == process) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The state of the end that a process's queue pair belongs to, or null when there is none any more. */
    static State stateOf(final World world, final SimulatedProcess process, final int queuePair) {
        for (final Publisher publisher : world.publishers()) {
            if (publisher.process() == process) {
                for (final Object link : Internals.links(publisher.state())) {
                    if (Internals.queuePairOfPublication(link) == queuePair) {
                        return State.ofPublication(link);
                    }
                }
            }
        }
        for (final Subscriber subscriber : world.subscribers()) {
            if (subscriber.process() == process) {
                for (final Object link : Internals.links(subscriber.state())) {
                    if (Internals.queuePairOfSubscription(link) == queuePair) {
                        return State.ofSubscription(link);
                    }
                }
            }
        }
        return null;
    }

    /** Whether a subscription's queue pair reports to a publication that was closed. */
    static boolean isOfClosed(final World world, final SimulatedProcess process, final int queuePair) {
        for (final Subscriber subscriber : world.subscribers()) {
            if (subscriber.process() == process) {
                for (final Object link : Internals.links(subscriber.state())) {
                    if (Internals.queuePairOfSubscription(link) == queuePair) {
                        return world.publisher(Internals.sessionIdOf(link)).publication().isClosed();
                    }
                }
            }
        }
        return false;
    }

    /** An operation of a process's queue pair is struck: the end that it belongs to, if there still is one. */
    static void strike(final World world, final Fault fault, final SimulatedProcess process, final int queuePair) {
        final State state = stateOf(world, process, queuePair);
        if (state != null) {
            world.strike(fault, state);
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

    /** A subscription is struck by what its peers need not hear of: its links' ends alone. */
    static void strikeOwn(final World world, final Fault fault, final Subscriber subscriber) {
        for (final Object link : Internals.links(subscriber.state())) {
            world.strike(fault, State.ofSubscription(link));
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
                    world.strike(fault, State.ofPublication(link));
                }
            }
        }
        if (subscriber.process().isAlive()) {
            for (final Object link : Internals.links(subscriber.state())) {
                if (Internals.sessionIdOf(link) == publisher.publication().sessionId()) {
                    world.strike(fault, State.ofSubscription(link));
                }
            }
        }
    }
}

package io.sluice.transport;

import io.sluice.transport.agent.IdleStrategies;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * The graph of the handlers that get the messages of a subscription, each on a thread of its own, and of which of them
 * wait for others: in the Disruptor's words.
 * <pre>
 *   graph.handleEventsWith(a, b)                 a and b in parallel
 *   graph.handleEventsWith(a).then(b)            b sees a message when a is done with it
 *   graph.handleEventsWith(a, b).then(c)         a diamond: c sees it when both are done with it
 *   graph.after(a).handleEventsWith(d)           one more that depends on a
 * </pre>
 * Bytes of a message are reused when every handler is done with it. One thread builds a graph, which then serves one
 * subscription, see {@link Transport#addSubscription(String, int, HandlerGraph)}. That refuses a graph in which two
 * handlers are dispatchers, under whatever names, that have a decoder in common.
 */
public final class HandlerGraph {
    private List<Node> nodes = new ArrayList<>();
    private String waitStrategy;
    private boolean used;

    /**
     * A graph without handlers.
     */
    public HandlerGraph() {
    }

    /**
     * Add handlers that wait for no other: all of them, or none when one is refused.
     *
     * @param handlers at least one, each once in a graph.
     * @return the group of them.
     * @throws IllegalArgumentException when a handler, or one of its name, is there already.
     * @throws IllegalStateException    when there is no handler, or the graph serves a subscription already.
     */
    public Group handleEventsWith(final MessageEventHandler... handlers) {
        return add(List.of(), handlers);
    }

    /**
     * The group of handlers that are there already.
     *
     * @param handlers at least one.
     * @return the group of them.
     * @throws IllegalArgumentException when a handler is not in the graph, or there is none.
     */
    public Group after(final MessageEventHandler... handlers) {
        if (handlers.length == 0) {
            throw new IllegalArgumentException("whom to wait for: handlers=0");
        }
        final List<Node> found = new ArrayList<>();
        for (final MessageEventHandler handler : handlers) {
            final Node node = find(nodes, Objects.requireNonNull(handler, "handler"));
            if (node == null) {
                throw new IllegalArgumentException("not a handler of this graph: handler=" + handler);
            }
            found.add(node);
        }
        return new Group(found);
    }

    /**
     * Chooses the wait strategy: what the consumers do with their cores while no message waits.
     *
     * @param name {@code busy-spin}, {@code yielding}, {@code backoff} and {@code sleeping}, which sleep after a second
     *             without a message until the poller, or a handler that this one waits for, wakes them, or
     *             {@code blocking}, which spins for some tens of microseconds before it sleeps so. Left out:
     *             {@code backoff} behind a poller in SPIN mode, else {@code blocking}.
     * @return this.
     * @throws IllegalArgumentException when there is no such strategy; the message lists those there are.
     */
    public HandlerGraph waitStrategy(final String name) {
        waitStrategy = IdleStrategies.checkOfConsumer("waitStrategy", Objects.requireNonNull(name, "name"));
        return this;
    }

    private Group add(final List<Node> predecessors, final MessageEventHandler... handlers) {
        if (used || handlers.length == 0) {
            throw new IllegalStateException("nothing can be added: handlers=" + handlers.length + " used=" + used
                + (used ? "; make another graph, this one serves a subscription" : "; name one at least"));
        }
        // the graph gets them together: a call that is refused leaves it as it was
        final List<Node> next = new ArrayList<>(nodes);
        for (final MessageEventHandler handler : handlers) {
            Objects.requireNonNull(handler, "handler");
            if (find(next, handler) != null) {
                throw new IllegalArgumentException("a handler is in a graph once: handler=" + handler);
            }
            final String name = handler.name().isEmpty() ? String.valueOf(next.size()) : handler.name();
            if (next.stream().anyMatch(node -> node.name.equals(name))) {
                throw new IllegalArgumentException("a name is in a graph once: name=" + name
                    + "; it tells handlers apart in counters, errors and the names of threads");
            }
            next.add(new Node(next.size(), name, handler, predecessors));
        }
        final Group added = new Group(next.subList(nodes.size(), next.size()));
        nodes = next;
        return added;
    }

    private static Node find(final List<Node> nodes, final MessageEventHandler handler) {
        for (final Node node : nodes) {
            if (node.handler == handler) {
                return node;
            }
        }
        return null;
    }

    /** The name of the wait strategy behind a poller in this mode. */
    String waitStrategy(final CompletionMode mode) {
        if (waitStrategy != null) {
            return waitStrategy;
        }
        return mode == CompletionMode.SPIN ? Configuration.POLLER_IDLE_STRATEGY_DEFAULT : IdleStrategies.BLOCKING;
    }

    /** The handlers, each behind those that it waits for; throws when they cannot serve a subscription. */
    List<Node> usable() {
        if (used || nodes.isEmpty()) {
            throw new IllegalStateException("a graph has handlers and serves one subscription: handlers="
                + nodes.size() + " used=" + used
                + (used ? "; make one of its own for each" : "; call handleEventsWith first"));
        }
        checkDecoders();
        return nodes;
    }

    /**
     * Refuses a decoder that two handlers have. Also one that waits for the other is at another message meanwhile.
     * Decoders are registered after the dispatcher was added, too, so that this is asked at the end.
     */
    private void checkDecoders() {
        final Map<MessageDecoderFlyweight, Node> owners = new IdentityHashMap<>();
        for (final Node node : nodes) {
            for (final MessageDecoderFlyweight decoder : node.decoders()) {
                final Node other = owners.put(decoder, node);
                if (other != null) {
                    throw new IllegalArgumentException("a decoder is in a graph once: decoder="
                        + decoder.getClass().getName() + " handlers=" + List.of(other.name, node.name)
                        + "; each runs on a thread of its own, and they would wrap it at the same time");
                }
            }
        }
    }

    /** Whether a subscription has its handlers from now on: no other one gets them. */
    void used(final boolean isUsed) {
        used = isUsed;
    }

    @Override
    public String toString() {
        return "HandlerGraph{handlers=" + nodes + " waitStrategy=" + waitStrategy + " used=" + used + "}";
    }

    /** A handler and those that it waits for. */
    record Node(int index, String name, MessageEventHandler handler, List<Node> predecessors) {
        /** The decoders of a handler that is a dispatcher, under another name or not. */
        private List<MessageDecoderFlyweight> decoders() {
            MessageEventHandler inner = handler;
            while (inner instanceof final NamedEventHandler named) {
                inner = named.handler();
            }
            return inner instanceof final MessageDispatcher dispatcher ? dispatcher.decoders() : List.of();
        }

        @Override
        public String toString() {
            return predecessors.isEmpty()
                ? name : name + " after " + predecessors.stream().map(Node::name).toList();
        }
    }

    /**
     * Handlers of a graph, for others to wait for. The thread that builds the graph uses it.
     */
    public final class Group {
        private final List<Node> members;

        private Group(final List<Node> members) {
            this.members = List.copyOf(members);
        }

        /**
         * Add handlers that see a message when all handlers of this group are done with it: all of them, or none when
         * one is refused.
         *
         * @param handlers at least one, each once in a graph.
         * @return the group of them.
         * @throws IllegalArgumentException when a handler, or one of its name, is there already.
         * @throws IllegalStateException    when there is no handler, or the graph serves a subscription already.
         */
        public Group then(final MessageEventHandler... handlers) {
            return add(members, handlers);
        }

        /**
         * Adds handlers as {@link #then} does, under another name.
         *
         * @param handlers at least one, each once in a graph.
         * @return the group of them.
         * @throws IllegalArgumentException when a handler, or one of its name, is there already.
         * @throws IllegalStateException    when there is no handler, or the graph serves a subscription already.
         */
        public Group handleEventsWith(final MessageEventHandler... handlers) {
            return then(handlers);
        }

        private HandlerGraph graph() {
            return HandlerGraph.this;
        }

        /**
         * Put two groups together.
         *
         * @param other of the same graph.
         * @return the group of the handlers of both.
         * @throws IllegalArgumentException when the other group is of another graph.
         */
        public Group and(final Group other) {
            if (other.graph() != HandlerGraph.this) {
                throw new IllegalArgumentException("not a handler of this graph: handler=" + other.members.getFirst());
            }
            final List<Node> all = new ArrayList<>(members);
            all.addAll(other.members);
            return new Group(all);
        }

        @Override
        public String toString() {
            return "Group{handlers=" + members + "}";
        }
    }
}

package io.sluice.transport.flight;

import io.sluice.transport.status.BackPressure;
import io.sluice.transport.status.ConsumerEviction;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterType;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Commits what happens to one transport to the recordings of the JVM's flight recorder. Each call costs one check while
 * no recording asks for that event. Called where the transport counts or reports the same, on the conductor: never on
 * the way of a message. A failure goes to the error handler, and whoever called goes on. Owns nothing.
 */
public final class FlightEvents {
    private final String client;
    private final Supplier<String> folder;
    private final Consumer<Throwable> errors;
    /** An event that is never committed, asked whether a recording wants any of its kind. */
    private final SlowHandlerEvent slowHandler = new SlowHandlerEvent();
    /** An event that is never committed either, for latencies, of which many are told at a time. */
    private final LatencyEvent latency = new LatencyEvent();

    /**
     * Creates the events of a transport, of which none is committed yet.
     *
     * @param client that the transport is told from others by, for people.
     * @param folder tells the folder of its counters, which is another one when somebody has removed that.
     * @param errors told of what goes wrong with an event.
     */
    public FlightEvents(final String client, final Supplier<String> folder, final Consumer<Throwable> errors) {
        this.client = client;
        this.folder = folder;
        this.errors = errors;
    }

    /**
     * Tells that an image is shown to the application.
     *
     * @param link     of the image.
     * @param position where it joins the stream, in bytes.
     */
    public void imageAvailable(final LinkName link, final long position) {
        record(new ImageAvailableEvent(), event -> {
            event.of(link);
            event.position = position;
        });
    }

    /**
     * Tells that an image has ended for the application.
     *
     * @param link     of the image.
     * @param position up to which it was consumed, in bytes.
     */
    public void imageUnavailable(final LinkName link, final long position) {
        record(new ImageUnavailableEvent(), event -> {
            event.of(link);
            event.position = position;
        });
    }

    /**
     * Tells that a link has broken.
     *
     * @param link   that worked.
     * @param reason by its name.
     * @param epoch  that has ended.
     */
    public void linkBroken(final LinkName link, final Enum<?> reason, final long epoch) {
        record(new LinkBrokenEvent(), event -> {
            event.of(link);
            event.reason = reason.name();
            event.epoch = epoch;
        });
    }

    /**
     * Tells that a link goes on after a break.
     *
     * @param link  that was broken.
     * @param epoch that has begun.
     */
    public void linkResumed(final LinkName link, final long epoch) {
        record(new LinkResumedEvent(), event -> {
            event.of(link);
            event.epoch = epoch;
        });
    }

    /**
     * Tells that a link is given up or lost.
     *
     * @param link        that was established once.
     * @param reason      why, for people.
     * @param lastBreak   reason of the last break; null when there was none.
     * @param bytesBehind that are known not to be consumed.
     */
    public void linkGivenUp(
        final LinkName link, final String reason, final Enum<?> lastBreak, final long bytesBehind) {
        record(new LinkGivenUpEvent(), event -> {
            event.of(link);
            event.reason = reason;
            event.lastBreak = lastBreak == null ? "" : lastBreak.name();
            event.bytesBehind = bytesBehind;
        });
    }

    /**
     * Tells that the pressure on a stream has changed.
     *
     * @param change asked for only when a recording wants it.
     */
    public void pressureChanged(final Supplier<BackPressure> change) {
        record(new PressureChangedEvent(), event -> {
            final BackPressure pressure = change.get();
            event.channel = pressure.channel();
            event.streamId = pressure.streamId();
            event.sessionId = pressure.sessionId();
            event.side = pressure.side().name();
            event.state = pressure.state().name();
            event.previous = pressure.previous().name();
            event.cause = pressure.cause().name();
            event.laggard = pressure.laggard();
            event.bytesBehind = pressure.bytesBehind();
            event.lasted = pressure.durationNs();
        });
    }

    /**
     * Tells that a consumer was evicted.
     *
     * @param channel  of its subscription, as it was added.
     * @param eviction that its listeners are told of.
     */
    public void consumerEvicted(final String channel, final ConsumerEviction eviction) {
        record(new ConsumerEvictedEvent(), event -> {
            event.channel = channel;
            event.streamId = eviction.streamId();
            event.consumer = eviction.consumer();
            event.dependants = String.join(",", eviction.dependants());
            event.eventsBehind = eviction.eventsBehind();
            event.slowFor = eviction.slowNs();
        });
    }

    /**
     * Tells that a completion queue has overrun.
     *
     * @param owner    that it belongs to, for people.
     * @param capacity completions that it had room for.
     */
    public void completionQueueOverrun(final String owner, final int capacity) {
        record(new CompletionQueueOverrunEvent(), event -> {
            event.owner = owner;
            event.capacity = capacity;
        });
    }

    /**
     * Tells that a peer was refused.
     *
     * @param peer   by what it is told from others; it has no part in how long that is.
     * @param reason by its name.
     * @param text   for people.
     */
    public void peerRefused(final String peer, final Enum<?> reason, final String text) {
        record(new PeerRefusedEvent(), event -> {
            event.peer = peer;
            event.reason = reason.name();
            event.text = text;
        });
    }

    /**
     * Tells that the conductor has not run for too long.
     *
     * @param stalledNs since its cycle before began, in nanoseconds.
     * @param limitNs   that is not taken for a stall, in nanoseconds.
     */
    public void conductorStalled(final long stalledNs, final long limitNs) {
        record(new ConductorStallEvent(), event -> {
            event.stalledFor = stalledNs;
            event.limit = limitNs;
        });
    }

    /** {@return whether a recording wants to know of latencies} */
    public boolean isTellingLatencies() {
        return latency.isEnabled();
    }

    /**
     * Tells how long messages of a subscription took.
     *
     * @param channel  of the subscription, as it was added.
     * @param key      of its counters.
     * @param consumer that has handled the messages; null when they have only arrived.
     * @param values   of the counters of latencies, asked for only when a recording wants them.
     */
    public void latency(
        final String channel, final CounterKey key, final String consumer, final ToLongFunction<CounterType> values) {
        record(new LatencyEvent(), event -> {
            event.channel = channel;
            event.streamId = key.streamId();
            event.subscriptionId = key.subscriptionId();
            event.stage = consumer == null ? "ARRIVED" : "HANDLED";
            event.consumer = consumer == null ? "" : consumer;
            event.messages = values.applyAsLong(CounterType.LATENCY_MESSAGES);
            event.negative = values.applyAsLong(CounterType.LATENCY_NEGATIVE);
            event.recentP50 = timespan(values.applyAsLong(CounterType.LATENCY_RECENT_P50));
            event.recentP99 = timespan(values.applyAsLong(CounterType.LATENCY_RECENT_P99));
            event.recentP999 = timespan(values.applyAsLong(CounterType.LATENCY_RECENT_P999));
            event.recentMax = timespan(values.applyAsLong(CounterType.LATENCY_RECENT_MAX));
            event.p50 = timespan(values.applyAsLong(CounterType.LATENCY_P50));
            event.p99 = timespan(values.applyAsLong(CounterType.LATENCY_P99));
            event.p999 = timespan(values.applyAsLong(CounterType.LATENCY_P999));
            event.max = timespan(values.applyAsLong(CounterType.LATENCY_MAX));
        });
    }

    /** A time as the recorder has it: with this number it says that there is none. */
    private static long timespan(final long ns) {
        return ns < 0 ? Long.MIN_VALUE : ns;
    }

    /** {@return whether a recording wants to know of slow handlers} */
    public boolean isWatchingHandlers() {
        return slowHandler.isEnabled();
    }

    /**
     * Watches one consumer.
     *
     * @param channel  of its subscription, as it was added.
     * @param streamId within the channel.
     * @param consumer by its name.
     * @return the watch, for the conductor, which has seen nothing.
     */
    public HandlerWatch watch(final String channel, final int streamId, final String consumer) {
        return new HandlerWatch(this, channel, streamId, consumer);
    }

    /** Commits an event that has ended, if it has lasted for long enough. */
    void commit(final SlowHandlerEvent event) {
        if (event.shouldCommit()) {
            record(event, _ -> { });
        }
    }

    private <E extends TransportEvent> void record(final E event, final Consumer<E> details) {
        if (event.isEnabled()) {
            try {
                event.client = client;
                event.folder = folder.get();
                details.accept(event);
                event.commit();
            } catch (final Throwable ex) {
                errors.accept(ex);
            }
        }
    }
}

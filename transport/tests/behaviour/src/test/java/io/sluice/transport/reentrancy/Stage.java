package io.sluice.transport.reentrancy;

import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.transport.BufferClaim;
import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.MessageDispatcher;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.MarketMessages;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A transport with what the calls of one {@link Place} are made on: its own subscription, fed by the thread that
 * drives; another one, fed and polled by the calls; and the calls that are still to be made. What they do is said in
 * lines, each call before it is made and after it.
 */
final class Stage {
    static final int OWN_STREAM = 1;
    static final int OTHER_STREAM = 2;
    static final int ADDED_STREAM = 3;

    private static final long DEADLINE_SECONDS = 90;

    final Transport transport;
    /** Another transport, which only the calls drive. */
    final Transport stranger;
    final ExclusivePublication exclusive;
    final Publication shared;
    final Subscription other;
    final Image otherImage;
    final BufferClaim claim = new BufferClaim();
    final UnsafeBuffer message = new UnsafeBuffer(MarketMessages.trade(0));
    final List<Throwable> errors = new CopyOnWriteArrayList<>();

    private final Column column;
    private final Path directory;
    private final long lingerTimeoutNs;
    private final Queue<Call> calls = new ArrayDeque<>();
    private final List<Long> handled = new ArrayList<>();
    private final TradeDecoder trade = new TradeDecoder();
    private ExclusivePublication feed;
    private long fed;
    private boolean mayAbandon;
    private volatile Subscription own;
    private volatile Image image;
    private volatile HandlerGraph graph;
    private volatile Runnable onError = () -> { };
    private volatile Runnable onPressure = () -> { };
    private volatile int left;

    Stage(final Column column, final Path directory, final long lingerTimeoutNs, final List<Call> calls) {
        this.column = column;
        this.directory = directory;
        this.lingerTimeoutNs = lingerTimeoutNs;
        this.calls.addAll(calls);
        left = calls.size();
        transport = Transport.launch(context().threadingMode(column.threadingMode())
            .backPressureListener(change -> onPressure.run()));
        stranger = Transport.launch(context().threadingMode(ThreadingMode.INVOKER));
        other = transport.addSubscription(channel("other", "mode=invoker"), OTHER_STREAM);
        exclusive = transport.addExclusivePublication(channel("other", "linger=1ms|window=64k"), OTHER_STREAM);
        shared = transport.addPublication(channel("other", "linger=1ms|window=64k"), OTHER_STREAM);
        await("the other subscription", () -> other.imageCount() == 2 && exclusive.isConnected()
            && shared.isConnected());
        otherImage = other.images().getFirst();
    }

    Context context() {
        final Timeouts timeouts = new Timeouts().lingerTimeoutNs(lingerTimeoutNs);
        return new Context().directory(directory).timeouts(timeouts).errorHandler(error -> {
            errors.add(error);
            onError.run();
        });
    }

    String channel(final String endpoint, final String parameters) {
        return "sluice:ipc?endpoint=" + endpoint + "|log=" + column.log() + (parameters.isEmpty() ? "" : "|")
            + parameters;
    }

    /** Add the place's own subscription, to be polled. */
    Subscription subscribe(final String mode) {
        own = transport.addSubscription(channel("own", "mode=" + mode), OWN_STREAM, null, seen -> image = seen, null);
        return own;
    }

    /** Add the place's own subscription, with a graph. */
    Subscription subscribe(final HandlerGraph handlers) {
        graph = handlers;
        own = transport.addSubscription(channel("own", ""), OWN_STREAM, handlers, seen -> image = seen, null);
        return own;
    }

    /** A handler runs before the subscription is known: on another thread it can wait for that. */
    void awaitOwn() {
        if (column.threadingMode() == ThreadingMode.DEDICATED) {
            Await.until("the subscription", () -> own != null);
        }
    }

    void own(final Subscription subscription) {
        own = subscription;
    }

    void image(final Image seen) {
        image = seen;
    }

    void onError(final Runnable action) {
        onError = action;
    }

    void onPressure(final Runnable action) {
        onPressure = action;
    }

    /** Publish to the place's own subscription. */
    ExclusivePublication publish(final String window) {
        feed = transport.addExclusivePublication(channel("own", "linger=1ms|window=" + window), OWN_STREAM);
        return feed;
    }

    /** Run the agents, if nobody else does. */
    private void drive() {
        if (column.threadingMode() == ThreadingMode.INVOKER) {
            transport.doWork();
        }
    }

    void await(final String what, final BooleanSupplier condition) {
        Await.until(() -> what, () -> {
            drive();
            return condition.getAsBoolean();
        }, DEADLINE_SECONDS);
    }

    /** Feed one message after the other until every call was made, each from a message's handler. */
    void feedUntilOver(final Runnable consume) {
        await("all calls", () -> {
            final boolean isOver = left == 0;
            if (!isOver) {
                offerNext();
            }
            consume.run();
            return isOver;
        });
    }

    /** Offer the next message to the place's own subscription. */
    long offerNext() {
        final long result = feed.offer(new UnsafeBuffer(MarketMessages.trade(fed)));
        fed += result > 0 ? 1 : 0;
        return result;
    }

    /** A claim is open when the transport closes: its memory is left to whoever may write to it. */
    void mayAbandon() {
        mayAbandon = true;
    }

    void awaitOver() {
        await("all calls", () -> left == 0);
    }

    /** The place has a message: make the next call. */
    void onMessage(final DirectBuffer buffer, final int offset) {
        onTrade(trade.wrap(buffer, offset + MessageDispatcher.HEADER_LENGTH, TradeDecoder.BLOCK_LENGTH,
            TradeDecoder.SCHEMA_VERSION));
    }

    /** The place has a decoded message: make the next call. */
    void onTrade(final TradeDecoder decoded) {
        handled.add(decoded.tradeId());
        call();
    }

    /** A call has polled a message of the place's own subscription. */
    void record(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        handled.add(trade.wrap(buffer, offset + MessageDispatcher.HEADER_LENGTH, TradeDecoder.BLOCK_LENGTH,
            TradeDecoder.SCHEMA_VERSION).tradeId());
    }

    /** Make the next call. */
    void call() {
        final Call call = calls.poll();
        if (call != null) {
            Cells.announce(call.name());
            Cells.tell(call.name(), call.on(this));
            left = calls.size();
        }
    }

    /** Make all calls. */
    void callAll() {
        while (!calls.isEmpty()) {
            call();
        }
    }

    Subscription own() {
        return own;
    }

    Image image() {
        return image;
    }

    HandlerGraph graph() {
        return graph;
    }

    ExclusivePublication feed() {
        return feed;
    }

    /** {@return all that the place's handler was given, if not each once and in order; nothing if all is well} */
    private String disorder() {
        final List<Long> expected = LongStream.range(0, handled.size()).boxed().toList();
        return handled.equals(expected) ? "" : "handled " + handled;
    }

    /** Close everything from outside, and say what is not as it should be. */
    void end() {
        final StringBuilder problems = new StringBuilder(disorder());
        try {
            transport.close();
            stranger.close();
        } catch (final Throwable ex) {
            problems.append(" close: ").append(ex);
        }
        if (transport.counters().get(TransportCounter.MEMORY_ABANDONED) > 0 && !mayAbandon) {
            problems.append(" memory abandoned: ").append(errors);
        }
        Cells.end(problems.toString().strip());
    }
}

package io.sluice.transport.simulation;

import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Image;
import io.sluice.transport.Subscription;
import io.sluice.transport.receive.ImagePositions;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.stream.SubscriptionState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A subscription, who reads it, and what each of its images has delivered. */
final class Subscriber {
    /** A subscription whose messages are handled by the thread that polls. */
    static final String INVOKER = "invoker";
    /** A subscription with two handlers in parallel, and a third behind them. */
    static final String GRAPH = "graph";
    private static final int HOLD_MAX_STEPS = 400;
    /** Far below the time in which a link must resume, for which callbacks may be needed. */
    private static final long HOLD_MAX_NS = 2_000_000;
    /** A window of which less than that part is left holds its publication up. */
    private static final int WINDOW_PARTS = 8;

    private final World world;
    private final SimulatedProcess process;
    private final String name;
    private final List<Reader> readers = new ArrayList<>();
    private final List<ReadingHandler> handlers = new ArrayList<>();
    private final List<ImageRun> runs = new ArrayList<>();
    private final boolean hasTag;
    private final boolean evicts;
    private final SplittableRandom random;
    private final int evictAfterMs;
    private final Subscription subscription;
    private int evicted;
    private boolean closed;
    private boolean replaced;

    Subscriber(final World world, final SimulatedProcess process, final String role, final String mode) {
        this.world = world;
        this.process = process;
        name = role + "@" + process.id();
        random = world.newRandom();
        hasTag = random.nextBoolean();
        evicts = random.nextBoolean() && world.scenario().evictions() && !world.scenario().invoker()
            && !mode.equals(INVOKER);
        evictAfterMs = 1 + random.nextInt(Scenario.EVICT_AFTER_MAX_MS);
        world.subscribers().add(this);
        subscription = mode.equals(GRAPH) ? subscribeGraph() : subscribe(mode);
    }

    private Subscription subscribe(final String mode) {
        readers.add(new Reader(world, this, name, 0));
        final Subscription added = process.transport().addSubscription(
            channel(mode), Scenario.STREAM_ID, this::onAvailable, this::onUnavailable);
        world.machine().start(new PollingAgent(world, readers.getFirst(), added));
        return added;
    }

    private Subscription subscribeGraph() {
        readers.add(new Reader(world, this, name + " a", 0));
        readers.add(new Reader(world, this, name + " b", 1));
        readers.add(new Reader(world, this, name + " c", 2, 0, 1));
        handlers.add(new ReadingHandler(readers.get(0), "a"));
        handlers.add(new ReadingHandler(readers.get(1), "b"));
        handlers.add(new ReadingHandler(readers.get(2), "c"));
        final HandlerGraph graph = new HandlerGraph();
        graph.handleEventsWith(handlers.get(0), handlers.get(1)).then(handlers.get(2));
        return process.transport().addSubscription(
            channel("dedicated"), Scenario.STREAM_ID, graph, this::onAvailable, this::onUnavailable);
    }

    private String channel(final String mode) {
        final String more = "|mode=" + mode + "|ring=" + world.scenario().ring() + (hasTag ? Scenario.GROUP_TAG : "");
        return evicts ? world.scenario().copiedChannel(more + "|slow=evict|evict-after=" + evictAfterMs
            + "ms|evict-timeout=" + Scenario.EVICT_TIMEOUT_MS + "ms") : world.scenario().channel(more);
    }

    private void onAvailable(final Image image) {
        world.trace().event(name, "image available: joinPosition={} images={}", image.joinPosition(), runs.size());
        runs.add(new ImageRun(image, world.publisher(image.sessionId()), readers.size(), this::hasLeft));
    }

    private void onUnavailable(final Image image) {
        world.trace().event(
            name, "image unavailable: position={} endOfStream={}", image.position(), image.isEndOfStream() ? 1 : 0);
        final ImageRun run = run(image);
        run.onUnavailable();
        if (image.isEndOfStream() && !world.scenario().mayLoseImages() && !run.isComplete()) {
            throw world.machine().fail(new AssertionError(name + ": the stream has ended before its end: " + run));
        }
        holdAtTimes();
    }

    /** Others go on meanwhile: the link is not over before whoever was told of it is. */
    private void holdAtTimes() {
        final int steps = world.isCalm() || world.scenario().invoker() ? 0 : random.nextInt(HOLD_MAX_STEPS);
        final long untilNs = world.machine().nowNs() + HOLD_MAX_NS;
        for (int i = 0; i < steps && world.machine().nowNs() < untilNs; i++) {
            world.machine().step();
        }
    }

    /** The record of what an image has delivered. */
    ImageRun run(final Image image) {
        for (final ImageRun run : runs) {
            if (run.image() == image) {
                return run;
            }
        }
        throw new AssertionError(name + ": an image that was never made available: " + image);
    }

    /** Whether a reader does not gate its ring any more. */
    private boolean hasLeft(final int reader) {
        return evicts && Internals.hasLeft(state(), reader);
    }

    /** Notices consumers that are evicted, after a step. */
    void watchEvictions() {
        final int before = evicted;
        evicted = evicts && process.isAlive() ? Internals.evicted(state()) : 0;
        if (evicted > before) {
            world.trace().event(name, "consumers evicted: {}", evicted, 0);
            LinkEnd.strikeOwn(world, Fault.CONSUMER_EVICTED, this);
        }
    }

    /** Whether its last consumer was evicted, and nobody has come in its place. */
    boolean isToBeReplaced() {
        return process.isAlive() && subscription.isClosed() && !closed && !replaced;
    }

    void onReplaced() {
        replaced = true;
    }

    void close() {
        closed = true;
        world.trace().event(name, "closes", 0, 0);
        subscription.close();
    }

    /** Whether its process lives and it was not closed. */
    boolean isOpen() {
        return process.isAlive() && !subscription.isClosed();
    }

    /** Whether one image delivers the stream that is being published, and all others are over. */
    boolean isComplete() {
        ImageRun current = null;
        int available = 0;
        for (final ImageRun run : runs) {
            // not always the last one: an image of the publication before may become available after it
            current = run.publisher() == world.publisher() ? run : current;
            available += run.isUnavailable() ? 0 : 1;
        }
        return current != null && current.isComplete() && !current.isUnavailable() && available == 1;
    }

    boolean isEnded() {
        return runs.stream().allMatch(ImageRun::isUnavailable);
    }

    /** Checks what must hold when everything is closed. */
    void checkClosed() {
        if (!process.isAlive()) {
            return;
        }
        for (final ImageRun run : runs) {
            if (!run.isUnavailable()) {
                throw new AssertionError(name + ": an image is still available: " + run);
            }
        }
        for (final ReadingHandler handler : handlers) {
            if (!handler.hasEnded()) {
                throw new AssertionError(name + ": handler " + handler.name() + " was not shut down");
            }
        }
    }

    /** Whether the publication waits for it. */
    boolean gates() {
        return world.scenario().waitsForAll() || world.scenario().waitsForGroup() && hasTag;
    }

    boolean isGraph() {
        return !handlers.isEmpty();
    }

    boolean evicts() {
        return evicts;
    }

    /** Whether the subscriber evicts consumers that are too slow, and has not done so yet. */
    boolean mayEvict() {
        return evicts && evicted == 0 && isOpen();
    }

    /** Whether consumers hold others up: they are evicted if this lasts. */
    boolean isHeldUp() {
        return state().eventRing().isFull()
            || Arrays.stream(state().receiver().links()).anyMatch(this::isExhausted);
    }

    private boolean isExhausted(final InboundLink link) {
        final int window = world.scenario().window();
        final ImagePositions positions = link.positions();
        return positions.isJoined() && (window - (positions.received() - positions.consumed())) * WINDOW_PARTS < window;
    }

    boolean isLogShared() {
        return !evicts && world.scenario().isLogShared();
    }

    List<ImageRun> runs() {
        return runs;
    }

    SubscriptionState state() {
        return Internals.state(subscription);
    }

    SimulatedProcess process() {
        return process;
    }

    String name() {
        return name;
    }

    long held() {
        return readers.stream().mapToLong(Reader::held).sum();
    }

    @Override
    public String toString() {
        return name + (isOpen() ? "=" : " over=") + runs;
    }
}

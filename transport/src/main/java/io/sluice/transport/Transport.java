package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.environment.Worker;
import io.sluice.transport.connection.AgentMeter;
import io.sluice.transport.connection.Conductor;
import io.sluice.transport.connection.ParkingIdleStrategy;
import io.sluice.transport.connection.PublicationOptions;
import io.sluice.transport.connection.PublicationState;
import io.sluice.transport.connection.RendezvousName;
import io.sluice.transport.connection.StatusAgent;
import io.sluice.transport.connection.SubscriptionOptions;
import io.sluice.transport.connection.SubscriptionState;
import io.sluice.transport.connection.TaskAgent;
import io.sluice.transport.connection.TransportParameters;
import io.sluice.transport.receive.Poller;
import io.sluice.transport.status.StatusFiles;
import io.sluice.transport.status.TransportCounters;
import io.sluice.verbs.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.agrona.BitUtil;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;

/**
 * The entry point: one per process is enough. Any thread may add publications and subscriptions and close the
 * transport; in {@link ThreadingMode#INVOKER} one thread at a time calls everything but the data path, {@link
 * #doWork()} included.
 */
public final class Transport implements AutoCloseable {
    /** How long the conductor sleeps when nothing happens: bounds how late it notices a peer. */
    private static final long CONDUCTOR_PARK_NS = 1_000_000L;
    /** How long it sleeps while a tail waits for credit. */
    private static final long FLUSH_PARK_NS = 20_000L;
    /** How long agents sleep that are woken for every task. */
    private static final long TASK_PARK_NS = 100_000_000L;
    /** Between looks while closing. */
    private static final long CLOSE_PARK_NS = 100_000L;
    /** For what follows the linger: releasing memory, goodbyes, a handler that is still running. */
    private static final long CLOSE_GRACE_NS = 2_000_000_000L;
    /** Errors and image callbacks that may wait for user code. */
    private static final int CALLBACK_CAPACITY = 1024;

    private final Context context;
    private final Environment environment;
    private final TransportCounters counters = new TransportCounters();
    private final ProtectionDomain domain;
    private final TaskAgent setUp;
    private final TaskAgent callbacks;
    private final Conductor conductor;
    private final StatusFiles status;
    private final AgentMeter conductorAgent;
    private final AgentMeter setUpAgent;
    private final AgentMeter callbackAgent;
    private final List<AutoCloseable> workers = new ArrayList<>();
    private final Pollers pollers;
    private final Consumers consumers;
    private boolean closed;

    private Transport(final Context context, final StatusFiles status) {
        this.context = context;
        this.status = status;
        environment = context.environment();
        domain = context.device().allocateProtectionDomain();
        callbacks = new TaskAgent("sluice-callbacks", CALLBACK_CAPACITY, status.errorHandler());
        setUp = new TaskAgent("sluice-set-up", CALLBACK_CAPACITY, this::onError);
        pollers = new Pollers(context, this::onError, this::onNotice);
        consumers = new Consumers(context, this::onError);
        conductor = new Conductor(parameters(), setUp, callbacks);
        callbackAgent = new AgentMeter(callbacks, environment);
        setUpAgent = new AgentMeter(setUp, environment);
        final StatusAgent statusAgent = new StatusAgent(conductor, status, pollers.all());
        conductorAgent = new AgentMeter(statusAgent, environment);
        statusAgent.meters(List.of(conductorAgent, setUpAgent, callbackAgent));
        if (context.threadingMode() == ThreadingMode.DEDICATED) {
            callbacks.waker(start(callbackAgent, () -> TASK_PARK_NS));
            setUp.waker(start(setUpAgent, () -> TASK_PARK_NS));
            conductor.waker(
                start(conductorAgent, () -> conductor.isFlushWaiting() ? FLUSH_PARK_NS : CONDUCTOR_PARK_NS));
        }
    }

    private TransportParameters parameters() {
        return new TransportParameters(
            environment, context.device(), domain, counters, status.errorHandler(),
            context.clientName(), context.heartbeatIntervalNs(), context.livenessTimeoutNs(),
            context.resumeTimeoutNs(), context.handshakeTimeoutNs(), context.lingerTimeoutNs(),
            context.discoveryIntervalNs(), context.sendQueueLength(), context.signalInterval());
    }

    private Runnable start(final Agent agent, final LongSupplier parkTimeNs) {
        final Worker worker = environment.startWorker(
            agent, new ParkingIdleStrategy(environment, parkTimeNs), this::onError);
        workers.addFirst(worker);
        return worker::wake;
    }

    private void onError(final Throwable error) {
        conductor.reportError(error);
    }

    /** Logged elsewhere: a logger may start threads, and those of a pinned thread would share its processor. */
    private void onNotice(final String notice) {
        callbacks.offer(() -> EventLog.notice(notice));
    }

    /**
     * Launch with the defaults.
     *
     * @return the running transport, to be closed by the caller.
     */
    public static Transport launch() {
        return launch(new Context());
    }

    /**
     * Launch.
     *
     * @param context how; concluded here.
     * @return the running transport, to be closed by the caller.
     * @throws IllegalArgumentException when a value of the context is out of range.
     * @throws IllegalStateException    when the context was concluded before, or the counters file cannot be made.
     */
    public static Transport launch(final Context context) {
        context.conclude();
        StatusFiles status = null;
        try {
            status = StatusFiles.create(
                context.environment(), context.directory(), context.clientName(), context.errorHandler());
            return new Transport(context, status);
        } catch (final RuntimeException ex) {
            CloseHelper.quietClose(status);
            if (context.ownsDevice()) {
                CloseHelper.quietClose(context.device());
            }
            throw ex;
        }
    }

    /**
     * Add a publication with one writing thread. It connects to subscriptions in the background.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @return the publication, owned by the caller.
     * @throws IllegalArgumentException when the channel is malformed; the message names the key and its value.
     */
    public synchronized ExclusivePublication addExclusivePublication(final String channel, final int streamId) {
        final ChannelUri uri = parse(channel);
        final int windowLength = uri.sizeValue(
            ChannelUri.WINDOW, context.windowLength(), Configuration.WINDOW_MIN, Configuration.WINDOW_MAX);
        checkPowerOfTwo(ChannelUri.WINDOW, windowLength, channel);
        final PublicationOptions options = new PublicationOptions(
            channel,
            RendezvousName.ipc(uri.endpoint()),
            streamId,
            uri.intValue(
                ChannelUri.SESSION_ID, (int) environment.randomLong(), Integer.MIN_VALUE, Integer.MAX_VALUE),
            windowLength,
            uri.intValue(
                ChannelUri.WRITES_IN_FLIGHT, context.writesInFlight(), 1, Configuration.RECEIVE_DEPTH_MAX),
            uri.durationNsValue(ChannelUri.LINGER, context.lingerTimeoutNs(), 0, Configuration.TIMEOUT_MAX_NS),
            isLogShared(uri),
            isMemoryCompletion(uri));
        final PublicationState state = new PublicationState(conductor, options);
        conductor.add(state);
        return new ExclusivePublication(state);
    }

    /**
     * Add a subscription without image handlers.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @return the subscription, owned by the caller.
     * @throws IllegalArgumentException when the channel is malformed; the message names the key and its value.
     */
    public Subscription addSubscription(final String channel, final int streamId) {
        return addSubscription(channel, streamId, image -> { }, image -> { });
    }

    /**
     * Add a subscription.
     *
     * @param channel     for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId    within the channel.
     * @param available   told of each image before its first message.
     * @param unavailable told of each image after its last message.
     * @return the subscription, owned by the caller.
     * @throws IllegalArgumentException when the channel is malformed; the message names the key and its value.
     */
    public Subscription addSubscription(
        final String channel,
        final int streamId,
        final AvailableImageHandler available,
        final UnavailableImageHandler unavailable) {
        return addSubscription(channel, streamId, null, available, unavailable);
    }

    /**
     * Add a subscription in DEDICATED mode whose messages go to handlers on threads of their own, without image
     * handlers. With {@link ThreadingMode#INVOKER} the handlers run inside {@link #doWork()}.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @param graph    the handlers and which of them wait for others; not used for any other subscription.
     * @return the subscription, owned by the caller; it cannot be polled.
     * @throws IllegalArgumentException when the channel is malformed; the message names the key and its value.
     * @throws IllegalStateException    when the graph has no handlers or serves another subscription.
     */
    public Subscription addSubscription(final String channel, final int streamId, final HandlerGraph graph) {
        return addSubscription(
            channel, streamId, Objects.requireNonNull(graph, "graph"), image -> { }, image -> { });
    }

    /**
     * Add a subscription; see {@link #addSubscription(String, int, HandlerGraph)}.
     *
     * @param channel     for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId    within the channel.
     * @param graph       the handlers, or null when the subscription is to be polled.
     * @param available   told of each image before its first message.
     * @param unavailable told of each image after its last message.
     * @return the subscription, owned by the caller.
     * @throws IllegalArgumentException when the channel is malformed; the message names the key and its value.
     * @throws IllegalStateException    when the graph has no handlers or serves another subscription.
     */
    public synchronized Subscription addSubscription(
        final String channel,
        final int streamId,
        final HandlerGraph graph,
        final AvailableImageHandler available,
        final UnavailableImageHandler unavailable) {
        final ChannelUri uri = parse(channel);
        final String mode = graph != null ? "dedicated" : context.subscriptionMode().name().toLowerCase(Locale.ROOT);
        final SubscriptionMode subscriptionMode = SubscriptionMode.valueOf(
            uri.wordValue(ChannelUri.MODE, mode, List.of("invoker", "dedicated")).toUpperCase(Locale.ROOT));
        if (graph != null && subscriptionMode == SubscriptionMode.INVOKER) {
            throw new IllegalArgumentException("handlers need a ring: mode=invoker channel=" + channel);
        }
        final int ringLength =
            uri.intValue(ChannelUri.RING, Configuration.RING_DEFAULT, 2, Configuration.RING_MAX);
        checkPowerOfTwo(ChannelUri.RING, ringLength, channel);
        final List<HandlerGraph.Node> handlers = graph == null ? List.of() : graph.use();
        final int wanted = uri.intValue(ChannelUri.POLLER, Pollers.ANY, 0, pollers.count() - 1);
        final Poller poller = subscriptionMode == SubscriptionMode.DEDICATED ? pollers.choose(wanted) : null;
        final SubscriptionState state = new SubscriptionState(conductor, new SubscriptionOptions(
            channel,
            RendezvousName.ipc(uri.endpoint()),
            streamId,
            uri.intValue(ChannelUri.RECEIVE_DEPTH, context.receiveDepth(), 1, Configuration.RECEIVE_DEPTH_MAX),
            isLogShared(uri),
            isMemoryCompletion(uri),
            ringLength), poller);
        final Subscription subscription = new Subscription(state, graph != null, status.errorHandler());
        if (poller != null) {
            pollers.assign(subscription, poller);
        }
        state.images(subscription.conductorView(available, unavailable));
        if (graph != null) {
            consumers.start(consumers.gate(state, handlers), graph.waitStrategy());
        }
        conductor.add(state);
        return subscription;
    }

    private ChannelUri parse(final String channel) {
        checkOpen();
        final ChannelUri uri = ChannelUri.parse(channel);
        if (uri.media().equals(ChannelUri.MEDIA_RDMA)) {
            throw new IllegalArgumentException(
                "media=rdma needs a verbs device, which this version does not drive yet; use sluice:ipc: channel="
                    + channel);
        }
        return uri;
    }

    private static void checkPowerOfTwo(final String key, final int value, final String channel) {
        if (!BitUtil.isPowerOfTwo(value)) {
            throw new IllegalArgumentException("not a power of two: " + key + "=" + value + " channel=" + channel);
        }
    }

    private static boolean isLogShared(final ChannelUri uri) {
        return uri.wordValue(ChannelUri.LOG, "shared", List.of("shared", "copied")).equals("shared");
    }

    private static boolean isMemoryCompletion(final ChannelUri uri) {
        return uri.wordValue(ChannelUri.COMPLETION, "memory", List.of("memory", "queue")).equals("memory");
    }

    /** Under the lock: what is added before the transport closes is closed with it. */
    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the transport is closed");
        }
    }

    /**
     * Run one duty cycle of the transport's agents, in {@link ThreadingMode#INVOKER} only. Call it at least every few
     * milliseconds.
     *
     * @return work done, 0 when there was none.
     * @throws IllegalStateException in any other mode.
     */
    public int doWork() {
        if (context.threadingMode() != ThreadingMode.INVOKER) {
            throw new IllegalStateException(
                "the transport has threads of its own: threadingMode=" + context.threadingMode());
        }
        return conductorAgent.doWork() + pollers.doWork() + consumers.doWork() + setUpAgent.doWork()
            + callbackAgent.doWork();
    }

    /**
     * The concluded context.
     *
     * @return the context that the transport was launched with.
     */
    public Context context() {
        return context;
    }

    /**
     * The pollers: where their threads are pinned, how isolated those processors are, and how many subscriptions each
     * has. Any thread.
     *
     * @return one for each poller, in the order of the channel key {@code poller}.
     */
    public synchronized List<PollerStatus> pollers() {
        return pollers.status();
    }

    /**
     * What the transport has counted.
     *
     * @return its counters, readable by any thread, also after {@link #close()}.
     */
    public TransportCounters counters() {
        return counters;
    }

    /**
     * Close the subscriptions, let the publications deliver what was offered for as long as their linger lasts, then
     * release everything. Blocks; idempotent. Not from a handler.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        conductor.beginShutDown();
        if (!awaitShutDown(Math.max(context.lingerTimeoutNs(), conductor.longestLingerNs()))) {
            conductor.execute(conductor::abandonDeliveries);
            awaitShutDown(context.lingerTimeoutNs() + CLOSE_GRACE_NS);
        }
        conductor.execute(conductor::shutDown);
        awaitSetUp();
        consumers.close();
        pollers.close();
        CloseHelper.closeAll(workers);
        callbacks.doWork();
        final AutoCloseable device = context.ownsDevice() ? context.device() : null;
        CloseHelper.closeAll(status, domain, device);
    }

    private boolean awaitShutDown(final long timeoutNs) {
        final long deadlineNs = environment.nanoTime() + timeoutNs;
        while (!conductor.isShutDownReady() && environment.nanoTime() - deadlineNs < 0) {
            step();
        }
        return conductor.isShutDownReady();
    }

    private void awaitSetUp() {
        final long deadlineNs = environment.nanoTime() + CLOSE_GRACE_NS;
        while (!conductor.isShutDown() && environment.nanoTime() - deadlineNs < 0) {
            step();
        }
    }

    private void step() {
        if (context.threadingMode() == ThreadingMode.INVOKER) {
            doWork();
        } else {
            environment.park(CLOSE_PARK_NS);
        }
    }
}

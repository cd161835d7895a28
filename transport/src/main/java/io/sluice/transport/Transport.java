package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.environment.Worker;
import io.sluice.transport.agent.AgentMeter;
import io.sluice.transport.agent.Closing;
import io.sluice.transport.agent.Listeners;
import io.sluice.transport.agent.ParkingIdleStrategy;
import io.sluice.transport.agent.TaskAgent;
import io.sluice.transport.conductor.Conductor;
import io.sluice.transport.conductor.ConductorIdleStrategy;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.counters.StatusFiles;
import io.sluice.transport.monitor.StatusAgent;
import io.sluice.transport.settings.TransportName;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportCounters;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.Errno;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersReader;

/**
 * The entry point: one per process is enough. Any thread may add publications and subscriptions and close the
 * transport; in {@link ThreadingMode#INVOKER} one thread at a time calls everything but the data path, {@link
 * #doWork()} included.
 */
public final class Transport implements AutoCloseable {
    /** The longest sleep of agents that are woken for every task. */
    private static final long TASK_PARK_NS = 1_000_000_000L;

    private final Context context;
    private final Environment environment;
    private final LiveCounters counters;
    private final ProtectionDomain domain;
    private final TaskAgent setup;
    private final Callbacks callbacks;
    private final Conductor conductor;
    private final StatusFiles status;
    private final AgentMeter conductorAgent;
    private final AgentMeter setupAgent;
    private final List<Worker> workers = new ArrayList<>();
    private final Pollers pollers;
    private final Consumers consumers;
    private final Adds adds;
    private final ApplicationCounterList applicationCounters;
    private final AsyncAdds asyncAdds;
    private final InvokingThread invoking = new InvokingThread();
    private volatile boolean closed;

    private Transport(final Context context, final LiveCounters counters, final StatusFiles status) {
        this.context = context;
        this.counters = counters;
        this.status = status;
        environment = context.environment();
        domain = context.device().allocateProtectionDomain();
        callbacks = new Callbacks(context, counters, status.errorHandler());
        setup = new TaskAgent("sluice-set-up", Integer.MAX_VALUE, this::onError);
        pollers = new Pollers(context, this::onError, this::onNotice);
        consumers = new Consumers(context, status.errorHandler(), this::onError);
        final TransportParameters parameters = new TransportParameters(environment, context.device(), domain, counters,
            new TransportName(context.clientName(), status::folder),
            context.timeouts().durations(), context.links().sendQueue(), context.peerRules());
        conductor = new Conductor(parameters, setup, callbacks.images(),
            new Listeners(callbacks.listeners(), counters, status.errorHandler(), context.backPressureListener()));
        adds = new Adds(context, conductor, pollers, consumers, invoking, status.errorHandler());
        setupAgent = new AgentMeter(setup, environment);
        final StatusAgent statusAgent = new StatusAgent(conductor, status, pollers.all());
        asyncAdds = new AsyncAdds(environment, setup);
        applicationCounters =
            new ApplicationCounterList(conductor::execute, statusAgent.applicationCounters()::add);
        conductorAgent = new AgentMeter(statusAgent, environment);
        statusAgent.meters(List.of(conductorAgent, setupAgent));
        statusAgent.meters(callbacks.meters());
        if (context.threadingMode() == ThreadingMode.DEDICATED) {
            try {
                startAll();
            } catch (final Throwable ex) {
                CloseHelper.quietCloseAll(workers);
                CloseHelper.quietCloseAll(callbacks, domain);
                throw ex;
            }
        }
    }

    private void startAll() {
        callbacks.start();
        setup.waker(start(setupAgent, () -> new ParkingIdleStrategy(environment, () -> TASK_PARK_NS)));
        conductor.waker(start(conductorAgent, () -> new ConductorIdleStrategy(environment, conductor)));
    }

    private Runnable start(final Agent agent, final Supplier<IdleStrategy> idleStrategy) {
        final Worker worker =
            environment.startWorker(agent, context.idleStrategy(agent, idleStrategy, this::onError), this::onError);
        workers.addFirst(worker);
        return worker::wake;
    }

    private void onError(final Throwable error) {
        conductor.reportFailure("an agent has failed", error);
    }

    /**
     * Logs a notice on the listeners' thread: a logger may start threads, and those of a pinned thread would share its
     * processor.
     */
    private void onNotice(final String notice) {
        callbacks.listeners().offer(() -> TransportLog.notice(notice));
    }

    /**
     * Launch a transport with the defaults.
     *
     * @return the running transport, to be closed by the caller.
     */
    public static Transport launch() {
        return launch(new Context());
    }

    /**
     * Launch a transport.
     *
     * @param context how; concluded here.
     * @return the running transport, to be closed by the caller.
     * @throws IllegalArgumentException when a value of the context is out of range.
     * @throws IllegalStateException    when the context was concluded before, there is no thread for an agent, or the
     *                                  JVM lacks a flag that every channel needs; the message names it.
     * @throws TransportException       when the shared folder, or a device that was given, cannot be used; the message
     *                                  says why, and what to do.
     */
    public static Transport launch(final Context context) {
        JvmAccess.check();
        context.conclude();
        final LiveCounters counters = new LiveCounters();
        final ErrorHandler counting = error -> {
            counters.increment(TransportCounter.ERRORS);
            context.errorHandler().onError(error);
        };
        StatusFiles status = null;
        try {
            status = StatusFiles.create(context.environment(), context.directory(), context.clientName(), counting);
            return new Transport(context, counters, status);
        } catch (final Throwable ex) {
            CloseHelper.quietClose(status);
            if (context.ownsDevice()) {
                CloseHelper.quietClose(context.device());
            }
            if (ex instanceof VerbsException verbs) {
                throw Media.failure(status != null && !context.device().attributes().sharesMemory(), "launch", verbs);
            }
            throw ex;
        }
    }

    /**
     * Add a publication that any threads may write to. It connects to subscriptions in the background. All that are
     * added with the same channel and stream id are handles on one stream and session, until the last of them is
     * closed.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @return a handle, owned by the caller.
     * @throws IllegalArgumentException when the channel is malformed, or asks for other values than the handles that
     *                                  there are; the message names them.
     * @throws IllegalStateException    when another transport owns the channel's control name, or this one is closed.
     * @throws TransportException       when a device or the shared memory cannot do it; its kind tells which.
     */
    public ConcurrentPublication addPublication(final String channel, final int streamId) {
        return adding(channel, () -> adds.publication(channel, streamId));
    }

    /** Adds something on a channel, whose host is looked up without the lock: a name server holds up nobody else. */
    private <T> T adding(final String channel, final Supplier<T> added) {
        Media.awaitHost(environment, channel);
        return addingLookedUp(channel, added);
    }

    private <T> T addingLookedUp(final String channel, final Supplier<T> added) {
        try {
            synchronized (this) {
                checkOpen();
                return adds.make(added);
            }
        } catch (final VerbsException ex) {
            throw adds.inWordsOf(channel, ex);
        }
    }

    /** Starts adding something on a channel on the set-up agent, which waits for no name server. */
    private <T> long addingLater(final String channel, final Class<T> type, final Supplier<T> added) {
        return asyncAdds.add(channel, type, () -> addingLookedUp(channel, added));
    }

    /**
     * Add a publication with one writing thread. It connects to subscriptions in the background.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @return the publication, owned by the caller.
     * @throws IllegalArgumentException when the channel is malformed; the message names the key and its value.
     * @throws IllegalStateException    when another transport owns the channel's control name, or this one is closed.
     * @throws TransportException       when a device or the shared memory cannot do it; its kind tells which.
     */
    public ExclusivePublication addExclusivePublication(final String channel, final int streamId) {
        return adding(channel, () -> adds.exclusivePublication(channel, streamId));
    }

    /**
     * Add a subscription with the context's image handlers.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @return the subscription, owned by the caller.
     * @throws IllegalArgumentException when the channel is malformed; the message names the key and its value.
     * @throws IllegalStateException    when another transport listens at the endpoint; or when closed.
     * @throws TransportException       when a device or the shared memory cannot do it; its kind tells which.
     */
    public Subscription addSubscription(final String channel, final int streamId) {
        return addSubscription(
            channel, streamId, context.availableImageHandler(), context.unavailableImageHandler());
    }

    /**
     * Add a subscription.
     *
     * @param channel     for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId    within the channel.
     * @param available   told of each image before its first message, or null.
     * @param unavailable told of each image after its last message, or null.
     * @return the subscription, owned by the caller.
     * @throws IllegalArgumentException when the channel is malformed; the message names the key and its value.
     * @throws IllegalStateException    when another transport listens at the endpoint; or when closed.
     * @throws TransportException       when a device or the shared memory cannot do it; its kind tells which.
     */
    public Subscription addSubscription(
        final String channel,
        final int streamId,
        final AvailableImageHandler available,
        final UnavailableImageHandler unavailable) {
        return addSubscription(channel, streamId, null, available, unavailable);
    }

    /**
     * Add a subscription in DEDICATED mode whose messages go to handlers on threads of their own, with the context's
     * image handlers. With {@link ThreadingMode#INVOKER} the handlers run inside {@link #doWork()}.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @param graph    the handlers and which of them wait for others; not used for any other subscription.
     * @return the subscription, owned by the caller; it cannot be polled.
     * @throws IllegalArgumentException when the channel is malformed; the message names the key and its value; or when
     *                                  two handlers of the graph are dispatchers with a decoder in common.
     * @throws IllegalStateException    when the graph has no handlers or serves another one; when another transport
     *                                  listens at the endpoint; or when closed.
     * @throws TransportException       when a device or the shared memory cannot do it; its kind tells which.
     */
    public Subscription addSubscription(final String channel, final int streamId, final HandlerGraph graph) {
        return addSubscription(channel, streamId, Objects.requireNonNull(graph, "graph"),
            context.availableImageHandler(), context.unavailableImageHandler());
    }

    /**
     * Add a subscription; see {@link #addSubscription(String, int, HandlerGraph)}.
     *
     * @param channel     for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId    within the channel.
     * @param graph       the handlers, or null when the subscription is to be polled.
     * @param available   told of each image before its first message, or null.
     * @param unavailable told of each image after its last message, or null.
     * @return the subscription, owned by the caller.
     * @throws IllegalArgumentException when the channel is malformed; the message names the key and its value; or when
     *                                  two handlers of the graph are dispatchers with a decoder in common.
     * @throws IllegalStateException    when the graph has no handlers or serves another one; when another transport
     *                                  listens at the endpoint; or when closed.
     * @throws TransportException       when a device or the shared memory cannot do it; its kind tells which.
     */
    public Subscription addSubscription(
        final String channel,
        final int streamId,
        final HandlerGraph graph,
        final AvailableImageHandler available,
        final UnavailableImageHandler unavailable) {
        return adding(channel, () -> adds.subscription(channel, streamId, graph, available, unavailable));
    }

    /**
     * Begin to add a publication, as {@link #addPublication} does, for a thread that must not wait: for a name server,
     * a device, or somebody else who is adding. Any thread. In INVOKER mode {@link #doWork()} waits for devices and
     * locks in its place; name servers have a thread of their own.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @return a number for {@link #getPublication(long)}.
     * @throws IllegalArgumentException when the channel is malformed.
     * @throws IllegalStateException    when the transport is closed, or too many adds were never asked for.
     */
    public long asyncAddPublication(final String channel, final int streamId) {
        return addingLater(channel, ConcurrentPublication.class, () -> adds.publication(channel, streamId));
    }

    /**
     * Begin to add an exclusive publication; see {@link #asyncAddPublication}.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @return a number for {@link #getExclusivePublication(long)}.
     * @throws IllegalArgumentException when the channel is malformed.
     * @throws IllegalStateException    when the transport is closed, or too many adds were never asked for.
     */
    public long asyncAddExclusivePublication(final String channel, final int streamId) {
        return addingLater(channel, ExclusivePublication.class, () -> adds.exclusivePublication(channel, streamId));
    }

    /**
     * Begin to add a subscription with the context's image handlers; see {@link #asyncAddPublication}.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @return a number for {@link #getSubscription(long)}.
     * @throws IllegalArgumentException when the channel is malformed.
     * @throws IllegalStateException    when the transport is closed, or too many adds were never asked for.
     */
    public long asyncAddSubscription(final String channel, final int streamId) {
        return asyncAddSubscription(
            channel, streamId, context.availableImageHandler(), context.unavailableImageHandler());
    }

    /**
     * Begin to add a subscription; see {@link #asyncAddPublication}.
     *
     * @param channel     for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId    within the channel.
     * @param available   told of each image before its first message, or null.
     * @param unavailable told of each image after its last message, or null.
     * @return a number for {@link #getSubscription(long)}.
     * @throws IllegalArgumentException when the channel is malformed.
     * @throws IllegalStateException    when the transport is closed, or too many adds were never asked for.
     */
    public long asyncAddSubscription(
        final String channel,
        final int streamId,
        final AvailableImageHandler available,
        final UnavailableImageHandler unavailable) {
        return addingLater(
            channel, Subscription.class, () -> adds.subscription(channel, streamId, null, available, unavailable));
    }

    /**
     * Begin to add a subscription whose messages go to handlers, as {@link #addSubscription(String, int, HandlerGraph)}
     * does; see {@link #asyncAddPublication}.
     *
     * @param channel  for example {@code "sluice:ipc?endpoint=prices"}.
     * @param streamId within the channel.
     * @param graph    the handlers, to which none is added from now on.
     * @return a number for {@link #getSubscription(long)}.
     * @throws IllegalArgumentException when the channel is malformed.
     * @throws IllegalStateException    when the transport is closed, or too many adds were never asked for.
     */
    public long asyncAddSubscription(final String channel, final int streamId, final HandlerGraph graph) {
        Objects.requireNonNull(graph, "graph");
        return addingLater(channel, Subscription.class, () -> adds.subscription(
            channel, streamId, graph, context.availableImageHandler(), context.unavailableImageHandler()));
    }

    /**
     * Take the publication that was added, once. Any thread.
     *
     * @param registrationId that {@link #asyncAddPublication} returned.
     * @return the publication, owned by the caller; null while it is not there.
     * @throws IllegalArgumentException when there is no such number, or it was taken; once also what {@link
     *                                  #addPublication} would have thrown.
     */
    public ConcurrentPublication getPublication(final long registrationId) {
        return asyncAdds.take(registrationId, ConcurrentPublication.class);
    }

    /**
     * Take the exclusive publication that was added, once. Any thread.
     *
     * @param registrationId that {@link #asyncAddExclusivePublication} returned.
     * @return the publication, owned by the caller; null while it is not there.
     * @throws IllegalArgumentException when there is no such number, or it was taken; once also what {@link
     *                                  #addExclusivePublication} would have thrown.
     */
    public ExclusivePublication getExclusivePublication(final long registrationId) {
        return asyncAdds.take(registrationId, ExclusivePublication.class);
    }

    /**
     * Take the subscription that was added, once. Any thread.
     *
     * @param registrationId that {@link #asyncAddSubscription} returned.
     * @return the subscription, owned by the caller; null while it is not there.
     * @throws IllegalArgumentException when there is no such number, or it was taken; once also what {@code
     *                                  addSubscription} would have thrown.
     */
    public Subscription getSubscription(final long registrationId) {
        return asyncAdds.take(registrationId, Subscription.class);
    }

    /**
     * Throws when the transport is closed. Under the lock: what is added before the transport closes is closed with it.
     */
    private void checkOpen() {
        if (closed) {
            throw closedError();
        }
    }

    private IllegalStateException closedError() {
        return new IllegalStateException("the transport is closed: directory=" + context.directory());
    }

    /**
     * Run one duty cycle of the transport's agents, in {@link ThreadingMode#INVOKER} only. Call it at least every few
     * milliseconds.
     *
     * @return work done, 0 when there was none, and after {@link #close()}.
     * @throws IllegalStateException in any other mode; a {@link ReentrantCallException} from inside a handler or
     *                               listener that it has called itself. A handler of {@link Subscription#poll} may call
     *                               it.
     */
    public int doWork() {
        if (context.threadingMode() != ThreadingMode.INVOKER) {
            throw new IllegalStateException(
                "the transport has threads of its own: threadingMode=" + context.threadingMode());
        }
        invoking.enter();
        try {
            return closed ? 0 : runAgents();
        } finally {
            invoking.leave();
        }
    }

    /** Runs the agents; those that only have tasks are not even timed while they have none. */
    private int runAgents() {
        return conductorAgent.doWork() + pollers.doWork() + consumers.doWork()
            + (setup.isIdle() ? 0 : setupAgent.doWork()) + callbacks.doWork();
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
     * The transport's own counters.
     *
     * @return its counters, readable by any thread, also after {@link #close()}.
     */
    public TransportCounters counters() {
        return counters;
    }

    /**
     * Add a counter of this program, which is shown beside those of the transport. Any thread.
     *
     * @param typeId by which the program's counters are told apart, from
     *               {@link io.sluice.transport.status.CounterType#APPLICATION_TYPE_ID_MIN}.
     * @param label  for people, of 380 bytes of UTF-8 at most.
     * @return the counter, owned by the caller; closed with this transport.
     * @throws IllegalArgumentException when the type id is out of range, or the label is too long.
     * @throws IllegalStateException    when this program has {@link Configuration#COUNTERS_MAX} open counters, or the
     *                                  transport is closed.
     */
    public Counter addCounter(final int typeId, final String label) {
        return addCounter(typeId, ApplicationCounterList.NO_KEY, Objects.requireNonNull(label, "label"));
    }

    /**
     * Add a counter of this program with a key, by which readers know whose it is; see {@link #addCounter(int,
     * String)}.
     *
     * @param typeId      by which the program's counters are told apart.
     * @param keyBuffer   that has the key.
     * @param keyOffset   where that begins.
     * @param keyLength   in bytes, 112 at most.
     * @param labelBuffer that has the label.
     * @param labelOffset where that begins.
     * @param labelLength in bytes of UTF-8, 380 at most.
     * @return the counter, owned by the caller; closed with this transport.
     * @throws IllegalArgumentException  when the type id is out of range, or key or label are too long.
     * @throws IndexOutOfBoundsException when a buffer has less than that.
     * @throws IllegalStateException     when there are too many, or the transport is closed.
     */
    public Counter addCounter(
        final int typeId, final DirectBuffer keyBuffer, final int keyOffset, final int keyLength,
        final DirectBuffer labelBuffer, final int labelOffset, final int labelLength) {
        return addCounter(typeId, ApplicationCounterList.key(keyBuffer, keyOffset, keyLength),
            ApplicationCounterList.label(labelBuffer, labelOffset, labelLength));
    }

    private synchronized Counter addCounter(final int typeId, final byte[] key, final String label) {
        checkOpen();
        return applicationCounters.add(typeId, key, label);
    }

    /**
     * A reader of all counters of this transport, its own and the program's: of a copy that is made now, of what the
     * transport has last written, ten times a second. Any thread.
     *
     * @return the reader, which stays as it is, also when the transport is closed.
     * @throws IllegalStateException when the transport is closed.
     */
    public CountersReader countersReader() {
        checkOpen();
        return status.copy();
    }

    /**
     * Whether the transport was closed. Any thread.
     *
     * @return true from the beginning of {@link #close()} on.
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Add a handler that is called once, when this transport has been closed: by the thread that closes it, before
     * {@link #close()} returns, after what {@link Context#closeHandler()} names, in the order of adding.
     *
     * @param handler to call; what it throws goes to the error handler.
     * @return a number for {@link #removeCloseHandler(long)}.
     * @throws IllegalStateException when the transport is closed.
     */
    public synchronized long addCloseHandler(final Runnable handler) {
        checkOpen();
        return callbacks.closeHandlers().add(Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Remove a handler of the close.
     *
     * @param registrationId that {@link #addCloseHandler} returned.
     * @return whether it was there.
     * @throws IllegalStateException when the transport is closed.
     */
    public synchronized boolean removeCloseHandler(final long registrationId) {
        checkOpen();
        return callbacks.closeHandlers().remove(registrationId);
    }

    /**
     * Remove a handler of the close.
     *
     * @param handler that was added; one time, when it was added several times.
     * @return whether it was there.
     * @throws IllegalStateException when the transport is closed.
     */
    public synchronized boolean removeCloseHandler(final Runnable handler) {
        checkOpen();
        return callbacks.closeHandlers().remove(Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Close the subscriptions, let the publications deliver what was offered for as long as their linger lasts, then
     * release everything. Blocks; idempotent: of a transport that another thread is still closing it returns at once,
     * before that has ended. Not from inside a handler or listener, whose end it waits for: those tell somebody else to
     * close it. An image handler or listener that does not return is waited for for two seconds, an image handler for
     * twice the longest linger and two seconds before that; then its thread is interrupted and left alone, which the
     * error handler is told and {@link TransportCounter#CALLBACKS_ABANDONED} counts. What an image handler holds up is
     * then not released. What fails does not keep the rest from being closed.
     *
     * @throws ReentrantCallException from inside a handler of this transport: of messages, polled or in a graph, of
     *                                images, of errors, or a listener; from inside what an add calls, such as a thread
     *                                factory or {@link Context#rdmaProvider}; or while another thread is inside {@link
     *                                #doWork()}. The transport stays open.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            checkNotWithin();
            if (adds.isUnderWay()) {
                throw InvokingThread.reentrantClose("adding");
            }
            // what it still calls must not run the agents in between, nor may another thread
            if (context.threadingMode() == ThreadingMode.INVOKER) {
                invoking.enterToClose();
            }
            closed = true;
            applicationCounters.close();
            asyncAdds.close(closedError());
        }
        final ShutDown shutDown = new ShutDown(context, conductor, this::runAgents);
        final AutoCloseable device = context.ownsDevice() ? context.device() : null;
        try {
            Closing.all(Arrays.asList(
                shutDown, consumers, pollers, () -> Closing.all(workers), callbacks,
                callbacks.closeHandlers(), status, adds,
                this::freeDomain, device));
        } finally {
            invoking.leave();
        }
    }

    /**
     * Closes the protection domain, or leaves it open when abandoned memory, which the error handler was told of, is
     * registered in it.
     */
    private void freeDomain() {
        try {
            domain.close();
        } catch (final VerbsException e) {
            if (e.errno() != Errno.EBUSY || counters.get(TransportCounter.MEMORY_ABANDONED) == 0) {
                throw e;
            }
        }
    }

    /**
     * Throws, before anything is closed, when the caller is inside something that the close waits for, or any thread is
     * inside {@link #doWork()}.
     */
    private void checkNotWithin() {
        String within = callbacks.within();
        if (within == null) {
            within = consumers.within();
        }
        if (within == null && (pollers.isWithin() || workers.stream().anyMatch(Worker::isCurrent))) {
            within = "an idle strategy";
        }
        if (within == null) {
            within = adds.polledHere();
        }
        if (within == null) {
            invoking.checkOutside();
        } else {
            throw InvokingThread.reentrantClose(within);
        }
    }

    /** {@return the text that says which transport it is} Any thread. */
    @Override
    public String toString() {
        return "Transport{clientName=" + context.clientName() + " threadingMode=" + context.threadingMode()
            + (closed ? " closed" : "") + " directory=" + context.directory() + "}";
    }
}

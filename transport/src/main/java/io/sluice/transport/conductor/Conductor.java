package io.sluice.transport.conductor;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.agent.ConductorClock;
import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Listeners;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.TaskAgent;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.carrier.StampClock;
import io.sluice.transport.flight.FlightEvents;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.peer.Peers;
import io.sluice.transport.receive.Poller;
import io.sluice.transport.settings.TransportId;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.stream.PublicationOptions;
import io.sluice.transport.stream.PublicationState;
import io.sluice.transport.stream.Publications;
import io.sluice.transport.stream.SubscriptionOptions;
import io.sluice.transport.stream.SubscriptionState;
import io.sluice.transport.stream.Subscriptions;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;
import java.util.Collection;
import java.util.concurrent.atomic.LongAccumulator;
import org.agrona.concurrent.Agent;

/**
 * The control plane's agent: connections, handshakes, liveness, asynchronous events, and the flush duty for
 * publications whose application does not call. Other threads talk to it through {@link #execute(Runnable)}; verbs
 * that may block run on the set-up agent, image handlers on the callback agent and listeners on an agent of their own,
 * so that heartbeats wait for none of them.
 */
public final class Conductor implements Agent {
    /** The time between looks for links that should exist. */
    private static final long RECONCILE_INTERVAL_NS = 200_000_000L;

    private final TransportParameters parameters;
    private final TaskAgent inbox;
    private final TaskAgent setup;
    private final Services services;
    private final Publications publications;
    private final Subscriptions subscriptions;
    private final RemovedFiles removedFiles;
    private final Peers peers;
    private final Medium ipc;
    private final CyclePace pace;
    private volatile boolean flushSoon;
    private final LongAccumulator lingerNs = new LongAccumulator(Math::max, 0);
    private volatile boolean shutDownReady;
    private volatile boolean shutDown;
    private boolean shuttingDown;
    private boolean goodbyeSaid;
    private long nextReconcileNs;

    /**
     * Creates a conductor without connections.
     *
     * @param parameters of the transport.
     * @param setup      runs what may block.
     * @param callbacks  runs image handlers: no message of an image is handed out before.
     * @param listeners  told of back-pressure and errors.
     */
    public Conductor(
        final TransportParameters parameters, final TaskAgent setup, final TaskAgent callbacks,
        final Listeners listeners) {
        this.parameters = parameters;
        this.setup = setup;
        final FlightEvents flight = new FlightEvents(parameters.name().clientName(), parameters.name().folder(),
            error -> reportFailure("an event of the flight recorder", error));
        final Failures failures =
            new Failures(parameters.counters(), flight, listeners, parameters.environment()::nanoTime);
        inbox = new TaskAgent("sluice-inbox", Integer.MAX_VALUE,
            error -> failures.report(ErrorKind.INTERNAL, "a task of the conductor has failed", error));
        services = new Services(parameters,
            new TransportId(parameters.environment().randomLong(), parameters.environment().randomLong()),
            new Tasks(inbox, setup, callbacks, failures), failures,
            new ConductorClock(parameters.counters(), flight, parameters.durations().heartbeatIntervalNs(),
                parameters.environment().nanoTime()),
            listeners, flight, StampClock.acrossHosts(
                parameters.environment()::nanoTime, parameters.environment()::exactEpochNs));
        pace = new CyclePace(
            parameters.environment().nanoTime(), ConductorIdleStrategy.maxRestNs(parameters.durations()));
        services.tasks().waker(pace::wake);
        publications = new Publications(services, this::readyPeers);
        subscriptions = new Subscriptions(services, this::readyPeers);
        peers = new Peers(services, new Streams(publications, subscriptions, services));
        removedFiles = new RemovedFiles(services);
        removedFiles.add(parameters.device()::missing, parameters.device()::restore, () -> { });
        ipc = peers.addNamed(parameters);
    }

    private Collection<ConnectedPeer> readyPeers() {
        return peers.ready();
    }

    /**
     * The medium of {@code sluice:ipc} channels. Any thread.
     *
     * @return the medium over the transport's own device.
     */
    public Medium ipc() {
        return ipc;
    }

    /**
     * Meet others over one more device, by addresses. Any thread.
     *
     * @param device opened, closed by the caller when the conductor runs no more.
     * @param domain of control connections and logs, likewise; links have domains of their own.
     * @return the medium.
     */
    public Medium addMedium(final RdmaDevice device, final ProtectionDomain domain) {
        return peers.addAddressed(parameters.with(device, domain), parameters.device());
    }

    @Override
    public int doWork() {
        final long nanoTime = parameters.environment().nanoTime();
        if (!pace.isDue(nanoTime, flushSoon) && inbox.isIdle()) {
            flushSoon = publications.flush();
            return 0;
        }
        pace.onCycle(nanoTime);
        final long nowNs = services.clock().advance(nanoTime);
        publications.takeFlushWaiting();
        int work = inbox.doWork() + peers.doWork(nowNs);
        work += publications.doWork(nowNs);
        work += subscriptions.doWork(nowNs);
        if (nowNs - nextReconcileNs >= 0) {
            nextReconcileNs = nowNs + RECONCILE_INTERVAL_NS;
            peers.admitAnnounced();
            publications.reconcile();
        }
        if (!shuttingDown) {
            removedFiles.doWork(nowNs);
        }
        flushSoon = publications.takeFlushWaiting();
        if (work > 0) {
            pace.onWork(nanoTime);
        }
        shutDownReady = shuttingDown && publications.all().isEmpty() && subscriptions.all().isEmpty() && inbox.isIdle()
            && setup.isIdle();
        shutDown = goodbyeSaid && isReleased();
        return work;
    }

    @Override
    public String roleName() {
        return "sluice-conductor";
    }

    /**
     * Run something on the conductor. Any thread.
     *
     * @param task to run.
     */
    public void execute(final Runnable task) {
        services.tasks().execute(task);
    }

    /**
     * Make a publication, which begins when it is added. Any thread.
     *
     * @param medium     that its subscriptions are met over.
     * @param options    of the publication.
     * @param concurrent whether several threads write to it.
     * @return its state.
     * @throws IllegalStateException when somebody else has its name or address; the message says who.
     */
    public PublicationState publication(
        final Medium medium, final PublicationOptions options, final boolean concurrent) {
        return new PublicationState(publications, medium, options, concurrent);
    }

    /**
     * Make a subscription, which begins when it is added. Any thread.
     *
     * @param medium  that its publications are met over.
     * @param options of the subscription.
     * @param poller  that feeds its ring in DEDICATED mode, or null in INVOKER mode.
     * @return its state.
     * @throws IllegalStateException when somebody else has its name or address; the message says who.
     */
    public SubscriptionState subscription(
        final Medium medium, final SubscriptionOptions options, final Poller poller) {
        return new SubscriptionState(subscriptions, medium, options, poller);
    }

    /**
     * Begin to serve a publication. Any thread.
     *
     * @param publication made by the caller.
     */
    public void add(final PublicationState publication) {
        lingerNs.accumulate(publication.options().lingerNs());
        execute(() -> {
            // first, so that it is closed with the transport even if nobody can be met
            publications.add(publication);
            publication.medium().use(publication.options().party());
        });
    }

    /**
     * Begin to serve a subscription. Any thread.
     *
     * @param subscription made by the caller.
     */
    public void add(final SubscriptionState subscription) {
        execute(() -> {
            subscription.startPolling();
            subscriptions.add(subscription);
            subscription.medium().use(subscription.options().party());
        });
    }

    /** Close all subscriptions and publications. Any thread. */
    public void beginShutDown() {
        execute(() -> {
            shuttingDown = true;
            subscriptions.all().forEach(SubscriptionState::close);
            publications.all().forEach(PublicationState::close);
        });
    }

    /** {@return whether everything that {@link #beginShutDown()} closed is gone} Any thread. */
    public boolean isShutDownReady() {
        return shutDownReady;
    }

    /** Stop waiting for deliveries. Conductor. */
    public void abandonDeliveries() {
        publications.all().forEach(PublicationState::abandonDelivery);
    }

    /** Say goodbye to all peers and stop listening. Conductor. */
    public void shutDown() {
        peers.close(GoodbyeReason.CLOSED);
        goodbyeSaid = true;
    }

    /**
     * Whether everything is released: what the set-up agent was at comes back here to be released, and then neither has
     * anything any more.
     */
    private boolean isReleased() {
        return peers.areClosed() && setup.isIdle() && inbox.isIdle();
    }

    /** {@return whether {@link #shutDown()} has released everything} Any thread. */
    public boolean isShutDown() {
        return shutDown;
    }

    /** {@return the longest linger of any publication so far, in nanoseconds} Any thread. */
    public long longestLingerNs() {
        return lingerNs.get();
    }

    /**
     * Report a failure to the application, unless it was reported before: of what is tried again, and of what may
     * happen again and again. Any thread.
     *
     * @param subject what has failed, without what changes each time; for people, too.
     * @param error   to report.
     */
    public void reportFailure(final String subject, final Throwable error) {
        services.failures().report(ErrorKind.INTERNAL, subject, error);
    }

    /**
     * Whether a committed tail waits for credit, so that the conductor must run again within tens of microseconds.
     * Any thread.
     *
     * @return true while one does.
     */
    public boolean isFlushWaiting() {
        return flushSoon;
    }

    /**
     * Sets the action that wakes the conductor's thread when it sleeps.
     *
     * @param newWaker called from any thread; costs a system call when the thread sleeps.
     */
    public void waker(final Runnable newWaker) {
        pace.onThread();
        services.tasks().waker(newWaker);
    }

    /** {@return the part that looks after files which somebody may remove} */
    public RemovedFiles removedFiles() {
        return removedFiles;
    }

    /**
     * The services that all parts of the control plane have in common.
     *
     * @return what the rooms have in common.
     */
    public Services services() {
        return services;
    }

    Peers peers() {
        return peers;
    }

    /** {@return all publications. Conductor} */
    public Publications publications() {
        return publications;
    }

    /** {@return all subscriptions. Conductor} */
    public Subscriptions subscriptions() {
        return subscriptions;
    }
}

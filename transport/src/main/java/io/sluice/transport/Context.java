package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.agent.SharedMemoryWords;
import io.sluice.transport.agent.TransportErrors;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.settings.PreSharedKey;
import io.sluice.transport.status.BackPressureListener;
import io.sluice.transport.status.ErrorKind;
import io.sluice.verbs.AddressPrefix;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.rdma.RdmaDevices;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/**
 * The settings to launch a {@link Transport} with. Fluent; every default is also a system property, see {@link
 * Configuration}. One thread at a time; {@link #conclude()} fills in what is missing, checks everything, and may be
 * called once, so that a context serves one transport.
 *
 * <p>Settings that are seldom changed stand in values of their own, which are immutable: a method of theirs with a
 * parameter returns a changed copy, to be handed to the context, for example {@code
 * context.timeouts(context.timeouts().lingerTimeoutNs(1_000_000_000L))}.
 */
public final class Context {
    private int windowLength = SystemProperties.powerOfTwo(
        Configuration.WINDOW_PROP, Configuration.WINDOW_DEFAULT, Configuration.WINDOW_MIN, Configuration.WINDOW_MAX);
    private ThreadingMode threadingMode =
        SystemProperties.word(Configuration.THREADING_MODE_PROP, ThreadingMode.DEDICATED, ThreadingMode.class);
    private SubscriptionMode subscriptionMode =
        SystemProperties.word(Configuration.SUBSCRIPTION_MODE_PROP, SubscriptionMode.INVOKER, SubscriptionMode.class);
    private LinkOptions links = new LinkOptions();
    private Timeouts timeouts = new Timeouts();
    private EvictionOptions eviction = new EvictionOptions();
    private Quotas quotas = new Quotas();
    private PollerOptions pollers = new PollerOptions();
    private PeerTrust trust = PeerTrust.ofProperties();
    private String clientName = SystemProperties.clientName();
    private Path directory;
    private Environment environment;
    private RdmaDevice device;
    private boolean ownsDevice;
    private BiFunction<Environment, RdmaDeviceOptions, RdmaDevice> rdmaProvider = RdmaDevices::open;
    private final ContextHandlers handlers = new ContextHandlers();
    private PeerRules peerRules;
    private boolean concluded;

    /**
     * A context with the defaults.
     *
     * @throws IllegalArgumentException when a system property is malformed.
     */
    public Context() {
    }

    /**
     * Check everything, open the device if none was given, and refuse any further change. Called by
     * {@link Transport#launch(Context)}.
     *
     * @return this.
     * @throws IllegalStateException    when it was called before.
     * @throws IllegalArgumentException when a value is out of range; the message names value and bound. Or when the
     *                                  pre-shared key cannot be had; the message says why, and what to do.
     * @throws io.sluice.transport.status.TransportException when the shared folder cannot be used; the message says
     *                                  why, and what to do.
     */
    public Context conclude() {
        checkNotConcluded();
        check();
        concluded = true;
        if (environment == null) {
            environment = SystemEnvironment.instance();
        }
        if (handlers.threadFactory() != null) {
            environment = new FactoryEnvironment(environment, handlers.threadFactory());
        }
        concludePeerRules(environment, System.getenv(Configuration.PRE_SHARED_KEY_VARIABLE));
        final String origin = directory == null ? SystemProperties.origin(Configuration.DIRECTORY_PROP) : "";
        if (directory == null) {
            directory = Configuration.directory(environment);
        }
        if (device == null) {
            device = openDevice(origin);
            ownsDevice = true;
        }
        return this;
    }

    private RdmaDevice openDevice(final String origin) {
        try {
            return SoftwareDevice.open(environment, directory);
        } catch (final VerbsException ex) {
            throw TransportErrors.of(ErrorKind.STORAGE, "directory", ex.withOrigin(origin), SharedMemoryWords::of);
        }
    }

    /** Check all values, each by itself and against the others. */
    void check() {
        Quantities.checkRange("windowLength", windowLength, Configuration.WINDOW_MIN, Configuration.WINDOW_MAX);
        Quantities.checkPowerOfTwo("windowLength", windowLength, "");
        links.check();
        quotas.check();
        timeouts.check();
        eviction.check();
        pollers.check(threadingMode);
        if (clientName.length() > Configuration.CLIENT_NAME_MAX_LENGTH) {
            throw new IllegalArgumentException("client name too long: length=" + clientName.length()
                + " maximum=" + Configuration.CLIENT_NAME_MAX_LENGTH);
        }
    }

    /** Read the key, wherever it is kept; in the variable unless it is null. */
    void concludePeerRules(final Environment machine, final String variable) {
        peerRules = trust.rules(machine, variable, quotas.peerQuotas());
    }

    private void checkNotConcluded() {
        if (concluded) {
            throw new IllegalStateException("a context is concluded once and serves one transport: make a new Context");
        }
    }

    /**
     * Set the window, in bytes: the size of send logs and receive rings; a power of two.
     * @param value to use.
     * @return this.
     */
    public Context windowLength(final int value) {
        checkNotConcluded();
        windowLength = value;
        return this;
    }

    /** {@return the window, in bytes: the size of send logs and receive rings; a power of two} */
    public int windowLength() {
        return windowLength;
    }

    /**
     * Set the way the transport's own agents run.
     * @param value to use.
     * @return this.
     */
    public Context threadingMode(final ThreadingMode value) {
        checkNotConcluded();
        threadingMode = Objects.requireNonNull(value, "threadingMode");
        return this;
    }

    /** {@return the way the transport's own agents run} */
    public ThreadingMode threadingMode() {
        return threadingMode;
    }

    /**
     * Set the mode of subscriptions whose channel does not say.
     * @param value to use.
     * @return this.
     */
    public Context subscriptionMode(final SubscriptionMode value) {
        checkNotConcluded();
        subscriptionMode = Objects.requireNonNull(value, "subscriptionMode");
        return this;
    }

    /** {@return the mode of subscriptions whose channel does not say} */
    public SubscriptionMode subscriptionMode() {
        return subscriptionMode;
    }

    /**
     * Set the queues of links, and how often their frames are looked for.
     * @param value to use.
     * @return this.
     */
    public Context links(final LinkOptions value) {
        checkNotConcluded();
        links = Objects.requireNonNull(value, "links");
        return this;
    }

    /** {@return the queues of links, and how often their frames are looked for} */
    public LinkOptions links() {
        return links;
    }

    /**
     * Set the intervals and timeouts.
     * @param value to use.
     * @return this.
     */
    public Context timeouts(final Timeouts value) {
        checkNotConcluded();
        timeouts = Objects.requireNonNull(value, "timeouts");
        return this;
    }

    /** {@return the intervals and timeouts} */
    public Timeouts timeouts() {
        return timeouts;
    }

    /**
     * Set when a consumer is evicted that holds others up, with {@code slow=evict}.
     * @param value to use.
     * @return this.
     */
    public Context eviction(final EvictionOptions value) {
        checkNotConcluded();
        eviction = Objects.requireNonNull(value, "eviction");
        return this;
    }

    /** {@return the options that say when a consumer is evicted that holds others up, with {@code slow=evict}} */
    public EvictionOptions eviction() {
        return eviction;
    }

    /**
     * Set the share of the transport that one peer may take.
     * @param value to use.
     * @return this.
     */
    public Context quotas(final Quotas value) {
        checkNotConcluded();
        quotas = Objects.requireNonNull(value, "quotas");
        return this;
    }

    /** {@return the share of the transport that one peer may take} */
    public Quotas quotas() {
        return quotas;
    }

    /**
     * Set how many pollers serve subscriptions in DEDICATED mode, where they are pinned and how they idle.
     * @param value to use.
     * @return this.
     */
    public Context pollers(final PollerOptions value) {
        checkNotConcluded();
        pollers = Objects.requireNonNull(value, "pollers");
        return this;
    }

    /**
     * {@return the options that say how many pollers serve subscriptions in DEDICATED mode, where they are pinned and
     * how they idle}
     */
    public PollerOptions pollers() {
        return pollers;
    }

    /**
     * Set the name of this program in peers' logs.
     * @param value to use.
     * @return this.
     */
    public Context clientName(final String value) {
        checkNotConcluded();
        clientName = Objects.requireNonNull(value, "clientName");
        return this;
    }

    /** {@return the name of this program in peers' logs} */
    public String clientName() {
        return clientName;
    }

    /**
     * Set the folder of the software device's shared memory, private to this user.
     * @param value to use.
     * @return this.
     */
    public Context directory(final Path value) {
        checkNotConcluded();
        directory = Objects.requireNonNull(value, "directory");
        return this;
    }

    /** {@return the folder of the software device's shared memory, private to this user} */
    public Path directory() {
        return directory;
    }

    /**
     * Set the file that holds the key which peers must hold, too; there is none by default. It is read when the context
     * is concluded. It holds {@value PreSharedKey#MIN_LENGTH} to {@value PreSharedKey#MAX_LENGTH} bytes and may end
     * with a line end, belongs to this user, and nobody else may read it. Without a file the environment variable
     * {@value Configuration#PRE_SHARED_KEY_VARIABLE} may hold the key itself.
     * @param value to use.
     * @return this.
     */
    public Context preSharedKeyFile(final Path value) {
        checkNotConcluded();
        trust = trust.withKeyFile(Objects.requireNonNull(value, "preSharedKeyFile"));
        return this;
    }

    /** {@return the file that holds the key which peers must hold, too; null when none was named} */
    public Path preSharedKeyFile() {
        return trust.keyFile();
    }

    /**
     * Set the addresses of peers over {@code sluice:rdma}, those that connect and those that are connected to; by
     * default all are allowed. Peers over {@code sluice:ipc} have no address: the list does not concern them.
     * @param values literal addresses and prefixes, for example {@code 10.0.0.0/24}; at least one.
     * @return this.
     * @throws IllegalArgumentException when one is malformed, or there is none: a list that came out empty by mistake
     *                                  would allow all.
     */
    public Context allowedPeers(final String... values) {
        checkNotConcluded();
        trust = trust.withAllowed(values);
        return this;
    }

    /** {@return the addresses and prefixes of peers over {@code sluice:rdma} that are allowed; empty when all are} */
    public List<String> allowedPeers() {
        return trust.allowed().stream().map(AddressPrefix::toString).toList();
    }

    /**
     * Set the door to the machine, to be replaced by simulations.
     * @param value to use.
     * @return this.
     */
    public Context environment(final Environment value) {
        checkNotConcluded();
        environment = Objects.requireNonNull(value, "environment");
        return this;
    }

    /** {@return the door to the machine, to be replaced by simulations} */
    public Environment environment() {
        return environment;
    }

    /**
     * Set the device of {@code sluice:ipc}; one that is given stays the caller's and is not closed by the transport.
     * @param value to use.
     * @return this.
     */
    public Context device(final RdmaDevice value) {
        checkNotConcluded();
        device = Objects.requireNonNull(value, "device");
        return this;
    }

    /** {@return the device of {@code sluice:ipc}; one that is given stays the caller's} */
    public RdmaDevice device() {
        return device;
    }

    /**
     * Set the handler of errors, called on the thread of listeners, or where a handler threw: on a polling thread, on
     * that of callbacks or of a graph's consumer; or where a transport is closed. Several threads may be in it at once.
     *
     * @param value to use.
     * @return this.
     */
    public Context errorHandler(final ErrorHandler value) {
        checkNotConcluded();
        handlers.errorHandler(Objects.requireNonNull(value, "errorHandler"));
        return this;
    }

    /** {@return the handler of errors, called on the thread of listeners, or where a handler threw} */
    public ErrorHandler errorHandler() {
        return handlers.errorHandler();
    }

    /**
     * Set who is told when any publication or subscription comes under pressure, or out of it.
     * @param value called on the thread of listeners.
     * @return this.
     */
    public Context backPressureListener(final BackPressureListener value) {
        checkNotConcluded();
        handlers.backPressureListener(Objects.requireNonNull(value, "backPressureListener"));
        return this;
    }

    /** {@return the listener that is told when any publication or subscription comes under pressure, or out of it} */
    public BackPressureListener backPressureListener() {
        return handlers.backPressureListener();
    }

    /**
     * Set the handler of available images of subscriptions that are added without image handlers.
     * @param value called on the thread of callbacks; null for none, which is the default.
     * @return this.
     */
    public Context availableImageHandler(final AvailableImageHandler value) {
        checkNotConcluded();
        handlers.available(value);
        return this;
    }

    /** {@return the handler of available images of subscriptions that are added without image handlers, or null} */
    public AvailableImageHandler availableImageHandler() {
        return handlers.available();
    }

    /**
     * Set the handler of unavailable images of subscriptions that are added without image handlers.
     * @param value called on the thread of callbacks; null for none, which is the default.
     * @return this.
     */
    public Context unavailableImageHandler(final UnavailableImageHandler value) {
        checkNotConcluded();
        handlers.unavailable(value);
        return this;
    }

    /** {@return the handler of unavailable images of subscriptions that are added without image handlers, or null} */
    public UnavailableImageHandler unavailableImageHandler() {
        return handlers.unavailable();
    }

    /**
     * Set the first of the handlers that are called when the transport is closed, see {@link
     * Transport#addCloseHandler}.
     * @param value called by the thread that closes; null for none, which is the default.
     * @return this.
     */
    public Context closeHandler(final Runnable value) {
        checkNotConcluded();
        handlers.closeHandler(value);
        return this;
    }

    /** {@return the first of the handlers that are called when the transport is closed, or null} */
    public Runnable closeHandler() {
        return handlers.closeHandler();
    }

    /**
     * Set who makes the threads of the transport's agents and of the handlers of graphs, for example with a priority or
     * in a group. Each gets the name of its role; a poller with a processor of its own is pinned to that all the same.
     * @param value makes threads that are not started; null for daemons, which is the default. Other threads keep the
     *              JVM from ending until the transport is closed.
     * @return this.
     */
    public Context threadFactory(final ThreadFactory value) {
        checkNotConcluded();
        handlers.threadFactory(value);
        return this;
    }

    /** {@return the maker of the agents' threads, or null} */
    public ThreadFactory threadFactory() {
        return handlers.threadFactory();
    }

    /**
     * Set idle strategies as objects, of the agents with threads of their own and of the handlers of graphs, in place
     * of those by name. Each is for one agent, runs on its thread and must return within a few milliseconds, whatever
     * it waits for; no transport can be closed from inside it. One that throws is told of once, and that by name takes
     * its place. That of a poller in another mode than SPIN is not used, as it waits for events.
     * @param value gives a strategy of its own for the name of a thread, such as {@code sluice-conductor} or {@code
     *              sluice-poller-0}, or null for that by name.
     * @return this.
     */
    public Context idleStrategies(final Function<String, IdleStrategy> value) {
        checkNotConcluded();
        handlers.idleStrategies(Objects.requireNonNull(value, "idleStrategies"));
        return this;
    }

    /** {@return the idle strategies as objects, by names of threads: null for those by name} */
    public Function<String, IdleStrategy> idleStrategies() {
        return handlers.idleStrategies();
    }

    /**
     * The idle strategy of an agent: an object of the application until that throws, which the error handler is told,
     * or else the one that is given.
     */
    IdleStrategy idleStrategy(
        final Agent agent, final Supplier<IdleStrategy> otherwise, final ErrorHandler agentErrors) {
        final IdleStrategy own = handlers.idleStrategies().apply(agent.roleName());
        return own == null ? otherwise.get() : new OwnIdleStrategy(own, agent.roleName(), otherwise, agentErrors);
    }

    /**
     * Sets the opener of the devices of {@code sluice:rdma}. A test on a machine without an RDMA device opens the
     * software device, {@code (environment, options) -> SoftwareDevice.open(environment, directory)}, and the program
     * stays as it is; figures of that say nothing about a network. Default: {@link RdmaDevices#open}.
     *
     * @param value opens a device by what a channel asks for, on the thread that adds the first publication or
     *              subscription over it, which of an asynchronous add is the set-up thread. Whoever adds gets what it
     *              throws, or a NullPointerException for null. The device belongs to the transport, which closes it.
     * @return this.
     * @throws IllegalStateException when a transport has this context.
     */
    public Context rdmaProvider(final BiFunction<Environment, RdmaDeviceOptions, RdmaDevice> value) {
        checkNotConcluded();
        rdmaProvider = Objects.requireNonNull(value, "rdmaProvider");
        return this;
    }

    /** {@return the opener of the devices of {@code sluice:rdma}} */
    public BiFunction<Environment, RdmaDeviceOptions, RdmaDevice> rdmaProvider() {
        return rdmaProvider;
    }

    boolean ownsDevice() {
        return ownsDevice;
    }

    PeerRules peerRules() {
        return peerRules;
    }

    @Override
    public String toString() {
        return "Context{clientName=" + clientName + " directory=" + directory + " windowLength=" + windowLength
            + " threadingMode=" + threadingMode + " subscriptionMode=" + subscriptionMode
            + " preSharedKeyFile=" + preSharedKeyFile() + " allowedPeers=" + trust.allowed()
            + " " + timeouts + " " + links + " " + eviction + " " + quotas + " " + pollers + "}";
    }
}

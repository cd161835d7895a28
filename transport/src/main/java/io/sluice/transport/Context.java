package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.status.BackPressureListener;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.rdma.RdmaDevices;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiFunction;
import org.agrona.ErrorHandler;

/**
 * How to launch a {@link Transport}. Fluent; every default is also a system property, see {@link Configuration}. One
 * thread at a time; {@link #conclude()} fills in what is missing, checks everything, and may be called once, so that
 * a context serves one transport.
 */
public final class Context extends ContextTimeouts {
    private int windowLength = SystemProperties.powerOfTwo(
        Configuration.WINDOW_PROP, Configuration.WINDOW_DEFAULT, Configuration.WINDOW_MIN, Configuration.WINDOW_MAX);
    private int receiveDepth = SystemProperties.count(
        Configuration.RECEIVE_DEPTH_PROP, Configuration.RECEIVE_DEPTH_DEFAULT, 1, Configuration.RECEIVE_DEPTH_MAX);
    private int writesInFlight = SystemProperties.count(
        Configuration.WRITES_IN_FLIGHT_PROP, Configuration.WRITES_IN_FLIGHT_DEFAULT, 1,
        Configuration.RECEIVE_DEPTH_MAX);
    private int sendQueueLength = SystemProperties.count(
        Configuration.SEND_QUEUE_LENGTH_PROP, Configuration.SEND_QUEUE_LENGTH_DEFAULT, 1,
        Configuration.SEND_QUEUE_LENGTH_MAX);
    private int signalInterval = SystemProperties.count(
        Configuration.SIGNAL_INTERVAL_PROP, Configuration.SIGNAL_INTERVAL_DEFAULT, 1,
        Configuration.SEND_QUEUE_LENGTH_MAX);
    private int evictBehindPercent = SystemProperties.count(
        Configuration.EVICT_BEHIND_PROP, Configuration.EVICT_BEHIND_DEFAULT, 1, Configuration.EVICT_BEHIND_MAX);
    private ThreadingMode threadingMode =
        SystemProperties.word(Configuration.THREADING_MODE_PROP, ThreadingMode.DEDICATED, ThreadingMode.class);
    private SubscriptionMode subscriptionMode =
        SystemProperties.word(Configuration.SUBSCRIPTION_MODE_PROP, SubscriptionMode.INVOKER, SubscriptionMode.class);
    private PollerOptions pollers = new PollerOptions();
    private String clientName = SystemProperties.clientName();
    private Path directory;
    private Environment environment;
    private RdmaDevice device;
    private boolean ownsDevice;
    private BiFunction<Environment, RdmaDeviceOptions, RdmaDevice> rdmaProvider = RdmaDevices::open;
    private ErrorHandler errorHandler = TransportLog::error;
    private BackPressureListener backPressureListener = change -> { };
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
     */
    public Context conclude() {
        checkNotConcluded();
        ContextRanges.check(this);
        concluded = true;
        if (environment == null) {
            environment = SystemEnvironment.instance();
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
            throw ex.withOrigin(origin);
        }
    }

    @Override
    void checkNotConcluded() {
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
     * Set the number of receives kept posted per link.
     * @param value to use.
     * @return this.
     */
    public Context receiveDepth(final int value) {
        checkNotConcluded();
        receiveDepth = value;
        return this;
    }

    /** {@return the number of receives kept posted per link} */
    public int receiveDepth() {
        return receiveDepth;
    }

    /**
     * Set how far behind a consumer is too slow with {@code slow=evict}, in per cent of the ring or the window.
     * @param value to use.
     * @return this.
     */
    public Context evictBehindPercent(final int value) {
        checkNotConcluded();
        evictBehindPercent = value;
        return this;
    }

    /** {@return how far behind a consumer is too slow, in per cent of the ring or the window} */
    public int evictBehindPercent() {
        return evictBehindPercent;
    }

    /**
     * Set the number of writes per link that are posted and not yet drained by the peer, at most.
     * @param value to use.
     * @return this.
     */
    public Context writesInFlight(final int value) {
        checkNotConcluded();
        writesInFlight = value;
        return this;
    }

    /** {@return the number of writes per link that are posted and not yet drained by the peer, at most} */
    public int writesInFlight() {
        return writesInFlight;
    }

    /**
     * Set the number of send-queue slots per link.
     * @param value to use.
     * @return this.
     */
    public Context sendQueueLength(final int value) {
        checkNotConcluded();
        sendQueueLength = value;
        return this;
    }

    /** {@return the number of send-queue slots per link} */
    public int sendQueueLength() {
        return sendQueueLength;
    }

    /**
     * Set the number of writes of which at least one is signalled.
     * @param value to use.
     * @return this.
     */
    public Context signalInterval(final int value) {
        checkNotConcluded();
        signalInterval = value;
        return this;
    }

    /** {@return the number of writes of which at least one is signalled} */
    public int signalInterval() {
        return signalInterval;
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
     * Set how many pollers serve subscriptions in DEDICATED mode, where they are pinned and how they idle.
     * @param value to use.
     * @return this.
     */
    public Context pollers(final PollerOptions value) {
        checkNotConcluded();
        pollers = Objects.requireNonNull(value, "pollers");
        return this;
    }

    /** {@return how many pollers serve subscriptions in DEDICATED mode, where they are pinned and how they idle} */
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
     * Set the handler of errors, called on the thread of listeners, or where a handler threw: on a polling thread, or
     * on that of callbacks.
     * @param value to use.
     * @return this.
     */
    public Context errorHandler(final ErrorHandler value) {
        checkNotConcluded();
        errorHandler = Objects.requireNonNull(value, "errorHandler");
        return this;
    }

    /** {@return the handler of errors, called on the thread of listeners, or where a handler threw} */
    public ErrorHandler errorHandler() {
        return errorHandler;
    }

    /**
     * Set who is told when any publication or subscription comes under pressure, or out of it.
     * @param value called on the thread of listeners.
     * @return this.
     */
    public Context backPressureListener(final BackPressureListener value) {
        checkNotConcluded();
        backPressureListener = Objects.requireNonNull(value, "backPressureListener");
        return this;
    }

    /** {@return who is told when any publication or subscription comes under pressure, or out of it} */
    public BackPressureListener backPressureListener() {
        return backPressureListener;
    }

    /** Set who opens the devices of {@code sluice:rdma}; what he opens belongs to the transport. */
    Context rdmaProvider(final BiFunction<Environment, RdmaDeviceOptions, RdmaDevice> value) {
        checkNotConcluded();
        rdmaProvider = value;
        return this;
    }

    BiFunction<Environment, RdmaDeviceOptions, RdmaDevice> rdmaProvider() {
        return rdmaProvider;
    }

    @Override
    Context self() {
        return this;
    }

    boolean ownsDevice() {
        return ownsDevice;
    }
}

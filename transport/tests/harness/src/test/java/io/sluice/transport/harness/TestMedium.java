package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.environment.Environment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Context;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.rdma.RdmaDevices;
import io.sluice.verbs.software.FaultHook;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The medium that tests publish and subscribe over: {@code sluice:ipc}, or {@code sluice:rdma} where the system
 * property {@value #PROPERTY} is {@code rdma} or a {@link TestCard} is named, at the first of the {@link RdmaPlaces}.
 * An instance makes the channels of one test: equal names are equal addresses, which no other test has.
 */
public final class TestMedium {
    /** {@code ipc} or {@code rdma}. */
    public static final String PROPERTY = "sluice.test.medium";

    private static final String DEFAULT_NAME = "default";

    private final Map<String, String> addresses = new ConcurrentHashMap<>();

    /** Whether transports meet over {@code sluice:rdma}. */
    public static boolean isRdma() {
        final String medium = System.getProperty(PROPERTY, TestCard.isAsked() ? "rdma" : "ipc");
        if (!medium.equals("ipc") && !medium.equals("rdma")) {
            throw new IllegalArgumentException("unknown medium: " + PROPERTY + "=" + medium + " known=ipc,rdma");
        }
        return medium.equals("rdma");
    }

    /** The name that peers know this process by, or a part of it. */
    public static String identity() {
        return isSoftware() ? Long.toString(ProcessHandle.current().pid()) : RdmaPlaces.assumed().host();
    }

    /** Skip a test of what only transports of one host can do, or do differently. */
    public static void assumeIpc() {
        assumeTrue(!isRdma(), "about sluice:ipc only");
    }

    /** Skip a test, or the rest of it, that looks into the software device or holds a thread inside a write. */
    public static void assumeSoftware() {
        assumeTrue(isSoftware(), "about the insides of the software device");
    }

    private static boolean isSoftware() {
        return !isRdma() || RdmaPlaces.assumed().isSoftware();
    }

    /**
     * A channel of any number of publishing and subscribing transports on {@code sluice:ipc}; over rdma one of them
     * subscribes.
     *
     * @param parameters {@code key=value|key=value}, or nothing.
     * @return the channel, for both sides.
     */
    public String channel(final String parameters) {
        return isRdma() ? rdma("endpoint", "", parameters) : ipc(parameters);
    }

    /** A channel as above, but where over rdma one of the transports publishes, and any number subscribe. */
    public String fanOut(final String parameters) {
        return isRdma() ? rdma("control", "|control-mode=dynamic", parameters) : ipc(parameters);
    }

    /** The channel of one of several publishing transports, whose subscribers subscribe to all of them. */
    public String ofPublisher(final int number, final String parameters) {
        return fanOut(parameters + (isRdma() ? "|endpoint=" + number : ""));
    }

    /** The channels of all of so many publishing transports, {@code a;b;...}, each of which is there once. */
    public String ofAllPublishers(final int count, final String parameters) {
        return IntStream.range(0, count).mapToObj(number -> ofPublisher(number, parameters)).distinct()
            .collect(Collectors.joining(";"));
    }

    private static String ipc(final String parameters) {
        return "sluice:ipc" + (parameters.isEmpty() ? "" : "?" + parameters);
    }

    private String rdma(final String key, final String mode, final String parameters) {
        final List<String> others = new ArrayList<>();
        String name = DEFAULT_NAME;
        for (final String pair : parameters.split("\\|")) {
            assumeTrue(!pair.equals("log=shared") && !pair.equals("completion=memory"),
                "a verbs device shares no memory: " + pair);
            if (pair.startsWith("endpoint=")) {
                name = pair;
            } else if (!pair.isEmpty()) {
                others.add("|" + pair);
            }
        }
        final RdmaPlaces places = RdmaPlaces.assumed();
        final String address = addresses.computeIfAbsent(key + name, any -> places.newAddress());
        return "sluice:rdma?" + key + "=" + address + mode + "|device=" + places.device() + String.join("", others);
    }

    /** The addresses of those who subscribe to {@code channel("")}. */
    List<String> listeners(final RdmaDevice device) {
        return isRdma() ? List.of(addresses.get("endpoint" + DEFAULT_NAME)) : device.listeners("ipc/" + DEFAULT_NAME);
    }

    /** A device that reaches the transports of a test, to be closed by the caller. */
    static RdmaDevice openDevice(final Path directory) {
        return isSoftware()
            ? SoftwareDevice.open(SystemEnvironment.instance(), directory)
            : openVerbs(SystemEnvironment.instance(),
                RdmaDeviceOptions.DEFAULT.withDevice(RdmaPlaces.assumed().device()));
    }

    private static RdmaDevice openVerbs(final Environment environment, final RdmaDeviceOptions options) {
        return TestCard.isAsked() ? TestCard.open(options) : RdmaDevices.open(environment, options);
    }

    /** Give a context the provider of the verbs device that tests are to use. */
    static Context equip(final Context context, final Path directory) {
        return isRdma()
            ? context.rdmaProvider((environment, options) -> RdmaPlaces.assumed().isSoftware()
                ? SoftwareDevice.open(environment, directory) : openVerbs(environment, options))
            : context;
    }

    /**
     * Equip a context as above, but with a device that another one is put in front of.
     *
     * @return a device that was given to the context, to be closed by the caller after its transport; or null.
     */
    static RdmaDevice equip(
        final Context context, final Path directory, final UnaryOperator<RdmaDevice> front) {
        if (isRdma()) {
            context.rdmaProvider((environment, options) -> front.apply(RdmaPlaces.assumed().isSoftware()
                ? SoftwareDevice.open(environment, directory) : openVerbs(environment, options)));
            return null;
        }
        final RdmaDevice device = front.apply(SoftwareDevice.open(SystemEnvironment.instance(), directory));
        context.device(device);
        return device;
    }

    /**
     * Equip a context with a device that another one is put in front of, and that has faults behind it.
     *
     * @return a device that was given to the context, to be closed by the caller after its transport; or null.
     */
    static RdmaDevice equip(
        final Context context, final Path directory, final FaultHook hook, final UnaryOperator<RdmaDevice> front) {
        if (isRdma()) {
            context.rdmaProvider((environment, options) ->
                front.apply(open(environment, options, directory, hook)));
            return null;
        }
        final RdmaDevice device =
            front.apply(SoftwareDevice.open(SystemEnvironment.instance(), directory, hook));
        context.device(device);
        return device;
    }

    private static RdmaDevice open(
        final Environment environment, final RdmaDeviceOptions options, final Path directory, final FaultHook hook) {
        return RdmaPlaces.assumed().isSoftware()
            ? SoftwareDevice.open(environment, directory, hook)
            : new HookedDevice(openVerbs(environment, options), hook);
    }
}

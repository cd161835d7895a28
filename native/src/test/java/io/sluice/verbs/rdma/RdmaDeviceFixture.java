package io.sluice.verbs.rdma;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.DeviceFixture;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.TestProperties;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A verbs device opened twice, or two devices that reach each other: system property {@value #DEVICES} names them,
 * {@value #HOST} the address of the second one, {@value #INTERFACE} the completion interface, {@value #POSTING} the
 * posting interface.
 */
public final class RdmaDeviceFixture implements DeviceFixture {
    /** One name or two, separated by a comma. */
    public static final String DEVICES = "sluice.verbs.rdma.devices";
    /** An IPv4 address; without it, the one that is in the port's GID, as with RoCE. */
    public static final String HOST = "sluice.verbs.rdma.host";
    /** Name of a {@link CompletionInterface}. */
    public static final String INTERFACE = "sluice.verbs.rdma.completion";
    /** Name of a {@link PostingInterface}. */
    public static final String POSTING = "sluice.verbs.rdma.posting";

    private static final AtomicInteger PORTS = new AtomicInteger(41000);
    private static final int IPV4_OFFSET = 12;
    private static final Set<Ability> ABILITIES = EnumSet.of(
        Ability.RESIZES, Ability.FAILS_QUEUE_PAIRS_AFTER_OVERRUN, Ability.HAS_CHANNEL_DESCRIPTORS,
        Ability.ANNOUNCES_SOLICITED_ONLY, Ability.REACHES_OTHER_PROGRAMS);

    private final String[] names = System.getProperty(DEVICES, RdmaDevices.names().getFirst()).split(",");
    private final CompletionInterface completionInterface;
    private final PostingInterface postingInterface;
    private final String variant;
    /** The host at which the second device listens. */
    private String host = System.getProperty(HOST);

    /** Create a fixture by the interfaces that the system properties name. */
    public RdmaDeviceFixture() {
        this(TestProperties.word(INTERFACE, CompletionInterface.AUTO, CompletionInterface.class),
            TestProperties.word(POSTING, PostingInterface.WORK_REQUESTS, PostingInterface.class), "");
    }

    private RdmaDeviceFixture(
        final CompletionInterface completionInterface, final PostingInterface postingInterface, final String variant) {
        this.completionInterface = completionInterface;
        this.postingInterface = postingInterface;
        this.variant = variant;
    }

    private VerbsDevice open(final String name) {
        return (VerbsDevice) RdmaDevices.open(SystemEnvironment.instance(),
            RdmaDeviceOptions.DEFAULT.withDevice(name).withCompletionInterface(completionInterface)
                .withPostingInterface(postingInterface));
    }

    @Override
    public Devices open() {
        return new OpenedDevices(open(names[0]), open(names[names.length - 1]));
    }

    /** Extended queues only where they are the ones that suit best: others are known to be broken. */
    @Override
    public Stream<DeviceFixture> variants() {
        final CompletionInterface best;
        try (VerbsDevice device = (VerbsDevice) RdmaDevices.open(
            SystemEnvironment.instance(), RdmaDeviceOptions.DEFAULT.withDevice(names[0]))) {
            best = device.completionChoice().chosen();
        }
        return Stream.of(best, CompletionInterface.LEGACY).distinct()
            .flatMap(queues -> Stream.of(PostingInterface.values()).map(posts -> new RdmaDeviceFixture(
                queues, posts, " " + queues.name().toLowerCase(Locale.ROOT) + " queues, "
                    + posts.name().toLowerCase(Locale.ROOT).replace('_', ' '))));
    }

    @Override
    public boolean has(final Ability ability) {
        return ABILITIES.contains(ability);
    }

    @Override
    public synchronized String newAddress() {
        if (host == null) {
            try (VerbsDevice device = open(names[names.length - 1])) {
                host = hostOf(device.context().ports().last().gid());
            }
        }
        return host + ":" + PORTS.getAndIncrement();
    }

    private static String hostOf(final byte[] gid) {
        return (gid[IPV4_OFFSET] & 0xff) + "." + (gid[IPV4_OFFSET + 1] & 0xff) + "." + (gid[IPV4_OFFSET + 2] & 0xff)
            + "." + (gid[IPV4_OFFSET + 3] & 0xff);
    }

    @Override
    public String toString() {
        return "rdma(" + String.join(",", names) + ")" + variant;
    }

    private record OpenedDevices(RdmaDevice first, RdmaDevice second) implements Devices {
        @Override
        public void close() {
            first.close();
            second.close();
        }
    }
}

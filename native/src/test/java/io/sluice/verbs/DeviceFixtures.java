package io.sluice.verbs;

import io.sluice.verbs.rdma.RdmaDevices;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The providers that the behavioural suite runs against: the software device, and the rdma one where there is a device;
 * or the fixtures whose class names the system property {@value #PROPERTY} lists.
 */
public final class DeviceFixtures {
    /** Class names of fixtures, separated by commas. */
    public static final String PROPERTY = "sluice.verbs.fixtures";
    private static final String SOFTWARE = "io.sluice.verbs.software.SoftwareDeviceFixture";
    private static final String RDMA = "io.sluice.verbs.rdma.RdmaDeviceFixture";

    private DeviceFixtures() {
    }

    /**
     * Find the fixtures; for {@code @MethodSource}.
     *
     * @return the fixtures.
     */
    public static Stream<DeviceFixture> all() {
        return Arrays.stream(System.getProperty(PROPERTY, available()).split(",")).map(DeviceFixtures::load);
    }

    /**
     * Find the variants of the fixtures; for {@code @MethodSource}.
     *
     * @return the fixtures with each of their interfaces.
     */
    public static Stream<DeviceFixture> variants() {
        return all().flatMap(DeviceFixture::variants);
    }

    private static String available() {
        return whyNoRdma().isEmpty() ? SOFTWARE + "," + RDMA : SOFTWARE;
    }

    /**
     * The reason why the suite does not run against the rdma provider here.
     *
     * @return the reason, empty when there is a device.
     */
    public static String whyNoRdma() {
        try {
            return RdmaDevices.names().isEmpty() ? "this machine has no RDMA device" : "";
        } catch (final VerbsException e) {
            return e.getMessage();
        }
    }

    private static DeviceFixture load(final String name) {
        try {
            return (DeviceFixture) Class.forName(name.trim()).getDeclaredConstructor().newInstance();
        } catch (final ReflectiveOperationException e) {
            throw new IllegalArgumentException(PROPERTY + " names no fixture: " + name, e);
        }
    }
}

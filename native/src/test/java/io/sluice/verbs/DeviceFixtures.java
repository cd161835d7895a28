package io.sluice.verbs;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The providers that the behavioural suite runs against: the software device, or the fixtures whose class names the
 * system property {@value #PROPERTY} lists.
 */
public final class DeviceFixtures {
    /** Class names of fixtures, separated by commas. */
    public static final String PROPERTY = "sluice.verbs.fixtures";
    private static final String DEFAULT = "io.sluice.verbs.software.SoftwareDeviceFixture";

    private DeviceFixtures() {
    }

    /**
     * For {@code @MethodSource}.
     *
     * @return the fixtures.
     */
    public static Stream<DeviceFixture> all() {
        return Arrays.stream(System.getProperty(PROPERTY, DEFAULT).split(",")).map(DeviceFixtures::load);
    }

    private static DeviceFixture load(final String name) {
        try {
            return (DeviceFixture) Class.forName(name.trim()).getDeclaredConstructor().newInstance();
        } catch (final ReflectiveOperationException e) {
            throw new IllegalArgumentException(PROPERTY + " names no fixture: " + name, e);
        }
    }
}

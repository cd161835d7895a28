package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.verbs.TestProperties;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The verbs device that tests of the librpma binding find: {@code native/lab/rpma} says so by system properties.
 * Thread-safe.
 */
final class RpmaPlace {
    /** IPv4 address of a verbs device of this machine. */
    static final String ADDRESS_PROP_NAME = "sluice.rpma.address";
    /** {@code true} where a library or a device that is not there fails a test, which is skipped else. */
    static final String REQUIRE_PROP_NAME = "sluice.rpma.require";

    private static final AtomicInteger PORTS = new AtomicInteger(42000);

    private RpmaPlace() {
    }

    /** Address of the device; skips the test when there is none, or fails it. */
    static String address() {
        final String address = System.getProperty(ADDRESS_PROP_NAME);
        require(address != null, ADDRESS_PROP_NAME + " is not set: native/lab/rpma has a device");
        return address;
    }

    /** Skips the test when what it needs is not there, or fails it. */
    static void require(final boolean isThere, final String reason) {
        if (TestProperties.flag(REQUIRE_PROP_NAME)) {
            assertTrue(isThere, reason);
        } else {
            assumeTrue(isThere, reason);
        }
    }

    /** A port that no other test listens at. */
    static int newPort() {
        return PORTS.getAndIncrement();
    }
}

package io.sluice.verbs.software;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.DeviceFixture;
import io.sluice.verbs.RdmaDevice;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Two software devices on a fabric of their own. */
public final class SoftwareDeviceFixture implements DeviceFixture {
    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    @Override
    public Devices open() {
        return new SoftwareDevices();
    }

    @Override
    public boolean has(final Ability ability) {
        return ability != Ability.REACHES_OTHER_PROGRAMS && ability != Ability.HAS_CHANNEL_DESCRIPTORS;
    }

    @Override
    public String newAddress() {
        return "127.0.0.1:" + (40000 + ADDRESSES.getAndIncrement());
    }

    @Override
    public String toString() {
        return "software";
    }

    private static final class SoftwareDevices implements Devices {
        private final TemporaryFabric fabric = new TemporaryFabric();
        private final SoftwareDevice first = open(fabric.path());
        private final SoftwareDevice second = open(fabric.path());

        private static SoftwareDevice open(final Path path) {
            return SoftwareDevice.open(SystemEnvironment.instance(), path);
        }

        @Override
        public RdmaDevice first() {
            return first;
        }

        @Override
        public RdmaDevice second() {
            return second;
        }

        @Override
        public void close() {
            try {
                first.close();
                second.close();
                if (first.abandonedMappings() + second.abandonedMappings() != 0) {
                    throw new AssertionError("abandoned mappings: " + first.abandonedMappings() + " and "
                        + second.abandonedMappings());
                }
            } finally {
                fabric.close();
            }
        }
    }
}

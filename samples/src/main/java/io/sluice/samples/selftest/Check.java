package io.sluice.samples.selftest;

import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.RdmaDevice;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One thing that is tried on a device. Immutable.
 *
 * @param name    in the report.
 * @param meaning for who reads that it has failed: what a device does when it has not.
 * @param isThere whether a device has what is tried.
 * @param lack    why it is not tried where a device has not.
 * @param action  does it, and returns in a few words what it has found, or throws what is wrong.
 */
record Check(
    String name,
    String meaning,
    Predicate<DeviceAttributes> isThere,
    String lack,
    Function<RdmaDevice, String> action) {
    /** Makes a check of what each device has. */
    Check(final String name, final String meaning, final Function<RdmaDevice, String> action) {
        this(name, meaning, attributes -> true, "", action);
    }
}

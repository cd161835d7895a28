package io.sluice.samples.selftest;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.CompletionInterface;
import io.sluice.verbs.rdma.PostingInterface;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.rdma.RdmaDevices;
import io.sluice.verbs.software.SoftwareDevice;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All checks of a device by each of its interfaces, a line each. It holds no address: the lines can be sent to
 * anybody. One thread.
 */
public final class SelfTest {
    /** The name of the device in shared memory. */
    public static final String SOFTWARE = "software";

    private static final List<CompletionInterface> COMPLETIONS =
        List.of(CompletionInterface.EXTENDED, CompletionInterface.LEGACY);
    private static final Map<String, Function<RdmaDevice, String>> CHECKS = new LinkedHashMap<>();

    static {
        CHECKS.put("ordering", Checks::ordering);
        CHECKS.put("inline", Checks::inline);
        CHECKS.put("full queue", Checks::fullQueue);
        CHECKS.put("resize", Checks::resize);
        CHECKS.put("destroy", Checks::destroy);
        CHECKS.put("overrun", Checks::overrun);
        CHECKS.put("latency", Checks::latency);
        CHECKS.put("drain", Checks::drain);
    }

    private final Consumer<String> lines;
    private int checks;
    private int failures;

    /**
     * A test that has not run.
     *
     * @param lines told each line, without its end.
     */
    public SelfTest(final Consumer<String> lines) {
        this.lines = lines;
    }

    /**
     * Run all checks on the device in shared memory.
     *
     * @param environment of this process.
     * @param directory   for the device's files, empty.
     * @return checks that have failed.
     */
    public int runSoftware(final Environment environment, final Path directory) {
        run("shared memory", () -> SoftwareDevice.open(environment, directory));
        return failures;
    }

    /**
     * Run all checks on a device of libibverbs, by each interface that it has.
     *
     * @param environment of this process.
     * @param name        of the device.
     * @return checks that have failed.
     */
    public int run(final Environment environment, final String name) {
        for (final CompletionInterface completions : COMPLETIONS) {
            for (final PostingInterface posting : PostingInterface.values()) {
                run("completions=" + completions + " posting=" + posting, () -> RdmaDevices.open(environment,
                    new RdmaDeviceOptions(name, RdmaDeviceOptions.ANY_PORT, RdmaDeviceOptions.BEST_GID, completions,
                        posting)));
            }
        }
        return failures;
    }

    /**
     * Checks that were made: none when no interface of the device can be used.
     *
     * @return those that have failed included.
     */
    public int checks() {
        return checks;
    }

    private void run(final String title, final Supplier<RdmaDevice> opening) {
        lines.accept("");
        lines.accept(title);
        final RdmaDevice device;
        try {
            device = opening.get();
        } catch (final VerbsException e) {
            lines.accept("  refused: " + e.getMessage());
            return;
        }
        try (device) {
            attributes(device.attributes());
            if (device.attributes().reliableConnected()) {
                CHECKS.forEach((name, check) -> check(name, () -> check.apply(device)));
            } else {
                lines.accept("  no reliable connected queue pairs: nothing to check");
            }
        } catch (final VerbsException e) {
            fail("close", e);
        }
    }

    private void attributes(final DeviceAttributes attributes) {
        for (final RecordComponent component : DeviceAttributes.class.getRecordComponents()) {
            try {
                lines.accept("  " + component.getName() + "=" + component.getAccessor().invoke(attributes));
            } catch (final ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    private void check(final String name, final Supplier<String> check) {
        checks++;
        try {
            lines.accept(String.format(Locale.ROOT, "  ok      %-10s %s", name, check.get()));
        } catch (final VerbsException | CheckFailure | IllegalStateException e) {
            fail(name, e);
        }
    }

    private void fail(final String name, final RuntimeException cause) {
        failures++;
        lines.accept(String.format(Locale.ROOT, "  FAILED  %-10s %s", name, cause.getMessage()));
    }
}

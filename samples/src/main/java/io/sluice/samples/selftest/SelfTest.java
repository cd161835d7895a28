package io.sluice.samples.selftest;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.model.Model;
import io.sluice.verbs.model.ModelCard;
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
import java.util.function.BiConsumer;
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
    private final Consumer<String> lines;
    private final Map<String, Function<RdmaDevice, String>> all = new LinkedHashMap<>();
    private int checks;
    private int failures;

    /**
     * A test that has not run.
     *
     * @param lines told each line, without its end.
     */
    public SelfTest(final Consumer<String> lines) {
        this(lines, 1);
    }

    /**
     * A shorter test that has not run, whose figures tell little.
     *
     * @param lines   told each line, without its end.
     * @param divisor of how often everything is done, at most 50.
     */
    public SelfTest(final Consumer<String> lines, final int divisor) {
        this.lines = lines;
        final Checks some = new Checks(divisor);
        all.put("ordering", some::ordering);
        all.put("inline", some::inline);
        all.put("full queue", some::fullQueue);
        all.put("resize", some::resize);
        all.put("destroy", some::destroy);
        all.put("overrun", some::overrun);
        all.put("latency", some::latency);
        all.put("drain", some::drain);
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
        forEachInterface((title, options) ->
            run(title, () -> RdmaDevices.open(environment, options.withDevice(name))));
        return failures;
    }

    /**
     * Run all checks on a model of a provider.
     *
     * @param environment of this process.
     * @param name        of the card.
     * @return checks that have failed.
     * @throws VerbsException        when this machine does not have the libraries, by which a model is described.
     * @throws IllegalStateException when this JVM's calls may not call Java, with the flag to start it with.
     */
    public int runModel(final Environment environment, final String name) {
        final ModelCard card =
            ModelCard.all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
        return run(new Model(card, environment));
    }

    /**
     * Run all checks on a model, by each interface that it has. A use that the true device would not survive counts as
     * a check that has failed.
     *
     * @param model to open.
     * @return checks that have failed.
     */
    public int run(final Model model) {
        forEachInterface((title, options) -> {
            run(title, () -> model.open(options));
            model.violations().take().forEach(what -> fail("model", what));
        });
        return failures;
    }

    private static void forEachInterface(final BiConsumer<String, RdmaDeviceOptions> action) {
        for (final CompletionInterface completions : COMPLETIONS) {
            for (final PostingInterface posting : PostingInterface.values()) {
                action.accept("completions=" + completions + " posting=" + posting,
                    RdmaDeviceOptions.DEFAULT.withCompletionInterface(completions).withPostingInterface(posting));
            }
        }
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
                all.forEach((name, check) -> check(name, () -> check.apply(device)));
            } else {
                lines.accept("  no reliable connected queue pairs: nothing to check");
            }
        } catch (final VerbsException e) {
            fail("close", e.getMessage());
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
            fail(name, e.getMessage());
        }
    }

    private void fail(final String name, final String cause) {
        failures++;
        lines.accept(String.format(Locale.ROOT, "  FAILED  %-10s %s", name, cause));
    }
}

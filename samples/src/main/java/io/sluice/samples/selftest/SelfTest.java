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
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All checks of a device by each of its interfaces, a line before and a line after each. A check that does not end in
 * its time hangs: its thread cannot be ended where it is in native code, and what it uses cannot be closed, so the
 * device stays open, and the test goes on with the next interface by a device of its own. One thread.
 */
public final class SelfTest {
    /** The name of the device in shared memory. */
    public static final String SOFTWARE = "software";

    private static final List<CompletionInterface> COMPLETIONS =
        List.of(CompletionInterface.EXTENDED, CompletionInterface.LEGACY);
    /** Far more than a check takes, on an emulated machine too. */
    private static final long BOUND_NS = TimeUnit.MINUTES.toNanos(4);
    private static final String OPEN = "open";
    private static final String CLOSE = "close";

    private final Report report;
    private final long boundNs;
    private final Map<String, Function<RdmaDevice, String>> connected = new LinkedHashMap<>();
    private final Map<String, Function<RdmaDevice, String>> datagrams = new LinkedHashMap<>();
    private int checks;
    private int failures;
    private boolean hasHung;

    /**
     * A test that has not run.
     *
     * @param report to write to; not closed.
     */
    public SelfTest(final Report report) {
        this(report, 1);
    }

    /**
     * A shorter test that has not run, whose figures tell little.
     *
     * @param report  to write to; not closed.
     * @param divisor of how often everything is done, at most 50.
     */
    public SelfTest(final Report report, final int divisor) {
        this(report, divisor, BOUND_NS);
    }

    /** With a time in which each check must end. */
    SelfTest(final Report report, final int divisor, final long boundNs) {
        this.report = report;
        this.boundNs = boundNs;
        final Checks some = new Checks(divisor);
        connected.put("ordering", some::ordering);
        connected.put("inline", some::inline);
        connected.put("full queue", FullQueueCheck::run);
        connected.put("resize", some::resize);
        connected.put("destroy", some::destroy);
        connected.put("overrun", OverrunCheck::run);
        connected.put("latency", some::latency);
        connected.put("drain", some::drain);
        final DatagramChecks others = new DatagramChecks(divisor);
        datagrams.put("datagram arrival", others::arrival);
        datagrams.put("datagram inline", others::inline);
        datagrams.put("datagram full queue", others::fullQueue);
        datagrams.put("datagram destroy", others::destroy);
        datagrams.put("datagram overrun", OverrunCheck::runDatagrams);
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

    /**
     * Whether something has not ended. Its thread is there still, and so {@link System#exit} may wait for ever.
     *
     * @return true when a line of the report tells so.
     */
    public boolean hasHung() {
        return hasHung;
    }

    /**
     * Run all checks on a device by one interface.
     *
     * @param opening makes the device, which is closed.
     * @return checks that have failed, those before included.
     */
    int run(final String title, final Supplier<RdmaDevice> opening) {
        report.line("");
        report.line(title);
        trying(OPEN);
        final Step<RdmaDevice> open = Step.run(OPEN, boundNs, opening::get);
        if (open.failure() instanceof final VerbsException refusal) {
            report.line("  refused: " + refusal.getMessage());
        } else if (isDone(OPEN, open)) {
            final RdmaDevice device = open.result();
            attributes(device.attributes());
            if (checkAll(device)) {
                trying(CLOSE);
                isDone(CLOSE, Step.run(CLOSE, boundNs, () -> {
                    device.close();
                    return null;
                }));
            }
        }
        return failures;
    }

    private void trying(final String name) {
        report.line("  trying  " + name);
    }

    private void attributes(final DeviceAttributes attributes) {
        for (final RecordComponent component : DeviceAttributes.class.getRecordComponents()) {
            try {
                report.line("  " + component.getName() + "=" + component.getAccessor().invoke(attributes));
            } catch (final ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** False when one hangs. */
    private boolean checkAll(final RdmaDevice device) {
        if (!device.attributes().reliableConnected()) {
            report.line("  no reliable connected queue pairs");
        } else if (!checkAll(device, connected)) {
            return false;
        }
        if (device.attributes().maxDatagramLength() == 0) {
            report.line("  no datagrams");
            return true;
        }
        return checkAll(device, datagrams);
    }

    private boolean checkAll(final RdmaDevice device, final Map<String, Function<RdmaDevice, String>> some) {
        for (final Map.Entry<String, Function<RdmaDevice, String>> each : some.entrySet()) {
            final String name = each.getKey();
            checks++;
            trying(name);
            final Step<String> step = Step.run(name, boundNs, () -> each.getValue().apply(device));
            if (isDone(name, step)) {
                tell("ok", name, step.result());
            } else if (step.isHung()) {
                report.line("  the device is left as it is, with the checks that would follow");
                return false;
            }
        }
        return true;
    }

    private boolean isDone(final String name, final Step<?> step) {
        if (step.isHung()) {
            hasHung = true;
            failures++;
            tell("hangs", name, "has not ended within " + TimeUnit.NANOSECONDS.toSeconds(boundNs) + " s");
            return false;
        }
        if (step.failure() != null) {
            fail(name, step.cause());
            return false;
        }
        return true;
    }

    private void fail(final String name, final String cause) {
        failures++;
        tell("FAILED", name, cause);
    }

    private void tell(final String verdict, final String name, final String what) {
        report.line(String.format(Locale.ROOT, "  %-7s %-19s %s", verdict, name, what));
    }
}

package io.sluice.samples.selftest;

import io.sluice.environment.Environment;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.DeviceDescription;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.model.Model;
import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.rdma.CompletionInterface;
import io.sluice.verbs.rdma.PostingInterface;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.rdma.RdmaDevices;
import io.sluice.verbs.software.SoftwareDevice;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * All checks of a device by each of its interfaces, named while they run, and told afterwards. A check that does not
 * end in its time hangs: its thread cannot be ended where it is in native code, and what it uses cannot be closed, so
 * the device stays open, and the test goes on with the next interface by a device of its own. One thread.
 */
public final class SelfTest {
    /** The name of the device in shared memory. */
    public static final String SOFTWARE = "software";

    private static final List<CompletionInterface> COMPLETIONS =
        List.of(CompletionInterface.EXTENDED, CompletionInterface.LEGACY);
    /** The time limit in nanoseconds: far more than a check takes, on an emulated machine too. */
    private static final long BOUND_NS = TimeUnit.MINUTES.toNanos(4);
    private static final String OPEN = "open";
    private static final String CLOSE = "close";
    private static final String DESCRIBE = "describe";
    private static final String NOT_THERE = "not there";

    private final Report report;
    private final long boundNs;
    private final List<Check> connected;
    private final List<Check> datagrams;
    /** Attributes that were told last; none in the beginning. */
    private Map<String, String> attributes = Map.of();
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

    /** A test with a time in which each check must end. */
    SelfTest(final Report report, final int divisor, final long boundNs) {
        this.report = report;
        this.boundNs = boundNs;
        connected = connected(divisor);
        datagrams = datagrams(divisor);
    }

    private static List<Check> connected(final int divisor) {
        final Checks some = new Checks(divisor);
        return List.of(
            new Check("ordering", "writes arrive whole and in order", some::ordering),
            new Check("queues", "work completes in the queue that it was given, of sends, of receives or of both",
                device -> QueuesCheck.run(device, divisor)),
            new Check("events", "an armed queue wakes who waits, also when it was armed twice",
                device -> EventCheck.run(device, Loop.TIMEOUT_NS, divisor)),
            new Check("inline", "inline bytes are copied by the post, up to the length that was granted", some::inline),
            new Check("full queue", "a full queue answers ENOMEM, nothing is lost, and there is room again",
                FullQueueCheck::run),
            new Check("resize", "a queue is resized under its poller, and nothing is lost",
                DeviceAttributes::completionQueueResizing, "the device resizes no completion queue", some::resize),
            new Check("destroy", "a queue pair goes while another thread posts and polls", some::destroy),
            new Check("overrun", "an event tells of a completion queue that runs over", OverrunCheck::run),
            new Check("read", "READs bring the bytes there are, in order",
                limits -> limits.maxReadAtomic() > 0 && limits.maxDestinationReadAtomic() > 0,
                "the device has no READs", ReadCheck::run),
            new Check("atomics", "atomics change a word as asked, and tell what it was",
                limits -> limits.atomics() && limits.maxReadAtomic() > 0 && limits.maxDestinationReadAtomic() > 0,
                "the device has no atomics", AtomicCheck::run),
            new Check("shared receives", "queue pairs draw on one receive queue, each receive is used once",
                limits -> limits.maxSharedReceiveWorkRequests() > 0, "the device has no shared receive queues",
                device -> SharedReceivesCheck.run(device, Loop.TIMEOUT_NS, divisor)),
            new Check("latency", "a byte goes to the other queue pair", some::latency),
            new Check("drain", "completions that wait are polled", some::drain));
    }

    private static List<Check> datagrams(final int divisor) {
        final DatagramChecks some = new DatagramChecks(divisor);
        return List.of(
            new Check("datagram arrival", "datagrams arrive whole and once, nearly all of them", some::arrival),
            new Check("datagram events", "an armed queue wakes who waits, also when it was armed twice",
                device -> EventCheck.runDatagrams(device, Loop.TIMEOUT_NS, divisor)),
            new Check("datagram inline", "inline bytes are copied by the post, up to the length that was granted",
                some::inline),
            new Check("datagram full queue", "a full queue answers ENOMEM, and there is room again", some::fullQueue),
            new Check("datagram destroy", "a queue pair goes while another thread posts and polls", some::destroy),
            new Check("datagram overrun", "an event tells of a completion queue that runs over",
                OverrunCheck::runDatagrams));
    }

    /**
     * Run all checks on the device in shared memory.
     *
     * @param environment of this process.
     * @param directory   for the device's files, empty.
     * @return checks that have failed.
     */
    public int runSoftware(final Environment environment, final Path directory) {
        if (survey(SoftwareDevice::describe, port -> "")) {
            run("shared memory", () -> SoftwareDevice.open(environment, directory));
        }
        return failures;
    }

    /**
     * Run all checks on a device of libibverbs, by each interface that it has. No other device is opened.
     *
     * @param environment of this process.
     * @param name        of the device.
     * @param rate        of a port by its number, or nothing.
     * @return checks that have failed.
     */
    public int run(final Environment environment, final String name, final IntFunction<String> rate) {
        if (survey(() -> RdmaDevices.describe(environment, name, CompletionInterface.AUTO), rate)) {
            forEachInterface((title, options) ->
                run(title, () -> RdmaDevices.open(environment, options.withDevice(name))));
        }
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
        if (survey(() -> model.describe(CompletionInterface.AUTO), port -> "")) {
            forEachInterface((title, options) -> {
                run(title, () -> model.open(options));
                model.violations().take().forEach(what -> {
                    checks++;
                    fail("model", what, "a true device does not survive this use of it, and Sluice should not make it");
                });
            });
        }
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
     * Tell what a device is. Where it hangs nothing is tried that would hang as well.
     *
     * @param description opens and closes the device.
     * @param rate        of a port by its number, or nothing.
     * @return false when there is nothing to check.
     */
    boolean survey(final Supplier<DeviceDescription> description, final IntFunction<String> rate) {
        report.trying(DESCRIBE);
        final Step<DeviceDescription> step = Step.run(DESCRIBE, boundNs, description::get);
        if (step.failure() instanceof final VerbsException refusal) {
            report.line("refused: " + refusal.getMessage());
            return false;
        }
        if (!isDone(DESCRIBE, "the device is opened, asked what it is, and closed", step)) {
            return false;
        }
        DeviceFacts.of(step.result(), rate).forEach(report::line);
        return true;
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
        report.trying(OPEN);
        final Step<RdmaDevice> open = Step.run(OPEN, boundNs, opening::get);
        if (open.failure() instanceof final VerbsException refusal) {
            report.line("  refused: " + refusal.getMessage());
        } else if (isDone(OPEN, "the device opens", open)) {
            final RdmaDevice device = open.result();
            tell(DeviceFacts.of(device.attributes()));
            if (checkAll(device)) {
                report.trying(CLOSE);
                isDone(CLOSE, "all that was made is given back, and the device closes",
                    Step.run(CLOSE, boundNs, () -> {
                        device.close();
                        return null;
                    }));
            }
        }
        return failures;
    }

    /** Tells all attributes at first, and then those that differ. */
    private void tell(final Map<String, String> now) {
        if (now.equals(attributes)) {
            report.line("  attributes as before");
        }
        now.forEach((name, value) -> {
            if (!value.equals(attributes.get(name))) {
                report.line("  " + name + "=" + value);
            }
        });
        attributes = now;
    }

    /** Runs all checks; false when one hangs. */
    private boolean checkAll(final RdmaDevice device) {
        if (!device.attributes().reliableConnected()) {
            tell(NOT_THERE, "connected", "the device has no reliable connected queue pairs");
        } else if (!checkAll(device, connected)) {
            return false;
        }
        if (device.attributes().maxDatagramLength() == 0) {
            tell(NOT_THERE, "datagrams", "the device has no datagram queue pairs");
            return true;
        }
        return checkAll(device, datagrams);
    }

    private boolean checkAll(final RdmaDevice device, final List<Check> some) {
        for (final Check check : some) {
            if (!check.isThere().test(device.attributes())) {
                tell(NOT_THERE, check.name(), check.lack());
                continue;
            }
            checks++;
            report.trying(check.name());
            final Step<String> step = Step.run(check.name(), boundNs, () -> check.action().apply(device));
            if (step.failure() == null) {
                tell("ok", check.name(), step.result());
            } else {
                tellFailure(check.name(), check.meaning(), step);
            }
            if (step.isHung()) {
                report.line("  the device is left as it is, with the checks that would follow");
                return false;
            }
        }
        return true;
    }

    /** Whether a step has succeeded: one that is no check counts as a check when it fails. */
    private boolean isDone(final String name, final String meaning, final Step<?> step) {
        if (step.failure() == null) {
            return true;
        }
        checks++;
        tellFailure(name, meaning, step);
        return false;
    }

    private void tellFailure(final String name, final String meaning, final Step<?> step) {
        if (step.isHung()) {
            hasHung = true;
            failures++;
            tell("hangs", name, "has not ended within " + TimeUnit.NANOSECONDS.toSeconds(boundNs) + " s");
            tellMeaning(meaning);
        } else {
            fail(name, step.cause(), meaning);
        }
    }

    private void fail(final String name, final String cause, final String meaning) {
        failures++;
        tell("FAILED", name, cause);
        tellMeaning(meaning);
    }

    private void tellMeaning(final String meaning) {
        tell("", "", "-> due: " + meaning);
    }

    private void tell(final String verdict, final String name, final String what) {
        report.line(String.format(Locale.ROOT, "  %-9s %-19s %s", verdict, name, what));
    }
}

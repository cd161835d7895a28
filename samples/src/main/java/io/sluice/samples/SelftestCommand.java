package io.sluice.samples;

import io.sluice.environment.ProcessEnd;
import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.machine.KernelFacts;
import io.sluice.samples.machine.Machine;
import io.sluice.samples.machine.RdmaSurvey;
import io.sluice.samples.machine.SystemMachine;
import io.sluice.samples.selftest.Report;
import io.sluice.samples.selftest.SelfTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice selftest}: whether a device does what the transport relies on, for somebody with a card.
 */
@Command(
    name = "selftest",
    description = {"Checks for some minutes whether a device does what streams rely on, by each interface that it has,",
        "and writes a report without addresses, to be sent to whoever maintains this. The report has each line at",
        "once: where it ends in the middle, its last line tells what has hung."},
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class SelftestCommand implements Callable<Integer> {
    private static final int SHORT_DIVISOR = 10;
    /** Ends a JVM whose threads cannot be stopped: {@code java -jar} has it only when somebody names it. */
    private static final String SAFEPOINT_LIMIT = "-XX:+AbortVMOnSafepointTimeout";
    /** The name of the property that the script sets which starts this. */
    private static final String COMMIT_PROP_NAME = "selftest.commit";
    /** The names of settings in the environment that providers of rdma-core look for. */
    private static final Pattern LIBRARY_SETTING = Pattern.compile("(?:MLX|RDMAV|IBV|EFA|HNS|RXE)[A-Z0-9]*_.*");

    /** One of the two. */
    private static final class Tested {
        @Option(names = "--device", order = 1, paramLabel = "NAME", required = true,
            description = "Of ./sluice devices; software is the device in shared memory.")
        private String device;

        @Option(names = "--model", order = 2, paramLabel = "NAME", arity = "0..1", required = true,
            fallbackValue = ModelOption.NONE,
            description = "A model of a provider of rdma-core instead of a device: what its report tells is how Java "
                + "that stands for it behaves. Without NAME the models there are.")
        private String model;
    }

    @ArgGroup(multiplicity = "1")
    private Tested tested;

    @Option(names = "--report", order = 3, paramLabel = "FILE",
        description = "Where the report goes. Default: sluice-selftest-NAME.txt")
    private Path file;

    @Option(names = "--short", order = 4,
        description = "Do everything a tenth as often, for an emulated machine: its figures tell less.")
    private boolean isShort;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() {
        final Output output = new Output(command.commandLine().getOut());
        if (ModelOption.NONE.equals(tested.model)) {
            output.print(ModelOption.names());
            return ExitCode.OK;
        }
        if (tested.model != null) {
            ModelOption.check(command, tested.model);
        }
        final Path path = file != null ? file : Path.of(Report.fileName(name()));
        // before anything can hang
        final ProcessEnd end = ProcessEnd.prepare();
        final boolean hasHung;
        final int result;
        try (Report report = Report.to(path, line -> output.print(line + System.lineSeparator()))) {
            final SelfTest test = new SelfTest(report, isShort ? SHORT_DIVISOR : 1);
            result = run(test, report) && test.checks() > 0 ? ExitCode.OK : ExitCode.SOFTWARE;
            hasHung = test.hasHung();
            output.print("the report is in " + path + System.lineSeparator());
        } catch (final IOException | UncheckedIOException e) {
            throw new RunFailure("cannot write the report: " + e, e);
        }
        if (hasHung) {
            end.now(ExitCode.SOFTWARE);
        }
        return result;
    }

    /** Whether all went well. */
    private boolean run(final SelfTest test, final Report report) throws IOException {
        // nothing of this opens a device
        final String version = new VersionProvider().getVersion()[0];
        final String commit = System.getProperty(COMMIT_PROP_NAME, "");
        report.line("Self-test of " + name() + " by " + version + (commit.isEmpty() ? "" : " of commit " + commit)
            + (isShort ? ", short" : ""));
        if (tested.model != null) {
            report.line("This report is of a model, and of no device: Java behaves as rdma-core's provider "
                + tested.model + " was read to. It tells nothing of a card, and its times nothing at all.");
        }
        report.line("not there: the device has none, no fault. refused: Sluice does not use it so, no fault. FAILED, "
            + "hangs: a fault of card, driver or Sluice, and the arrow says what is due. trying, at the end: it hung.");
        final Machine machine = new SystemMachine();
        report.line(Report.version(KernelFacts.ofMachine(machine)));
        report.line("settings: " + settings());
        if (!machine.jvmFlags().contains(SAFEPOINT_LIMIT)) {
            report.line("this JVM has no " + SAFEPOINT_LIMIT + ", as the launcher gives it: a device that hangs in a "
                + "call may hang it, too, and then it is to be killed");
        }
        if (tested.model == null && !tested.device.equals(SelfTest.SOFTWARE)) {
            tellDriver(report, machine);
        }
        final int failures = run(test, machine);
        report.line("");
        if (failures > 0) {
            report.line("Send all of this to whoever maintains Sluice, with what the kernel said meanwhile (dmesg), "
                + "without its addresses.");
        }
        report.line(test.checks() == 0 ? "nothing could be checked"
            : String.format(Locale.ROOT, "%d of %d checks failed", failures, test.checks()));
        return failures == 0;
    }

    /** Settings that change how Sluice or the libraries of a device behave. */
    private static String settings() {
        final Map<String, String> settings = new TreeMap<>();
        System.getProperties().stringPropertyNames().stream().filter(name -> name.startsWith("sluice."))
            .forEach(name -> settings.put(name, System.getProperty(name)));
        System.getenv().forEach((name, value) -> {
            if (LIBRARY_SETTING.matcher(name).matches()) {
                settings.put(name, value);
            }
        });
        return settings.isEmpty() ? "none" : settings.entrySet().stream()
            .map(setting -> setting.getKey() + "=" + setting.getValue()).collect(Collectors.joining(", "));
    }

    private void tellDriver(final Report report, final Machine machine) {
        report.trying("what the kernel tells of " + tested.device);
        final String driver = KernelFacts.ofDevice(machine, tested.device);
        report.line(driver.isEmpty() ? "the kernel tells nothing of a driver" : Report.version(driver));
        report.trying("to load libibverbs");
        report.line("rdma-core=" + Report.version(RdmaSurvey.libraries()));
    }

    private String name() {
        return tested.model == null ? tested.device : "model-" + tested.model;
    }

    private int run(final SelfTest test, final Machine machine) {
        if (tested.model != null) {
            return ModelOption.result(() -> test.runModel(SystemEnvironment.instance(), tested.model));
        }
        return tested.device.equals(SelfTest.SOFTWARE) ? runSoftware(test)
            : test.run(SystemEnvironment.instance(), tested.device,
                port -> KernelFacts.rate(machine, tested.device, port));
    }

    private static int runSoftware(final SelfTest test) {
        try {
            final Path folder = Files.createTempDirectory("sluice-selftest");
            try {
                return test.runSoftware(SystemEnvironment.instance(), folder.resolve("fabric"));
            } finally {
                try (Stream<Path> left = Files.walk(folder)) {
                    left.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
                }
            }
        } catch (final IOException e) {
            throw new RunFailure("cannot use a folder for the software device: " + e);
        }
    }
}

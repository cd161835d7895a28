package io.sluice.samples;

import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.machine.RdmaSurvey;
import io.sluice.samples.selftest.SelfTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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
        "and writes a report without addresses, to be sent to whoever maintains this."},
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class SelftestCommand implements Callable<Integer> {
    private static final int SHORT_DIVISOR = 10;

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
    private Path report;

    @Option(names = "--short", order = 4,
        description = "Do everything a tenth as often, for an emulated machine: its figures tell less.")
    private boolean isShort;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() {
        if (tested.model != null) {
            ModelOption.check(command, tested.model);
        }
        final Output output = new Output(command.commandLine().getOut());
        final List<String> lines = new ArrayList<>();
        final Consumer<String> told = line -> {
            lines.add(line);
            output.print(line + System.lineSeparator());
        };
        final SelfTest test = new SelfTest(told, isShort ? SHORT_DIVISOR : 1);
        if (tested.model != null) {
            told.accept("This report is of a model, and of no device: Java behaves as rdma-core's provider "
                + tested.model + " was read to. It tells nothing of a card, and its times nothing at all.");
        }
        lines.add(machine());
        final int failures = run(test);
        final Path file = report == null ? Path.of("sluice-selftest-" + name() + ".txt") : report;
        try {
            Files.write(file, lines);
        } catch (final IOException e) {
            throw new RunFailure("cannot write the report: " + e);
        }
        output.print(String.format(Locale.ROOT,
            "%n%d of %d checks failed; the report is in %s%n", failures, test.checks(), file));
        return failures == 0 && test.checks() > 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private String name() {
        return tested.model == null ? tested.device : "model-" + tested.model;
    }

    private int run(final SelfTest test) {
        if (tested.model != null) {
            return ModelOption.result(() -> test.runModel(SystemEnvironment.instance(), tested.model));
        }
        return tested.device.equals(SelfTest.SOFTWARE) ? runSoftware(test)
            : test.run(SystemEnvironment.instance(), tested.device);
    }

    private String machine() {
        final RdmaSurvey survey = RdmaSurvey.take(SystemEnvironment.instance(), "AUTO");
        final String subject = tested.model != null ? "model=" + tested.model
            : "device=" + tested.device + " model=" + survey.devices().stream()
                .filter(each -> each.name().equals(tested.device))
                .map(each -> each.provider() + " " + each.model()).findFirst().orElse("");
        return subject + " rdma-core=" + survey.libraryVersion() + " java=" + System.getProperty("java.version")
            + " kernel=" + System.getProperty("os.version") + " processors="
            + Runtime.getRuntime().availableProcessors() + (isShort ? " short" : "");
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

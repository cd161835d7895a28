package io.sluice.transport.simulation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The {@code simulate} command: runs the {@link Simulation} of one seed or of many. It ends with 0 when all was well in
 * all of them, with 1 when it was not, and with 2 for bad arguments.
 */
@Command(
    name = "simulate",
    description = "Run whole transports on a virtual clock with one thread, with faults drawn from a seed, and check "
        + "after every step what must hold. The same seed is the same run.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class SimulateCommand implements Callable<Integer> {
    private static final int HELP_WIDTH = 100;
    private static final long SEEDS_PER_LINE = 100;
    private static final Path TRACES = Path.of("target", "simulation");

    @ArgGroup
    private Choice choice = new Choice();

    @Option(names = "--stop-at-first", description = "End at the first seed that fails, without its trace.")
    private boolean stopsAtFirst;

    private SimulateCommand() {
    }

    /** The choice of what to run. */
    private static final class Choice {
        @Option(
            names = "--seeds",
            paramLabel = "A..B",
            converter = SeedRangeConverter.class,
            description = "Run these seeds; one that fails is run again with its trace. Default: those of the build, "
                + "1..1000.")
        private SeedRange seeds = SeedRange.OF_BUILD;

        @Option(names = "--seed", paramLabel = "N", description = "Run one seed and print its whole trace.")
        private Long seed;
    }

    /** Reads a range. */
    private static final class SeedRangeConverter implements ITypeConverter<SeedRange> {
        @Override
        public SeedRange convert(final String text) {
            try {
                return SeedRange.parse(text);
            } catch (final IllegalArgumentException ex) {
                throw new TypeConversionException("'" + text + "': " + ex.getMessage());
            }
        }
    }

    /**
     * Run the command and end the process with its exit code.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new SimulateCommand())
            .setUsageHelpWidth(HELP_WIDTH)
            .setParameterExceptionHandler((mistake, args) -> {
                mistake.getCommandLine().getErr().println("sluice simulate: " + mistake.getMessage());
                return ExitCode.USAGE;
            });
    }

    @Override
    public Integer call() throws IOException {
        final SeedRuns runs = new SeedRuns(System.out, TRACES);
        final boolean isWell = choice.seed == null ? runAll(runs, choice.seeds) : runOne(runs, choice.seed);
        return isWell ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static boolean runOne(final SeedRuns runs, final long seed) {
        try {
            runs.run(seed, new Trace(System.out));
        } catch (final AssertionError ex) {
            ex.printStackTrace(System.out);
            return false;
        }
        System.out.println(runs);
        return true;
    }

    private boolean runAll(final SeedRuns runs, final SeedRange seeds) throws IOException {
        for (long seed = seeds.first(); seed <= seeds.last(); seed++) {
            if (!runs.run(seed, !stopsAtFirst) && stopsAtFirst) {
                return false;
            }
            if (seed % SEEDS_PER_LINE == 0 && seed < seeds.last()) {
                System.out.println("up to seed " + seed + ": " + runs);
            }
        }
        final boolean areEnough = seeds.count() >= Coverage.SEEDS_ENOUGH && !stopsAtFirst;
        final List<String> gaps = areEnough ? runs.cover(seeds) : runs.coverage().gaps();
        System.out.println(runs);
        System.out.println(runs.coverage().table());
        if (!gaps.isEmpty()) {
            System.out.println((areEnough ? "not covered: " : "not covered by so few seeds: ") + gaps.size()
                + " pairs, " + gaps.getFirst() + " and so on");
        }
        if (!runs.failed().isEmpty()) {
            System.out.println("seeds that failed: " + runs.failed());
        }
        return runs.failed().isEmpty() && (gaps.isEmpty() || !areEnough);
    }
}

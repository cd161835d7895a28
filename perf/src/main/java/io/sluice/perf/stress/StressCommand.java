package io.sluice.perf.stress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jcstress.Main;

/**
 * The {@code jcstress} command: jcstress with the flags that its forks need. It ends with 0 when no test saw what it
 * must not, with 1 when one did, and with 2 for bad arguments.
 */
public final class StressCommand {
    /** Flags of the forked JVMs, which inherit none. */
    private static final String FORK_FLAGS =
        "--add-opens java.base/jdk.internal.misc=ALL-UNNAMED --enable-native-access=ALL-UNNAMED";
    private static final int EXIT_FORBIDDEN_OUTCOME = 1;
    private static final int EXIT_USAGE = 2;
    /** jcstress's own help needs another version of its option parser than JMH, with which it shares the class path. */
    private static final String USAGE = """
        Usage: ./sluice jcstress [OPTIONS]
        Concurrency stress tests. Without options all of them run for some minutes.

          -t REGEXP        only tests whose name matches
          -m MODE          how hard: sanity, quick, default, tough or stress
          -time MS         time of one iteration
          -iters N         iterations per fork
          -f N             forks per test and compiler mode
          -sc BOOL         whether the actors of a test are also compiled by different compilers (default true)
          -c N             processors to use
          -r DIR           where the HTML report goes (default target/jcstress/results)
          -l               list the tests
          -v, -vv, -vvv    say more, successful tests included
        """;

    private StressCommand() {
    }

    /**
     * Run.
     *
     * @param args jcstress's.
     * @throws Exception when jcstress itself fails.
     */
    public static void main(final String[] args) throws Exception {
        if (Arrays.stream(args).anyMatch(arg -> arg.equals("-h") || arg.equals("--help"))) {
            System.out.print(USAGE);
            return;
        }
        final List<String> all = new ArrayList<>(List.of("-jvmArgsPrepend", FORK_FLAGS));
        all.addAll(List.of(args));
        try {
            Main.main(all.toArray(String[]::new));
        } catch (final AssertionError ex) {
            System.err.println(ex.getMessage());
            System.exit(EXIT_FORBIDDEN_OUTCOME);
        } catch (final NoSuchMethodError ex) {
            // it has printed what is wrong with the arguments, and fails to print its help
            System.err.print(USAGE);
            System.exit(EXIT_USAGE);
        }
    }
}

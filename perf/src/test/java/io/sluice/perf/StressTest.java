package io.sluice.perf;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.perf.stress.StressCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the jcstress tests for a short time, each in every compiler mode: {@code ./sluice jcstress} runs them for
 * longer. The build leaves it out, since it takes minutes of all cores: {@code .ci/run} runs it by itself.
 */
@Tag("stress")
class StressTest {
    private static final int ACTORS = 2;
    private static final int LIMIT_SECONDS = 600;
    private static final String PACKAGE = StressCommand.class.getPackageName();
    private static final String TESTS = "OfferScan|AppendScan|ClaimScan|EntryGuard|TailHandOver"
        + "|LeaseWake|FlushedTail|TokenRequest|TwoClaimers|TwoWritersPost|SharedTailHandOver|UnblockCommit";
    /** Compiler modes: the interpreter, each compiler alone, and one with its passes in random order. */
    private static final int RUNS_PER_TEST_MIN = 3;
    private static final String ACCESS_FLAGS = "@" + Path.of("../.config/jvm/access").toAbsolutePath().normalize();
    private static final Pattern COUNTS = Pattern.compile(
        "Results: (\\d+) planned; (\\d+) passed, (\\d+) failed, (\\d+) soft errs, (\\d+) hard errs");

    @Test
    @Timeout(value = LIMIT_SECONDS, unit = TimeUnit.SECONDS)
    void shouldSeeNoForbiddenOutcome() throws IOException, InterruptedException {
        assumeTrue(Runtime.getRuntime().availableProcessors() >= ACTORS, "jcstress needs a processor for each actor");
        final Path folder = Files.createDirectories(Path.of("target", "jcstress"));
        final Path log = folder.resolve("jcstress.log");

        final int exitCode = run(folder, log);

        final String output = Files.readString(log);
        final MatchResult counts = lastCounts(output);
        assertAll(
            () -> assertEquals(0, exitCode, output),
            () -> assertEquals(counts.group(1), counts.group(2), output),
            () -> assertTrue(
                Integer.parseInt(counts.group(1)) >= TESTS.split("\\|").length * RUNS_PER_TEST_MIN, output));
    }

    private static int run(Path folder, Path log) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(ACCESS_FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), StressCommand.class.getName()));
        command.addAll(List.of("-t", PACKAGE + ".(" + TESTS + ")", "-m", "quick", "-iters", "1", "-time", "200"));
        // the actors of a test are compiled by the same compiler: a quarter of the runs
        command.addAll(List.of("-sc", "false", "-pth", "false"));
        final Process process = new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
        try {
            return process.waitFor();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** The last of the many progress lines. */
    private static MatchResult lastCounts(String output) {
        return COUNTS.matcher(output).results().reduce((first, second) -> second)
            .orElseThrow(() -> new AssertionError(output));
    }
}

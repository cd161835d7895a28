package io.sluice.transport.harness;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests in a machine that has nothing to build with, and prints what was run, how long it took, and what was
 * skipped, with the reasons. Arguments: names of classes, or methods as {@code class#method}. The system property
 * {@value #ALLOWED_SKIPS} names a file of parts of reasons, one a line: a skip for another reason has failed. The
 * property {@value #TIMEOUT} is how long a test may take, as JUnit has it. Exit code 0 when something passed and
 * nothing failed.
 */
public final class TestProgram implements TestExecutionListener {
    /** Lines that begin with a number sign are for people. */
    static final String ALLOWED_SKIPS = "sluice.test.allowed.skips";

    static final String TIMEOUT = "sluice.test.timeout";

    /** Emulation is slow. */
    private static final String DEFAULT_TIMEOUT = "1800 s";

    private final PrintStream output = System.out;
    private final List<String> allowedSkips;
    private final Map<String, Long> beginnings = new HashMap<>();
    private TestPlan plan;
    private int passed;
    private int failed;
    private int skipped;

    private TestProgram(final List<String> allowedSkips) {
        this.allowedSkips = allowedSkips;
    }

    private static List<String> allowedSkips() throws IOException {
        final String file = System.getProperty(ALLOWED_SKIPS);
        return file == null
            ? List.of("")
            : Files.readAllLines(Path.of(file)).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    }

    public static void main(final String[] arguments) throws IOException {
        final LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
            .configurationParameter(
                "junit.jupiter.execution.timeout.default", System.getProperty(TIMEOUT, DEFAULT_TIMEOUT));
        for (final String name : arguments) {
            request.selectors(name.contains("#") ? selectMethod(name) : selectClass(name));
        }
        final TestProgram program = new TestProgram(allowedSkips());
        LauncherFactory.create().execute(request.build(), program);
        program.output.println(
            program.passed + " passed, " + program.failed + " failed, " + program.skipped + " skipped");
        System.exit(program.failed == 0 && program.passed > 0 ? 0 : 1);
    }

    @Override
    public void testPlanExecutionStarted(final TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionStarted(final TestIdentifier test) {
        beginnings.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionSkipped(final TestIdentifier test, final String reason) {
        onSkipped(test, reason);
    }

    @Override
    public void executionFinished(final TestIdentifier test, final TestExecutionResult result) {
        switch (result.getStatus()) {
            case ABORTED -> onSkipped(test, result.getThrowable().map(Throwable::getMessage).orElse(""));
            case FAILED -> {
                failed++;
                output.println("FAILED " + nameOf(test) + timeOf(test));
                result.getThrowable().ifPresent(failure -> failure.printStackTrace(output));
            }
            default -> {
                if (test.isTest()) {
                    passed++;
                    output.println("passed " + nameOf(test) + timeOf(test));
                }
            }
        }
    }

    private void onSkipped(final TestIdentifier test, final String reason) {
        final boolean isAllowed = allowedSkips.stream().anyMatch(reason::contains);
        if (isAllowed) {
            skipped++;
        } else {
            failed++;
        }
        output.println(
            (isAllowed ? "skipped " : "FAILED by a skip that is not allowed ") + nameOf(test) + ": " + reason);
    }

    private String timeOf(final TestIdentifier test) {
        final long ns = System.nanoTime() - beginnings.get(test.getUniqueId());
        return ", " + TimeUnit.NANOSECONDS.toSeconds(ns) + " s";
    }

    private String nameOf(final TestIdentifier test) {
        final String parent = plan.getParent(test).map(TestIdentifier::getLegacyReportingName).orElse("");
        return parent + " " + test.getLegacyReportingName() + " " + test.getDisplayName();
    }
}

package io.sluice.transport.harness;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintStream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests in a machine that has nothing to build with, and prints what was run and what was skipped, with the
 * reasons. Arguments: names of classes, or methods as {@code class#method}. Exit code 0 when something passed and
 * nothing failed.
 */
public final class TestProgram implements TestExecutionListener {
    /** Emulation is slow. */
    private static final String TIMEOUT = "1800 s";

    private final PrintStream output = System.out;
    private TestPlan plan;
    private int passed;
    private int failed;
    private int skipped;

    private TestProgram() {
    }

    public static void main(final String[] arguments) {
        final LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
            .configurationParameter("junit.jupiter.execution.timeout.default", TIMEOUT);
        for (final String name : arguments) {
            request.selectors(name.contains("#") ? selectMethod(name) : selectClass(name));
        }
        final TestProgram program = new TestProgram();
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
    public void executionSkipped(final TestIdentifier test, final String reason) {
        onSkipped(test, reason);
    }

    @Override
    public void executionFinished(final TestIdentifier test, final TestExecutionResult result) {
        switch (result.getStatus()) {
            case ABORTED -> onSkipped(test, result.getThrowable().map(Throwable::getMessage).orElse(""));
            case FAILED -> {
                failed++;
                output.println("FAILED " + nameOf(test));
                result.getThrowable().ifPresent(failure -> failure.printStackTrace(output));
            }
            default -> {
                if (test.isTest()) {
                    passed++;
                    output.println("passed " + nameOf(test));
                }
            }
        }
    }

    private void onSkipped(final TestIdentifier test, final String reason) {
        skipped++;
        output.println("skipped " + nameOf(test) + ": " + reason);
    }

    private String nameOf(final TestIdentifier test) {
        final String parent = plan.getParent(test).map(TestIdentifier::getLegacyReportingName).orElse("");
        return parent + " " + test.getLegacyReportingName() + " " + test.getDisplayName();
    }
}

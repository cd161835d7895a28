package io.sluice.verbs;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the behavioural suite in a machine that has a verbs device and nothing to build with, and prints what was run
 * and what was skipped, with the reasons. A skip whose reason is not among the allowed ones fails it. Arguments: the
 * file of the allowed reasons, then patterns of class names, or methods as {@code class#method}; none for the whole
 * suite.
 */
public final class SuiteProgram implements TestExecutionListener {
    private static final String WHOLE_SUITE = "io\\.sluice\\.verbs\\.([A-Z]\\w*|rdma\\.\\w+)Test";

    /** Emulation is slow, and a test that is given up leaves threads behind that use what is closed then. */
    private static final String TIMEOUT = "900 s";

    private final PrintStream output = System.out;
    private final List<String> allowedSkips;
    private final Map<String, String> skipped = new TreeMap<>();
    private TestPlan plan;
    private int succeeded;
    private int failed;

    private SuiteProgram(final List<String> allowedSkips) {
        this.allowedSkips = allowedSkips;
    }

    public static void main(final String[] arguments) throws IOException {
        final SuiteProgram program = new SuiteProgram(Files.readAllLines(Path.of(arguments[0])));
        LauncherFactory.create().execute(request(List.of(arguments).subList(1, arguments.length)), program);
        System.exit(program.conclude());
    }

    private static LauncherDiscoveryRequest request(final List<String> selection) {
        final LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request()
            .configurationParameter("junit.jupiter.execution.timeout.default", TIMEOUT);
        final String[] patterns = selection.stream().filter(name -> !name.contains("#")).toArray(String[]::new);
        selection.stream().filter(name -> name.contains("#")).forEach(name -> builder.selectors(selectMethod(name)));
        if (selection.isEmpty() || patterns.length > 0) {
            builder.selectors(selectPackage("io.sluice.verbs"))
                .filters(includeClassNamePatterns(selection.isEmpty() ? new String[] {WHOLE_SUITE} : patterns));
        }
        return builder.build();
    }

    @Override
    public void testPlanExecutionStarted(final TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionSkipped(final TestIdentifier test, final String reason) {
        skipped.put(nameOf(test), reason);
    }

    @Override
    public void executionFinished(final TestIdentifier test, final TestExecutionResult result) {
        switch (result.getStatus()) {
            case ABORTED -> skipped.put(nameOf(test), result.getThrowable().map(Throwable::getMessage).orElse(""));
            case FAILED -> {
                failed++;
                output.println("FAILED " + nameOf(test));
                result.getThrowable().ifPresent(failure -> failure.printStackTrace(output));
            }
            default -> {
                if (test.isTest()) {
                    succeeded++;
                    output.println("passed " + nameOf(test));
                }
            }
        }
    }

    private String nameOf(final TestIdentifier test) {
        final String parent = plan.getParent(test).map(TestIdentifier::getLegacyReportingName).orElse("");
        return parent + " " + test.getLegacyReportingName() + " " + test.getDisplayName();
    }

    private int conclude() {
        int notAllowed = 0;
        for (final Map.Entry<String, String> skip : skipped.entrySet()) {
            final boolean isAllowed = allowedSkips.stream()
                .anyMatch(line -> !line.isBlank() && !line.startsWith("#") && skip.getValue().contains(line));
            output.println((isAllowed ? "skipped " : "SKIPPED, which is not allowed: ") + skip.getKey() + ": "
                + skip.getValue());
            notAllowed += isAllowed ? 0 : 1;
        }
        output.println(System.getProperty(DeviceFixtures.PROPERTY, "all fixtures") + ": " + succeeded + " passed, "
            + failed + " failed, " + skipped.size() + " skipped, " + notAllowed + " of them not allowed");
        return failed == 0 && notAllowed == 0 && succeeded > 0 ? 0 : 1;
    }
}

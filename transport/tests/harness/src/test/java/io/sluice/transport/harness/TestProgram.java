package io.sluice.transport.harness;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.sluice.transport.Transport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests in a machine that has nothing to build with, and prints what was run, how long it took, and what was
 * skipped, with the reasons. Arguments: names of classes, or methods as {@code class#method}, whatever parameters those
 * take; a class of the transport's tests needs no package. The system property {@value #ALLOWED_SKIPS} names a file of
 * parts of reasons, one a line: a skip for another reason has failed. The property {@value #TIMEOUT} is how long a test
 * may take, as JUnit has it, {@value #EXCLUDED} tags whose tests are left out, an expression of JUnit's. Exit code 0
 * when something passed and nothing failed, or when tags left nothing to be run; 2 when a name is that of no test: then
 * nothing is run, and no test has failed.
 */
public final class TestProgram implements TestExecutionListener {
    /** Lines that begin with a number sign are for people. */
    static final String ALLOWED_SKIPS = "sluice.test.allowed.skips";

    static final String TIMEOUT = "sluice.test.timeout";

    static final String EXCLUDED = "sluice.test.excluded";

    /** Emulation is slow. */
    private static final String DEFAULT_TIMEOUT = "1800 s";

    private static final int ALL_PASSED = 0;
    private static final int NOT_ALL_PASSED = 1;
    private static final int NO_SUCH_TEST = 2;

    private final PrintStream output;
    private final List<String> allowedSkips;
    private final Map<String, Long> beginnings = new HashMap<>();
    private TestPlan plan;
    private int passed;
    private int failed;
    private int skipped;

    private TestProgram(final List<String> allowedSkips, final PrintStream output) {
        this.allowedSkips = allowedSkips;
        this.output = output;
    }

    private static List<String> allowedSkips() throws IOException {
        final String file = System.getProperty(ALLOWED_SKIPS);
        return file == null
            ? List.of("")
            : Files.readAllLines(Path.of(file)).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    }

    public static void main(final String[] arguments) throws IOException {
        System.exit(run(List.of(arguments), allowedSkips(), System.out));
    }

    /** Run tests by their names; the exit code. */
    static int run(final List<String> names, final List<String> allowedSkips, final PrintStream output) {
        final Launcher launcher = LauncherFactory.create();
        final List<DiscoverySelector> selectors = new ArrayList<>();
        for (final String name : names) {
            final List<? extends DiscoverySelector> named = select(name);
            // a name that was changed elsewhere must not look like a test that fails
            if (named.isEmpty() || !launcher.discover(request(named)).containsTests()) {
                output.println("no such test: " + name);
                return NO_SUCH_TEST;
            }
            selectors.addAll(named);
        }
        final LauncherDiscoveryRequest left = request(selectors, filters());
        if (!launcher.discover(left).containsTests()) {
            output.println("nothing to run: " + EXCLUDED + "=" + System.getProperty(EXCLUDED));
            return ALL_PASSED;
        }
        final TestProgram program = new TestProgram(allowedSkips, output);
        launcher.execute(left, program);
        output.println(program.passed + " passed, " + program.failed + " failed, " + program.skipped + " skipped");
        return program.failed == 0 && program.passed > 0 ? ALL_PASSED : NOT_ALL_PASSED;
    }

    private static Filter<?>[] filters() {
        final String tags = System.getProperty(EXCLUDED);
        return tags == null ? new Filter<?>[0] : new Filter<?>[] {TagFilter.excludeTags(tags)};
    }

    private static LauncherDiscoveryRequest request(
        final List<? extends DiscoverySelector> selectors, final Filter<?>... filters) {
        return LauncherDiscoveryRequestBuilder.request()
            .configurationParameter(
                "junit.jupiter.execution.timeout.default", System.getProperty(TIMEOUT, DEFAULT_TIMEOUT))
            .selectors(selectors)
            .filters(filters)
            .build();
    }

    /** A class, or all its methods of a name. */
    private static List<? extends DiscoverySelector> select(final String name) {
        final String[] parts = name.split("#", 2);
        final Class<?> found = classNamed(parts[0]);
        if (found == null) {
            return List.of();
        }
        return parts.length == 1
            ? List.of(selectClass(found))
            : ReflectionSupport.findMethods(
                found, method -> method.getName().equals(parts[1]), HierarchyTraversalMode.TOP_DOWN).stream()
                .map(method -> selectMethod(found, method)).toList();
    }

    /** The class of a name with or without its package, or null. */
    private static Class<?> classNamed(final String name) {
        if (!name.contains(".")) {
            final List<Class<?>> found = ReflectionSupport.findAllClassesInPackage(
                Transport.class.getPackageName(), candidate -> true, candidate -> candidate.endsWith("." + name));
            return found.size() == 1 ? found.getFirst() : null;
        }
        try {
            return Class.forName(name, false, TestProgram.class.getClassLoader());
        } catch (final ClassNotFoundException ex) {
            return null;
        }
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

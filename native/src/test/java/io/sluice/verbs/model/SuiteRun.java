package io.sluice.verbs.model;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import io.sluice.verbs.DeviceFixtures;
import io.sluice.verbs.rdma.PostingInterface;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** One run of the behavioural suite, or of some classes of it, over a model card. The thread of the tests. */
final class SuiteRun implements TestExecutionListener {
    private final List<String> failures = new ArrayList<>();
    private final List<Pattern> leftOut = new ArrayList<>();
    private int passed;

    private SuiteRun() {
        // by run
    }

    /**
     * Run, but for the tests that are left out.
     *
     * @param card     below the provider.
     * @param posting  interface to post sends by.
     * @param classes  pattern of the names of classes.
     * @param leftOut  patterns of classes and methods.
     */
    static SuiteRun of(
        final ModelCard card, final PostingInterface posting, final String classes, final List<String> leftOut) {
        final Map<String, String> properties = Map.of(
            DeviceFixtures.PROPERTY, ModelDeviceFixture.class.getName(),
            ModelDeviceFixture.CARD, card.name(), ModelDeviceFixture.POSTING, posting.name());
        final Map<String, String> before = new HashMap<>();
        properties.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
        try {
            final SuiteRun run = new SuiteRun();
            leftOut.forEach(pattern -> run.leftOut.add(Pattern.compile(pattern)));
            final LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage("io.sluice.verbs"))
                .filters(includeClassNamePatterns("io\\.sluice\\.verbs\\.(" + classes + ")Test"),
                    (PostDiscoveryFilter) run::filter)
                .build();
            LauncherFactory.create(LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build())
                .execute(request, run);
            return run;
        } finally {
            before.forEach((name, value) -> {
                if (value == null) {
                    System.clearProperty(name);
                } else {
                    System.setProperty(name, value);
                }
            });
        }
    }

    private FilterResult filter(final TestDescriptor test) {
        return FilterResult.includedIf(!(test.getSource().orElse(null) instanceof MethodSource method
            && leftOut.stream().anyMatch(pattern -> pattern.matcher(nameOf(method)).matches())));
    }

    private static String nameOf(final MethodSource method) {
        return method.getClassName().replaceAll(".*\\.", "") + "#" + method.getMethodName();
    }

    @Override
    public void executionFinished(final TestIdentifier test, final TestExecutionResult result) {
        if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            passed++;
        }
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            final String name = test.getSource().map(source -> source instanceof MethodSource method
                ? nameOf(method) : source.toString()).orElse(test.getDisplayName());
            final Throwable failure = result.getThrowable().orElseThrow();
            failures.add(name + ": " + failure
                + (failure.getCause() == null ? "" : ", " + firstLine(failure.getCause().toString())));
        }
    }

    private static String firstLine(final String text) {
        return text.lines().findFirst().orElse("");
    }

    /** One line each. */
    List<String> failures() {
        return failures;
    }

    int passed() {
        return passed;
    }
}

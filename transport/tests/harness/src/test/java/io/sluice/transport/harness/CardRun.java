package io.sluice.transport.harness;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.sluice.verbs.model.ModelCard;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** One run of a class of tests over a model card, within this JVM. The thread of the tests. */
public final class CardRun implements TestExecutionListener {
    private static final String TIMEOUT = "120 s";

    private final Map<String, String> failures = new TreeMap<>();
    private int passed;

    private CardRun() {
        // by of
    }

    /** Run. */
    public static CardRun of(final ModelCard card, final Class<?> tests) {
        System.setProperty(TestCard.PROPERTY, card.name());
        try {
            final CardRun run = new CardRun();
            LauncherFactory.create(LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build())
                .execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests))
                    .configurationParameter("junit.jupiter.execution.timeout.default", TIMEOUT).build(), run);
            return run;
        } finally {
            System.clearProperty(TestCard.PROPERTY);
        }
    }

    @Override
    public void executionFinished(final TestIdentifier test, final TestExecutionResult result) {
        if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            passed++;
        }
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            final String name = test.getSource().orElse(null) instanceof MethodSource method
                ? method.getMethodName() : test.getDisplayName();
            failures.put(name, String.valueOf(result.getThrowable().orElse(null)));
        }
    }

    /** Errors of the tests that failed, by the names of their methods. */
    public Map<String, String> failures() {
        return failures;
    }

    public int passed() {
        return passed;
    }
}

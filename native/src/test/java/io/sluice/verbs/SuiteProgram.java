package io.sluice.verbs;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.IOException;
import java.util.List;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the behavioural suite, or other tests of this module, in a machine that has a verbs device and perhaps nothing
 * to build with, and prints what was run and what was skipped, with the reasons. A skip whose reason is not among the
 * allowed ones fails it. Arguments: patterns of class names, or methods as {@code class#method}; none for the whole
 * suite of the verbs.
 */
public final class SuiteProgram {
    /**
     * The tests of the suite without those that have a script for a library: they run in the build, and this machine
     * may be slow.
     */
    private static final String WHOLE_SUITE =
        "io\\.sluice\\.verbs\\.([A-Z]\\w*|(rdma|foreign)\\.(?!Scripted)\\w+)Test";
    /** Emulation is slow, and more so on a busy machine. */
    private static final String TIMEOUT = "900 s";

    private SuiteProgram() {
    }

    public static void main(final String[] arguments) throws IOException {
        final SuiteReport report = new SuiteReport(System.out);
        LauncherFactory.create(LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build())
            .execute(request(List.of(arguments)), report);
        // Threads of a test that was given up must not keep the program.
        System.exit(report.print(System.out, SuiteReport.allowedSkips()) ? 0 : 1);
    }

    private static LauncherDiscoveryRequest request(final List<String> selection) {
        final LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request()
            .configurationParameter("junit.jupiter.execution.timeout.default", TIMEOUT);
        final String[] patterns = selection.stream().filter(name -> !name.contains("#")).toArray(String[]::new);
        selection.stream().filter(name -> name.contains("#")).forEach(name -> builder.selectors(selectMethod(name)));
        if (selection.isEmpty() || patterns.length > 0) {
            builder.selectors(selectPackage("io.sluice"))
                .filters(includeClassNamePatterns(selection.isEmpty() ? new String[] {WHOLE_SUITE} : patterns));
        }
        return builder.build();
    }
}

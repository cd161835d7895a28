package io.sluice.verbs;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Counts what was run and what was skipped of the behavioural suite, for each provider, and of the tests of the
 * librpma binding, with the reasons. Where the system property {@value #FILE} names a file the summary is written
 * there: in the build, which finds this listener as a service, and which fails when the file says of a skip that it is
 * not allowed, because a listener cannot fail it. The thread of the tests.
 */
public final class SuiteReport implements TestExecutionListener {
    /** The property that names the file which the summary goes to. */
    public static final String FILE = "sluice.verbs.report";
    /** File with the reasons for which a test may be skipped. */
    public static final String ALLOWED_SKIPS = "sluice.verbs.allowed.skips";

    private static final String SUITE = "io.sluice.verbs.";
    private static final List<String> BINDINGS_PACKAGES = List.of("io.sluice.verbs.rdma.", "io.sluice.verbs.foreign.");
    /** Name of what runs without a provider: it needs libraries at most. */
    private static final String BINDINGS = "bindings";
    private static final String LIBRPMA_PACKAGE = "io.sluice.rpma.";
    /** Name of what tests the binding for librpma. */
    private static final String LIBRPMA = "librpma";
    private static final String NONE = "no provider";
    /** More reasons to skip in a build: its machine may lack a device, the lab's privileges, libraries, a compiler. */
    private static final List<String> ALLOWED_IN_BUILD = Stream.of(
        "there are no RDMA devices", "this machine has no RDMA device", "is not installed", "no such function",
        "RDMA needs Linux", "this is not Linux", "are proven on", "this is not x86-64", "recorded on x86-64 only",
        "sluice.rpma.address is not set")
        .flatMap(reason -> Stream.of(BINDINGS + ": " + reason, LIBRPMA + ": " + reason)).toList();
    /** Allowed in the lab only: a build is configured so that its calls may call Java. */
    private static final String REFUSED_IN_BUILD = BINDINGS + ": critical calls must not call Java";
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintStream progress;
    private final Map<String, Tally> tallies = new TreeMap<>();
    private final Map<String, Long> startsNs = new TreeMap<>();
    private Set<String> providers;
    private TestPlan plan;

    /** Create a report that is silent, for the build, which says itself what is going on. */
    public SuiteReport() {
        this(new PrintStream(PrintStream.nullOutputStream()));
    }

    /**
     * Create a report with a line for each test.
     *
     * @param progress where it goes.
     */
    public SuiteReport(final PrintStream progress) {
        this.progress = progress;
    }

    /** The results of the tests of one provider. */
    private static final class Tally {
        private int succeeded;
        private int failed;
        /** Names by reason. */
        private final Map<String, List<String>> skipped = new TreeMap<>();

        private int skips() {
            return skipped.values().stream().mapToInt(List::size).sum();
        }
    }

    @Override
    public void testPlanExecutionStarted(final TestPlan testPlan) {
        plan = testPlan;
        providers = Stream.concat(DeviceFixtures.all(), DeviceFixtures.variants()).map(DeviceFixture::toString)
            .collect(Collectors.toSet());
    }

    @Override
    public void executionStarted(final TestIdentifier test) {
        startsNs.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionSkipped(final TestIdentifier test, final String reason) {
        onSkipped(test, reason);
    }

    @Override
    public void executionFinished(final TestIdentifier test, final TestExecutionResult result) {
        final String provider = providerOf(test);
        if (provider == null) {
            return;
        }
        switch (result.getStatus()) {
            case ABORTED -> onSkipped(test, reasonOf(result));
            case FAILED -> {
                tally(provider).failed++;
                progress.println("FAILED " + provider + " " + nameOf(test));
                result.getThrowable().ifPresent(failure -> failure.printStackTrace(progress));
            }
            default -> {
                if (test.isTest()) {
                    tally(provider).succeeded++;
                    progress.printf(Locale.ROOT, "passed %s %s %.1f s%n", provider, nameOf(test), secondsOf(test));
                }
            }
        }
    }

    private static String reasonOf(final TestExecutionResult result) {
        return result.getThrowable().map(Throwable::getMessage).orElse("no reason")
            .replace("Assumption failed: ", "");
    }

    private void onSkipped(final TestIdentifier test, final String reason) {
        final String provider = providerOf(test);
        if (provider != null) {
            tally(provider).skipped.computeIfAbsent(reason, ignored -> new ArrayList<>()).add(nameOf(test));
            progress.println("skipped " + provider + " " + nameOf(test) + ": " + reason);
        }
    }

    private Tally tally(final String provider) {
        return tallies.computeIfAbsent(provider, ignored -> new Tally());
    }

    private double secondsOf(final TestIdentifier test) {
        final Long startNs = startsNs.remove(test.getUniqueId());
        return startNs == null ? 0 : (System.nanoTime() - startNs) / NANOS_PER_SECOND;
    }

    /** The provider that a test is counted for, or what stands for one; null when it is none of the suite's. */
    private String providerOf(final TestIdentifier test) {
        String className = "";
        for (Optional<TestIdentifier> at = Optional.of(test); at.isPresent(); at = plan.getParent(at.get())) {
            final String name = at.get().getDisplayName();
            if (providers.contains(name)) {
                return name;
            }
            className = classOf(at.get()).orElse(className);
        }
        if (BINDINGS_PACKAGES.stream().anyMatch(className::startsWith)) {
            return BINDINGS;
        }
        if (className.startsWith(LIBRPMA_PACKAGE)) {
            return LIBRPMA;
        }
        // A class as a whole, or the engine, when no provider could even be made.
        return className.isEmpty() || className.lastIndexOf('.') == SUITE.length() - 1 ? NONE : null;
    }

    private static Optional<String> classOf(final TestIdentifier test) {
        return test.getSource().map(source -> source instanceof ClassSource type ? type.getClassName()
            : source instanceof MethodSource method ? method.getClassName() : null);
    }

    private String nameOf(final TestIdentifier test) {
        final String className = classOf(test).orElse("").replace(SUITE, "");
        final String method = test.getSource()
            .map(source -> source instanceof MethodSource found ? found.getMethodName() : "").orElse("");
        final String display = test.getDisplayName();
        return className + "#" + method + (display.startsWith(method) ? "" : " " + display);
    }

    @Override
    public void testPlanExecutionFinished(final TestPlan testPlan) {
        final String file = System.getProperty(FILE);
        if (file != null) {
            try (PrintStream output = new PrintStream(Files.newOutputStream(Path.of(file)), true)) {
                print(output, allowedInBuild(allowedSkips()));
            } catch (final IOException e) {
                throw new IllegalStateException("cannot write " + file, e);
            }
        }
    }

    /** The reasons of the lab that a build may have, and the build's own. */
    static List<String> allowedInBuild(final List<String> allowedInLab) {
        final List<String> allowed = new ArrayList<>(allowedInLab);
        allowed.remove(REFUSED_IN_BUILD);
        allowed.addAll(ALLOWED_IN_BUILD);
        return allowed;
    }

    static List<String> allowedSkips() throws IOException {
        return Files.readAllLines(Path.of(System.getProperty(ALLOWED_SKIPS)));
    }

    /**
     * Print what was run and what was skipped.
     *
     * @param output       where.
     * @param allowedSkips lines {@code PROVIDER: REASON}: beginnings of providers' names and parts of reasons.
     * @return true when something was run, nothing has failed and nothing was skipped that may not be.
     */
    boolean print(final PrintStream output, final List<String> allowedSkips) {
        boolean isGood = tallies.values().stream().anyMatch(tally -> tally.succeeded > 0);
        for (final Map.Entry<String, Tally> entry : tallies.entrySet()) {
            final Tally tally = entry.getValue();
            output.println("  " + entry.getKey() + ": " + tally.succeeded + " passed, " + tally.failed + " failed, "
                + tally.skips() + " skipped");
            isGood &= tally.failed == 0;
            for (final Map.Entry<String, List<String>> skip : tally.skipped.entrySet()) {
                final boolean isAllowed = allows(allowedSkips, entry.getKey(), skip.getKey());
                output.println("    " + skip.getValue().size() + " × " + skip.getKey()
                    + (isAllowed ? "" : " - NOT ALLOWED: " + String.join(", ", skip.getValue())));
                isGood &= isAllowed;
            }
        }
        return isGood;
    }

    static boolean allows(final List<String> allowedSkips, final String provider, final String reason) {
        return allowedSkips.stream().filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(SuiteReport::providerAndReason)
            .anyMatch(parts -> provider.startsWith(parts[0]) && reason.contains(parts[1]));
    }

    private static String[] providerAndReason(final String line) {
        final String[] parts = line.split(": ", 2);
        if (parts.length < 2) {
            throw new IllegalArgumentException("line=" + line + " is not of the form PROVIDER: REASON");
        }
        return parts;
    }
}

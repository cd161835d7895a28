package io.sluice.samples.machine;

import java.util.ArrayList;
import java.util.List;

/** The JDK and its flags. Stateless. */
final class JvmChecks {
    private static final int MIN_RELEASE = 25;

    private JvmChecks() {
    }

    static List<Finding> of(final Machine machine) {
        final List<Finding> findings = new ArrayList<>();
        findings.add(release(machine));
        findings.add(Finding.ok(
            "jvm flags", machine.jvmFlags().isEmpty() ? "none" : String.join(" ", machine.jvmFlags())));
        findings.add(machine.isInternalAccessOpen()
            ? Finding.ok("internal access", "jdk.internal.misc is open to the buffers")
            : Finding.fail("internal access", "jdk.internal.misc is closed, and the buffers need it",
                "start the JVM with --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"));
        findings.add(machine.isNativeAccessEnabled()
            ? Finding.ok("native access", "allowed")
            : Finding.warn("native access", "not allowed explicitly: the JVM warns, and later ones will refuse it",
                "start the JVM with --enable-native-access=ALL-UNNAMED"));
        return findings;
    }

    private static Finding release(final Machine machine) {
        final String text = machine.property("java.vm.name") + " " + machine.property("java.vm.version") + " in "
            + machine.property("java.home");
        final long release = KernelText.number(machine.property("java.specification.version")).orElse(0);
        return release >= MIN_RELEASE
            ? Finding.ok("jdk", text)
            : Finding.fail("jdk", text + " is too old", "install a JDK " + MIN_RELEASE + " or later, for example from"
                + " https://adoptium.net, and set SLUICE_JAVA_HOME to its folder");
    }
}

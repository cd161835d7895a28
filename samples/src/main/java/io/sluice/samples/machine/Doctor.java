package io.sluice.samples.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Looks whether a machine is fit for Sluice, and for RDMA. Stateless; changes nothing. */
public final class Doctor {
    static final String LINUX = "Linux";

    private Doctor() {
    }

    /**
     * Examine a machine.
     *
     * @param machine      to look at.
     * @param sharedFolder that transports of this user share.
     * @return what was found, in the order to show it in.
     */
    public static List<Finding> examine(final Machine machine, final Path sharedFolder) {
        final List<Finding> findings = new ArrayList<>(JvmChecks.of(machine));
        final String system = machine.property("os.name");
        if (LINUX.equals(system)) {
            findings.add(Finding.ok("system", system + " " + machine.property("os.version") + " "
                + machine.property("os.arch")));
            findings.addAll(RdmaChecks.of(machine));
            findings.addAll(ProcessorChecks.of(machine));
            findings.addAll(MemoryChecks.of(machine));
        } else {
            findings.add(Finding.warn("system", system + ", where only sluice:ipc works and the rest is not looked at",
                "use Linux on x86-64 for RDMA, for processor affinity and for figures"));
        }
        findings.add(MemoryChecks.sharedFolder(machine, sharedFolder));
        return findings;
    }
}

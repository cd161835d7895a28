package io.sluice.samples.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks how undisturbed a spinning thread can be. Stateless. */
final class ProcessorChecks {
    private static final Path CPUS = Path.of("/sys/devices/system/cpu");
    private static final Pattern CPU = Pattern.compile("cpu\\d{1,5}");
    private static final Pattern GOVERNOR = Pattern.compile("[a-z_]{1,32}");
    private static final String PERFORMANCE = "performance";

    private ProcessorChecks() {
    }

    static List<Finding> of(final Machine machine) {
        final List<Finding> findings = new ArrayList<>();
        findings.add(count(machine));
        findings.add(isolated(machine));
        findings.add(governor(machine));
        return findings;
    }

    private static Finding count(final Machine machine) {
        final String subject = "processors";
        return machine.processors() > 1
            ? Finding.ok(subject, machine.processors() + " for this process")
            : Finding.warn(subject, "1 for this process: two spinning threads would wait for each other",
                "allow it more, or use the idle strategies backoff or sleeping");
    }

    private static Finding isolated(final Machine machine) {
        final String subject = "isolated cores";
        final String isolated = list(machine, "isolated");
        final String tickless = list(machine, "nohz_full");
        if (isolated.isEmpty()) {
            return Finding.warn(subject, "none: other threads and the tick interrupt a poller",
                "boot with isolcpus=LIST nohz_full=LIST and pin pollers there (sluice.poller.cpus)");
        }
        return isolated.equals(tickless)
            ? Finding.ok(subject, isolated + ", without a tick")
            : Finding.warn(subject, isolated + "; without a tick: " + (tickless.isEmpty() ? "none" : tickless),
                "boot with nohz_full=" + isolated + ", too");
    }

    private static String list(final Machine machine, final String name) {
        return KernelText.cpuList(machine.read(CPUS.resolve(name)).orElse(""));
    }

    private static Finding governor(final Machine machine) {
        final String subject = "governor";
        final Map<String, Integer> counts = new TreeMap<>();
        for (final String cpu : machine.names(CPUS)) {
            if (CPU.matcher(cpu).matches()) {
                final String governor = machine.read(
                    CPUS.resolve(cpu).resolve("cpufreq").resolve("scaling_governor")).orElse("").strip();
                if (GOVERNOR.matcher(governor).matches()) {
                    counts.merge(governor, 1, Integer::sum);
                }
            }
        }
        if (counts.isEmpty()) {
            return Finding.ok(subject, "none: the kernel does not set the clock rate (a virtual machine)");
        }
        final String text = counts.entrySet().stream()
            .map(entry -> entry.getKey() + " on " + entry.getValue()).collect(Collectors.joining(", "));
        return counts.keySet().stream().allMatch(PERFORMANCE::equals)
            ? Finding.ok(subject, text + " processors")
            : Finding.warn(subject, text + " processors: a core that slept is slow at first",
                "cpupower frequency-set -g performance");
    }
}

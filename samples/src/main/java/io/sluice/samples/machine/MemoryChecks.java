package io.sluice.samples.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Locked memory, huge pages, and memory that processes share. Stateless. */
final class MemoryChecks {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Path SHARED = Path.of("/dev/shm");
    private static final String LOCKED = "Max locked memory";
    private static final String UNLIMITED = "unlimited";
    /** CAP_IPC_LOCK, capabilities(7): the limit does not hold. */
    private static final int LOCK_CAPABILITY = 14;
    private static final long MIB = 1 << 20;
    /** A link of default size: log or ring of 4 MiB, and the control connection. */
    private static final long LEAST_LOCKED = 8 * MIB;
    private static final long ENOUGH_LOCKED = 256 * MIB;
    private static final long LEAST_SHARED = 16 * MIB;
    private static final long ENOUGH_SHARED = 256 * MIB;
    private static final String LOCK_REMEDY =
        "raise it: ulimit -l unlimited, LimitMEMLOCK=infinity of a systemd unit, --ulimit memlock=-1 of a container";

    private MemoryChecks() {
    }

    static List<Finding> of(final Machine machine) {
        final List<Finding> findings = new ArrayList<>();
        findings.add(locked(machine));
        findings.add(hugePages(machine));
        findings.add(shared(machine));
        return findings;
    }

    private static Finding locked(final Machine machine) {
        final String subject = "memlock";
        final String status = machine.read(STATUS).orElse("");
        if (KernelText.hasBit(KernelText.word(status, "CapEff:"), LOCK_CAPABILITY)) {
            return Finding.ok(subject, "no limit for this process (CAP_IPC_LOCK)");
        }
        final String limits = machine.read(LIMITS).orElse("");
        final String word = KernelText.word(limits, LOCKED);
        if (UNLIMITED.equals(word)) {
            return Finding.ok(subject, UNLIMITED);
        }
        final OptionalLong limit = KernelText.number(word);
        if (limit.isEmpty()) {
            return Finding.warn(subject, "the system does not tell the limit of locked memory",
                "see whether ulimit -l prints unlimited: RDMA locks the memory that it uses");
        }
        final String text = mebibytes(limit.getAsLong()) + " of locked memory";
        if (limit.getAsLong() >= ENOUGH_LOCKED) {
            return Finding.ok(subject, text);
        }
        return limit.getAsLong() < LEAST_LOCKED && !machine.rdma().devices().isEmpty()
            ? Finding.fail(subject, text + ", too little for one link over RDMA", LOCK_REMEDY)
            : Finding.warn(subject, text + ", and each link over RDMA takes 4 MiB with the default window",
                LOCK_REMEDY);
    }

    private static Finding hugePages(final Machine machine) {
        final String subject = "huge pages";
        final String memory = machine.read(MEMORY).orElse("");
        final long total = KernelText.field(memory, "HugePages_Total:").orElse(0);
        final long free = KernelText.field(memory, "HugePages_Free:").orElse(0);
        final String size = KernelText.field(memory, "Hugepagesize:").orElse(0) + " KiB";
        if (free > 0) {
            return Finding.ok(subject, free + " of " + total + " free, " + size + " each");
        }
        return total > 0
            ? Finding.warn(subject, "all " + total + " of " + size + " are taken",
                "reserve more: sysctl vm.nr_hugepages=" + 2 * Math.min(total, Integer.MAX_VALUE))
            : Finding.warn(subject, "none are reserved; memory works without, with more address translation",
                "reserve some for large windows: sysctl vm.nr_hugepages=64");
    }

    private static Finding shared(final Machine machine) {
        final String subject = SHARED.toString();
        final OptionalLong room = machine.usableBytes(SHARED);
        if (room.isEmpty()) {
            return Finding.warn(subject, "is not there: transports of this host share files on a disk instead",
                "mount it: mount -t tmpfs tmpfs /dev/shm");
        }
        if (!machine.mayUse(SHARED)) {
            return Finding.fail(subject, "this user may not write there", "chmod 1777 /dev/shm, as root");
        }
        final String text = mebibytes(room.getAsLong()) + " free";
        final String remedy =
            "make it larger: mount -o remount,size=2g /dev/shm, or --shm-size=2g of a container; or delete what is old";
        if (room.getAsLong() < LEAST_SHARED) {
            return Finding.fail(subject, text + ", too little for publications of default size", remedy);
        }
        return room.getAsLong() < ENOUGH_SHARED
            ? Finding.warn(subject, text + ", and each publication takes 4 MiB with the default window", remedy)
            : Finding.ok(subject, text);
    }

    static Finding sharedFolder(final Machine machine, final Path folder) {
        final String subject = "shared folder";
        final Path parent = folder.toAbsolutePath().getParent();
        final boolean isThere = parent != null && machine.names(parent).contains(folder.getFileName().toString());
        if (isThere) {
            final String problem = machine.folderProblem(folder);
            if (!problem.isEmpty()) {
                return Finding.fail(subject, folder + " " + problem, "chmod go-w " + folder
                    + " if it is yours, or name another one with -Dsluice.dir=FOLDER");
            }
            final OptionalLong room = machine.usableBytes(folder);
            if (room.isPresent() && room.getAsLong() < LEAST_SHARED) {
                return Finding.fail(subject, folder + ": " + mebibytes(room.getAsLong())
                    + " free, too little for publications of default size", "make room there");
            }
            return machine.mayUse(folder)
                ? Finding.ok(subject, folder.toString())
                : Finding.fail(subject, folder + " belongs to somebody else",
                    "delete it, or name another one with -Dsluice.dir=FOLDER");
        }
        return parent != null && machine.mayUse(nearestThatIsThere(machine, parent))
            ? Finding.ok(subject, folder + ", made by the first transport")
            : Finding.fail(subject, folder + " cannot be made", "name another one with -Dsluice.dir=FOLDER");
    }

    /** The first transport makes missing folders, too. Where the system tells nothing, the folder itself counts. */
    private static Path nearestThatIsThere(final Machine machine, final Path folder) {
        Path above = folder;
        while (above != null && machine.usableBytes(above).isEmpty()) {
            above = above.getParent();
        }
        return above == null ? folder : above;
    }

    private static String mebibytes(final long bytes) {
        return bytes < MIB ? bytes + " bytes" : String.format(Locale.ROOT, "%,d MiB", bytes / MIB);
    }
}

package io.sluice.environment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that a lock file names as its owner. A process id alone is given away again; with the start time, the
 * namespaces that both count in, and the boot, it means one process. Any thread may call.
 *
 * @param pid       of the process, in its namespace.
 * @param start     when it started: clock ticks since the boot on Linux (proc_pid_stat(5), field 22), elsewhere
 *                  milliseconds since 1970.
 * @param placement namespaces of process ids and of time, and the boot, see namespaces(7).
 */
record LockOwner(long pid, long start, String placement) {
    /** Bytes of the owner's name in the file: more than the longest that there can be. */
    static final int LENGTH = 256;

    private static final Pattern LINE =
        Pattern.compile("sluice-lock 1 pid=([0-9]{1,10}) start=([0-9]{1,18}) in=([!-~]{1,128})\n");
    private static final Path PROCESSES = Path.of("/proc");
    private static final boolean IS_LINUX = "Linux".equals(System.getProperty("os.name"));
    /** Fields of a process' status after its name, which ends with the last parenthesis. */
    private static final int STATE_FIELD = 0;
    private static final int THREADS_FIELD = 17;
    private static final int START_FIELD = 19;
    private static final String DEAD_STATES = "ZXx";

    /** Whether the process lives. */
    enum State { ALIVE, DEAD, UNKNOWN }

    /** This process; null where it cannot be told from others. */
    static LockOwner current() {
        return Holder.CURRENT;
    }

    /** The owner that a file names; null when it names nobody, or cannot be understood. */
    static LockOwner parse(final byte[] content) {
        final Matcher line = LINE.matcher(new String(content, StandardCharsets.ISO_8859_1));
        return line.lookingAt()
            ? new LockOwner(Long.parseLong(line.group(1)), Long.parseLong(line.group(2)), line.group(3))
            : null;
    }

    /** The text of a file whose lock this owner holds. */
    byte[] encode() {
        final String line = "sluice-lock 1 pid=" + pid + " start=" + start + " in=" + placement + "\n";
        return Arrays.copyOf(line.getBytes(StandardCharsets.ISO_8859_1), LENGTH);
    }

    /**
     * Whether the process lives; unknown in another PID namespace, after another boot, or where processes are hidden.
     */
    State state(final LockCalls calls) {
        final LockOwner current = current();
        if (current == null || !placement.equals(current.placement)) {
            return State.UNKNOWN;
        }
        if (pid == current.pid) {
            return start == current.start ? State.ALIVE : State.DEAD;
        }
        return IS_LINUX ? stateOnLinux(calls) : stateElsewhere();
    }

    private State stateOnLinux(final LockCalls calls) {
        try {
            final String[] fields = statusFields(Long.toString(pid));
            if (Long.parseLong(fields[START_FIELD]) != start) {
                return State.DEAD;
            }
            // the first thread may be over while others run
            return DEAD_STATES.contains(fields[STATE_FIELD]) && Long.parseLong(fields[THREADS_FIELD]) <= 1
                ? State.DEAD : State.ALIVE;
        } catch (final NoSuchFileException e) {
            // with hidepid=4 a process that lives may not be shown
            return calls != null && calls.isNoProcess(pid) ? State.DEAD : State.UNKNOWN;
        } catch (final IOException | RuntimeException e) {
            return State.UNKNOWN;
        }
    }

    private State stateElsewhere() {
        return ProcessHandle.of(pid)
            .map(process -> process.info().startInstant()
                .map(instant -> instant.toEpochMilli() == start ? State.ALIVE : State.DEAD).orElse(State.UNKNOWN))
            .orElse(State.DEAD);
    }

    private static String[] statusFields(final String process) throws IOException {
        final String status =
            new String(Files.readAllBytes(PROCESSES.resolve(process).resolve("stat")), StandardCharsets.ISO_8859_1);
        return status.substring(status.lastIndexOf(')') + 2).split(" ");
    }

    private static LockOwner ofThisProcess() {
        final ProcessHandle self = ProcessHandle.current();
        if (!IS_LINUX) {
            return self.info().startInstant().map(Instant::toEpochMilli)
                .map(startMs -> new LockOwner(self.pid(), startMs, "-")).orElse(null);
        }
        try {
            final Path me = PROCESSES.resolve("self");
            // a /proc of another namespace numbers processes otherwise
            if (!me.toRealPath().getFileName().toString().equals(Long.toString(self.pid()))) {
                return null;
            }
            return new LockOwner(
                self.pid(),
                Long.parseLong(statusFields("self")[START_FIELD]),
                namespace(me, "pid") + "," + namespace(me, "time") + ","
                    + Files.readString(PROCESSES.resolve("sys/kernel/random/boot_id")).trim());
        } catch (final IOException | RuntimeException e) {
            return null;
        }
    }

    private static String namespace(final Path process, final String name) throws IOException {
        final Path link = process.resolve("ns").resolve(name);
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (final NoSuchFileException e) {
            // Linux before 5.6 has none of time
            return name + ":-";
        }
    }

    private static final class Holder {
        static final LockOwner CURRENT = ofThisProcess();
    }
}

package io.sluice.perf.downcall;

import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * The linker options that a call can have.
 */
public enum DowncallCase {
    /** A call without options: the thread leaves the Java state, and a safepoint does not wait for it. */
    PLAIN("plain", false, false),
    /** A call with {@code Linker.Option.captureCallState("errno")}. */
    ERRNO("errno", false, true),
    /** A call with {@code Linker.Option.critical(false)}: a safepoint waits for it. */
    CRITICAL("critical", true, false),
    /** A call with both options. */
    CRITICAL_ERRNO("critical+errno", true, true);

    private static final String PROPERTY = "sluice.perf.downcall";

    private final String label;
    private final boolean isCritical;
    private final boolean capturesErrno;

    DowncallCase(final String label, final boolean isCritical, final boolean capturesErrno) {
        this.label = label;
        this.isCritical = isCritical;
        this.capturesErrno = capturesErrno;
    }

    /**
     * The name in tables.
     *
     * @return the label.
     */
    public String label() {
        return label;
    }

    /** The flags of a JVM that measures this case: there the handle is a constant. */
    List<String> jvmFlags() {
        return List.of("-D" + PROPERTY + "=" + name());
    }

    /** The case that this JVM was started for. */
    static DowncallCase ofThisProcess() {
        return valueOf(System.getProperty(PROPERTY, PLAIN.name()));
    }

    MethodHandle link() {
        return LinkedCall.link(isCritical, capturesErrno);
    }
}

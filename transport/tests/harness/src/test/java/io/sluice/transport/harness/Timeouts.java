package io.sluice.transport.harness;

/**
 * System properties of children: in tests that wait for timeouts as short as a busy machine allows, and in tests in
 * which nothing must time out as long as it may be, for machines that take seconds to start a process.
 */
public final class Timeouts {
    public static final String HEARTBEAT = "sluice.heartbeat.interval=100ms";
    public static final String LIVENESS = "sluice.liveness.timeout=2s";
    public static final String RESUME = "sluice.resume.timeout=1s";
    public static final String LONG_LIVENESS = "sluice.liveness.timeout=200s";
    public static final String LONG_RESUME = "sluice.resume.timeout=100s";

    private Timeouts() {
    }
}

package io.sluice.transport.harness;

/**
 * System properties of children in tests that wait for timeouts: as short as a busy machine allows.
 */
public final class Timeouts {
    public static final String HEARTBEAT = "sluice.heartbeat.interval=100ms";
    public static final String LIVENESS = "sluice.liveness.timeout=2s";
    public static final String RESUME = "sluice.resume.timeout=1s";

    private Timeouts() {
    }
}

package io.sluice.transport.agent;

import io.sluice.environment.Environment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.LangUtil;
import org.agrona.concurrent.Agent;

/**
 * Counts the duty cycles of an agent, their work, and how long the longest took. One thread runs it; any thread may
 * read. It reads the clock twice a cycle, so it is not for agents that spin on the data path.
 */
public final class AgentMeter implements Agent {
    private static final VarHandle CYCLES;
    private static final VarHandle WORK;
    private static final VarHandle MAX_CYCLE;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            CYCLES = lookup.findVarHandle(AgentMeter.class, "cycles", long.class);
            WORK = lookup.findVarHandle(AgentMeter.class, "work", long.class);
            MAX_CYCLE = lookup.findVarHandle(AgentMeter.class, "maxCycleNs", long.class);
        } catch (final ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final Agent agent;
    private final Environment environment;
    private long cycles;
    private long work;
    private long maxCycleNs;

    /**
     * A meter that has counted nothing.
     *
     * @param agent       to run and to count.
     * @param environment with the clock.
     */
    public AgentMeter(final Agent agent, final Environment environment) {
        this.agent = agent;
        this.environment = environment;
    }

    @Override
    public void onStart() {
        agent.onStart();
    }

    @Override
    public int doWork() {
        final long startNs = environment.nanoTime();
        int done = 0;
        try {
            done = agent.doWork();
        } catch (final Exception ex) {
            LangUtil.rethrowUnchecked(ex);
        } finally {
            final long elapsedNs = environment.nanoTime() - startNs;
            CYCLES.setOpaque(this, cycles + 1);
            if (done > 0) {
                WORK.setOpaque(this, work + done);
            }
            if (elapsedNs > maxCycleNs) {
                MAX_CYCLE.setOpaque(this, elapsedNs);
            }
        }
        return done;
    }

    @Override
    public void onClose() {
        agent.onClose();
    }

    @Override
    public String roleName() {
        return agent.roleName();
    }

    /** {@return the number of times that the agent has run} Any thread. */
    public long cycles() {
        return (long) CYCLES.getOpaque(this);
    }

    /** {@return the amount of work that the agent has said that it did} Any thread. */
    public long work() {
        return (long) WORK.getOpaque(this);
    }

    /** {@return the longest cycle so far, in nanoseconds} Any thread. */
    public long maxCycleNs() {
        return (long) MAX_CYCLE.getOpaque(this);
    }
}

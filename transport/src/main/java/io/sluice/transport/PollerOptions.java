package io.sluice.transport;

import io.sluice.transport.connection.IdleStrategies;
import io.sluice.transport.receive.Poller;
import java.util.Arrays;
import java.util.List;

/**
 * The poller threads of a transport, which serve its subscriptions in DEDICATED mode. Immutable; any thread. Defaults
 * are the system properties {@link Configuration#POLLERS_PROP}, {@link Configuration#POLLER_CPUS_PROP} and {@link
 * Configuration#POLLER_IDLE_STRATEGY_PROP}.
 */
public final class PollerOptions {
    private static final List<Integer> NO_CPUS = List.of();

    private final int count;
    private final List<Integer> cpus;
    private final String idleStrategy;

    /**
     * The defaults: one poller, not pinned, that spins for a while and then sleeps.
     *
     * @throws IllegalArgumentException when a system property is malformed.
     */
    public PollerOptions() {
        this(
            SystemProperties.count(Configuration.POLLERS_PROP, 1),
            parseCpus(System.getProperty(Configuration.POLLER_CPUS_PROP, "")),
            System.getProperty(Configuration.POLLER_IDLE_STRATEGY_PROP, Configuration.POLLER_IDLE_STRATEGY_DEFAULT));
    }

    private PollerOptions(final int count, final List<Integer> cpus, final String idleStrategy) {
        this.count = count;
        this.cpus = cpus;
        this.idleStrategy = idleStrategy;
    }

    private static List<Integer> parseCpus(final String text) {
        return text.isBlank() ? NO_CPUS : Arrays.stream(text.split(",", -1))
            .map(cpu -> (int) Quantities.checkRange(Configuration.POLLER_CPUS_PROP,
                Quantities.count(Configuration.POLLER_CPUS_PROP, cpu.trim()), 0, Integer.MAX_VALUE))
            .toList();
    }

    /**
     * Have a number of pollers.
     *
     * @param value from 1 to {@link Configuration#POLLERS_MAX}.
     * @return new options.
     */
    public PollerOptions count(final int value) {
        return new PollerOptions(value, cpus, idleStrategy);
    }

    /**
     * Pin pollers, each from inside its own thread: the first poller to the first processor and so on. Pollers beyond
     * the last one are not pinned. How isolated each processor is, is logged and can be asked with
     * {@link Transport#pollers()}.
     *
     * @param values numbers of the processors, from 0, each once, no more than pollers.
     * @return new options.
     */
    public PollerOptions cpus(final int... values) {
        return new PollerOptions(count, Arrays.stream(values).boxed().toList(), idleStrategy);
    }

    /**
     * What pollers do with their core while nothing arrives.
     *
     * @param name {@code busy-spin}, {@code yielding}, {@code backoff} or {@code sleeping}.
     * @return new options.
     */
    public PollerOptions idleStrategy(final String name) {
        return new PollerOptions(count, cpus, name);
    }

    /** {@return the number of pollers} */
    public int count() {
        return count;
    }

    /** {@return the processors that pollers are pinned to, empty when none is} */
    public List<Integer> cpus() {
        return cpus;
    }

    /** {@return the name of the idle strategy} */
    public String idleStrategy() {
        return idleStrategy;
    }

    int cpu(final int index) {
        return index < cpus.size() ? cpus.get(index) : Poller.NO_CPU;
    }

    void check(final ThreadingMode threadingMode) {
        Quantities.checkRange("pollers", count, 1, Configuration.POLLERS_MAX);
        IdleStrategies.check("pollerIdleStrategy", idleStrategy);
        if (cpus.size() > count || cpus.stream().distinct().count() < cpus.size()) {
            throw new IllegalArgumentException("each processor is for one poller: pollerCpus=" + cpus
                + " pollers=" + count);
        }
        for (final int cpu : cpus) {
            Quantities.checkRange("pollerCpus", cpu, 0, Integer.MAX_VALUE);
        }
        if (threadingMode == ThreadingMode.INVOKER && !cpus.isEmpty()) {
            throw new IllegalArgumentException("without threads there is nothing to pin: pollerCpus=" + cpus
                + " threadingMode=" + threadingMode);
        }
    }
}

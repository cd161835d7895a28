package io.sluice.transport;

import io.sluice.transport.agent.IdleStrategies;
import io.sluice.transport.receive.Poller;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The poller threads of a transport, which serve its subscriptions in DEDICATED mode. Immutable; any thread. Defaults
 * are the system properties {@link Configuration#POLLERS_PROP}, {@link Configuration#POLLER_CPUS_PROP}, {@link
 * Configuration#POLLER_IDLE_STRATEGY_PROP}, {@link Configuration#POLLER_COMPLETION_MODES_PROP} and {@link
 * Configuration#POLLER_SPIN_TIME_PROP}.
 *
 * <p>An object of this class never changes: a method with a parameter returns a changed copy, which takes effect when
 * it is handed to {@link Context#pollers(PollerOptions)}.
 *
 * <p>The spin time is checked at once, the other values when the context is concluded.
 */
public final class PollerOptions {
    /** The spin time that is left to {@link #spinTimeNs(int, int)}. */
    private static final long BY_MACHINE = -1;

    private static final List<Integer> NO_CPUS = List.of();

    private final int count;
    private final List<Integer> cpus;
    private final String idleStrategy;
    private final List<CompletionMode> completionModes;
    private final long spinTimeNs;

    /**
     * The defaults: one poller, not pinned, in SPIN mode, that spins for some tens of microseconds and then looks from
     * time to time, so that it takes no core from others on a machine that has few.
     *
     * @throws IllegalArgumentException when a system property is malformed.
     */
    public PollerOptions() {
        this(
            SystemProperties.count(Configuration.POLLERS_PROP, 1, 1, Configuration.POLLERS_MAX),
            parseCpus(System.getProperty(Configuration.POLLER_CPUS_PROP, "")),
            IdleStrategies.check(Configuration.POLLER_IDLE_STRATEGY_PROP, System.getProperty(
                Configuration.POLLER_IDLE_STRATEGY_PROP, Configuration.POLLER_IDLE_STRATEGY_DEFAULT)),
            parseModes(System.getProperty(Configuration.POLLER_COMPLETION_MODES_PROP, CompletionMode.SPIN.name())),
            SystemProperties.quantity(Configuration.POLLER_SPIN_TIME_PROP, BY_MACHINE, Quantities::durationNs, 0,
                Configuration.TIMEOUT_MAX_NS));
    }

    private PollerOptions(
        final int count,
        final List<Integer> cpus,
        final String idleStrategy,
        final List<CompletionMode> completionModes,
        final long spinTimeNs) {
        this.count = count;
        this.cpus = cpus;
        this.idleStrategy = idleStrategy;
        this.completionModes = completionModes;
        this.spinTimeNs = spinTimeNs;
    }

    private static List<CompletionMode> parseModes(final String text) {
        return Arrays.stream(text.split(",", -1)).map(word -> parseMode(word.trim())).toList();
    }

    private static CompletionMode parseMode(final String word) {
        for (final CompletionMode mode : CompletionMode.values()) {
            if (mode.name().equals(word.toUpperCase(Locale.ROOT))) {
                return mode;
            }
        }
        throw new IllegalArgumentException("unknown value: " + Configuration.POLLER_COMPLETION_MODES_PROP + "=" + word
            + " known=" + Arrays.toString(CompletionMode.values()));
    }

    private static List<Integer> parseCpus(final String text) {
        return text.isBlank() ? NO_CPUS : Arrays.stream(text.split(",", -1))
            .map(cpu -> (int) Quantities.count(Configuration.POLLER_CPUS_PROP, cpu.trim(), 0, Integer.MAX_VALUE))
            .toList();
    }

    /**
     * Returns a copy of these options with another number of pollers.
     *
     * @param value from 1 to {@link Configuration#POLLERS_MAX}.
     * @return the copy.
     */
    public PollerOptions count(final int value) {
        return new PollerOptions(value, cpus, idleStrategy, completionModes, spinTimeNs);
    }

    /**
     * Returns a copy of these options with other processors to pin pollers to, each from inside its own thread: the
     * first poller to the first processor and so on. Pollers beyond the last one are not pinned. How isolated each
     * processor is, is logged and can be asked with {@link Transport#pollers()}.
     *
     * @param values numbers of the processors, from 0, each once, no more than pollers.
     * @return the copy.
     */
    public PollerOptions cpus(final int... values) {
        return new PollerOptions(
            count, Arrays.stream(values).boxed().toList(), idleStrategy, completionModes, spinTimeNs);
    }

    /**
     * Returns a copy of these options with another idle strategy: what pollers in SPIN mode do with their core while
     * nothing arrives.
     *
     * @param name {@code busy-spin}, {@code yielding}, {@code backoff} or {@code sleeping}.
     * @return the copy.
     */
    public PollerOptions idleStrategy(final String name) {
        return new PollerOptions(
            count, cpus, Objects.requireNonNull(name, "idleStrategy"), completionModes, spinTimeNs);
    }

    /**
     * Returns a copy of these options with other modes in which pollers learn of completions. A subscription is served
     * in the mode of its poller, which its channel may name with {@code poller}; in another mode than SPIN it has
     * completions to wait for, as with {@code completion=queue}.
     *
     * @param values of the first poller and so on, at least one; the last one is that of the pollers beyond, too.
     * @return the copy.
     */
    public PollerOptions completionModes(final CompletionMode... values) {
        return new PollerOptions(count, cpus, idleStrategy, List.of(values), spinTimeNs);
    }

    /**
     * Returns a copy of these options with another time that pollers in ADAPTIVE mode spin after the last message
     * before they sleep. Left out it is {@link Configuration#POLLER_SPIN_TIME_DEFAULT_NS} for as many pollers as the
     * machine has processors but one, which the application needs, and 0 for those beyond.
     *
     * @param valueNs in nanoseconds, from 0 to {@link Configuration#TIMEOUT_MAX_NS}.
     * @return the copy.
     */
    public PollerOptions spinTimeNs(final long valueNs) {
        Quantities.checkRange("pollerSpinTimeNs", valueNs, 0, Configuration.TIMEOUT_MAX_NS);
        return new PollerOptions(count, cpus, idleStrategy, completionModes, valueNs);
    }

    /** {@return the number of pollers} */
    public int count() {
        return count;
    }

    /** {@return the processors that pollers are pinned to, empty when none is} */
    public List<Integer> cpus() {
        return cpus;
    }

    /** {@return the modes of the first poller and so on, the last one being that of the pollers beyond, too} */
    public List<CompletionMode> completionModes() {
        return completionModes;
    }

    /** {@return the mode of a poller} */
    CompletionMode completionMode(final int index) {
        return completionModes.get(Math.min(index, completionModes.size() - 1));
    }

    /**
     * {@return the time for which a poller that waits for events spins before, on a machine with so many processors}
     */
    long spinTimeNs(final int index, final int processors) {
        if (completionMode(index) == CompletionMode.EVENT) {
            return 0;
        }
        if (spinTimeNs != BY_MACHINE) {
            return spinTimeNs;
        }
        return index < processors - 1 ? Configuration.POLLER_SPIN_TIME_DEFAULT_NS : 0;
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
        checkModes(threadingMode);
        if (cpus.size() > count || cpus.stream().distinct().count() < cpus.size()) {
            throw new IllegalArgumentException("each processor is for one poller: pollerCpus=" + cpus
                + " pollers=" + count
                + SystemProperties.origin(Configuration.POLLER_CPUS_PROP, Configuration.POLLERS_PROP));
        }
        for (final int cpu : cpus) {
            Quantities.checkRange("pollerCpus", cpu, 0, Integer.MAX_VALUE);
        }
        if (threadingMode == ThreadingMode.INVOKER && !cpus.isEmpty()) {
            throw new IllegalArgumentException("without threads there is nothing to pin: pollerCpus=" + cpus
                + " threadingMode=" + threadingMode
                + SystemProperties.origin(Configuration.POLLER_CPUS_PROP, Configuration.THREADING_MODE_PROP));
        }
    }

    private void checkModes(final ThreadingMode threadingMode) {
        if (completionModes.isEmpty() || completionModes.size() > count) {
            throw new IllegalArgumentException("a completion mode is for a poller: pollerCompletionModes="
                + completionModes + " pollers=" + count
                + SystemProperties.origin(Configuration.POLLER_COMPLETION_MODES_PROP, Configuration.POLLERS_PROP));
        }
        if (threadingMode == ThreadingMode.INVOKER
            && completionModes.stream().anyMatch(mode -> mode != CompletionMode.SPIN)) {
            throw new IllegalArgumentException("without threads nobody can sleep, the application decides how it waits:"
                + " pollerCompletionModes=" + completionModes + " threadingMode=" + threadingMode
                + SystemProperties.origin(
                    Configuration.POLLER_COMPLETION_MODES_PROP, Configuration.THREADING_MODE_PROP));
        }
    }

    @Override
    public String toString() {
        return "PollerOptions{count=" + count + " cpus=" + cpus + " idleStrategy=" + idleStrategy
            + " completionModes=" + completionModes + " spinTimeNs=" + spinTimeNs + "}";
    }
}

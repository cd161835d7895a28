package io.sluice.transport.agent;

import io.sluice.environment.Environment;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * Idle strategies by name: what a poller or a consumer does with its core while there is nothing to do. Stateless; any
 * thread.
 */
public final class IdleStrategies {
    /** The names, from the one that reacts first to the one that takes least of the core. */
    public static final List<String> NAMES = List.of("busy-spin", "yielding", "backoff", "sleeping");

    /** The name of one more strategy that consumers of a ring may have: to be woken by whoever moves on. */
    public static final String BLOCKING = "blocking";

    private static final List<String> CONSUMER_NAMES =
        Stream.concat(NAMES.stream(), Stream.of(BLOCKING)).toList();

    private IdleStrategies() {
    }

    /**
     * Make a strategy for one agent.
     *
     * @param name        one of {@link #NAMES}.
     * @param environment to park in.
     * @return a new strategy, for the agent's thread.
     * @throws IllegalArgumentException when no strategy has that name; the message lists those there are.
     */
    public static IdleStrategy create(final String name, final Environment environment) {
        return switch (check("idleStrategy", name)) {
            case "busy-spin" -> new BusySpinIdleStrategy();
            case "yielding" -> new YieldingIdleStrategy();
            default -> resting(name, environment);
        };
    }

    /**
     * Make a strategy for a consumer of a ring that is woken once it rests.
     *
     * @param name        one of {@link #NAMES}, or {@link #BLOCKING}.
     * @param environment to park in.
     * @return a new strategy, or null when one of that name never leaves its core.
     */
    public static BackoffIdleStrategy resting(final String name, final Environment environment) {
        return switch (name) {
            case "backoff" -> BackoffIdleStrategy.backoff(environment);
            case "sleeping" -> BackoffIdleStrategy.sleeping(environment);
            case BLOCKING -> BackoffIdleStrategy.blocking(environment);
            default -> null;
        };
    }

    /**
     * Check a name.
     *
     * @param key  that the name was given for, for the message.
     * @param name to check.
     * @return the name.
     * @throws IllegalArgumentException when no strategy has that name; the message lists those there are.
     */
    public static String check(final String key, final String name) {
        return check(key, name, NAMES);
    }

    /**
     * Check the name of what a consumer does: one of {@link #NAMES} or {@link #BLOCKING}.
     *
     * @param key  that the name was given for, for the message.
     * @param name to check.
     * @return the name.
     * @throws IllegalArgumentException when there is no such name; the message lists those there are.
     */
    public static String checkOfConsumer(final String key, final String name) {
        return check(key, name, CONSUMER_NAMES);
    }

    private static String check(final String key, final String name, final List<String> known) {
        if (!known.contains(name)) {
            throw new IllegalArgumentException("unknown value: " + key + "=" + name + " known="
                + String.join(",", known));
        }
        return name;
    }
}

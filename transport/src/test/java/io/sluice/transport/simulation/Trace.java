package io.sluice.transport.simulation;

import java.io.PrintStream;

/**
 * What happened in a run, in order. Every event goes into a hash, by which two runs are compared; it is printed only
 * when somebody wants to read it, because that costs more than the run.
 */
final class Trace {
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private final PrintStream out;
    private long hash;
    private long events;

    /** A trace that is printed, or only hashed when there is nowhere to print it. */
    Trace(final PrintStream out) {
        this.out = out;
    }

    /** Agents are stepped all the time: a step without work is hashed, but not worth a line. */
    void step(final long nowNs, final String name, final int work) {
        add(name, nowNs, work, 0);
        if (out != null && work != 0) {
            print(nowNs, name, "work=" + work);
        }
    }

    /** Something happened to somebody; the two numbers are named in the order of the event's words. */
    void event(final long nowNs, final String name, final String event, final long first, final long second) {
        add(name, nowNs, event.hashCode() * MULTIPLIER + first, second);
        if (out != null) {
            print(nowNs, name, event + " " + first + " " + second);
        }
    }

    private void add(final String name, final long first, final long second, final long third) {
        events++;
        hash = mix(mix(mix(mix(hash, name.hashCode()), first), second), third);
    }

    private static long mix(final long hash, final long value) {
        final long product = (hash ^ value) * MULTIPLIER;
        return product ^ product >>> 29;
    }

    private void print(final long nowNs, final String name, final String text) {
        out.println(nowNs / 1_000 + " us " + name + ": " + text);
    }

    /** Equal for equal runs. */
    long hash() {
        return hash;
    }

    long events() {
        return events;
    }
}

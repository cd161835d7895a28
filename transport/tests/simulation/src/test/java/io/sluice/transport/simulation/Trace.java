package io.sluice.transport.simulation;

import io.sluice.transport.Publication;
import java.io.PrintStream;
import java.util.Locale;

/**
 * All that happened in a run, in order: the number of the step, the virtual time, who, and what. Every event goes into
 * a hash, by which two runs are compared; it is printed only when somebody wants to read it, because that costs more
 * than the run.
 */
final class Trace {
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;
    private static final String PLACE = "{}";

    private final PrintStream out;
    private long hash;
    private long events;
    private long step;
    private long nowNs;

    /** A trace that is printed, or only hashed when there is nowhere to print it. */
    Trace(final PrintStream out) {
        this.out = out;
    }

    /** Set the step and the time of the events that follow. */
    void at(final long newStep, final long newNowNs) {
        step = newStep;
        nowNs = newNowNs;
    }

    /** Agents are stepped all the time: a step without work is hashed, but not worth a line. */
    void step(final String name, final int work) {
        add(name, nowNs, work, 0);
        if (out != null && work != 0) {
            print(name, "steps work=" + work);
        }
    }

    /** Something happened to somebody; the two numbers stand where the event's words have a {@code {}}. */
    void event(final String name, final String event, final long first, final long second) {
        add(name, nowNs, event.hashCode() * MULTIPLIER + first, second);
        if (out != null) {
            print(name, fill(fill(event, Long.toString(first)), Long.toString(second)));
        }
    }

    /** Note what became of an attempt to publish. */
    void publish(final String name, final String event, final long length, final long result) {
        add(name, nowNs, event.hashCode() * MULTIPLIER + length, result);
        if (out != null) {
            print(name, event + " length=" + length
                + (result > 0 ? " end=" + result : " " + Publication.errorString(result)));
        }
    }

    private static String fill(final String text, final String value) {
        final int place = text.indexOf(PLACE);
        return place < 0 ? text : text.substring(0, place) + value + text.substring(place + PLACE.length());
    }

    private void add(final String name, final long first, final long second, final long third) {
        events++;
        hash = mix(mix(mix(mix(hash, name.hashCode()), first), second), third);
    }

    private static long mix(final long hash, final long value) {
        final long product = (hash ^ value) * MULTIPLIER;
        return product ^ product >>> 29;
    }

    private void print(final String name, final String text) {
        out.printf(Locale.ROOT, "%8d %11.3f us  %-26s %s%n", step, nowNs / 1e3, name, text);
    }

    /** Equal for equal runs. */
    long hash() {
        return hash;
    }

    long events() {
        return events;
    }
}

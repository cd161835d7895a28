package io.sluice.perf.start;

/** A program's start, from nothing or from what an earlier run has left. */
public enum StartCase {
    /** The JVM loads, links and profiles everything itself. */
    PLAIN("plain"),
    /** The JVM maps a cache that a run before has made: classes are loaded and linked, and methods profiled. */
    CACHED("aot-cache");

    private final String label;

    StartCase(final String label) {
        this.label = label;
    }

    /** {@return the name in tables} */
    public String label() {
        return label;
    }
}

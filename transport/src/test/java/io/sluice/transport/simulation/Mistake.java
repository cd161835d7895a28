package io.sluice.transport.simulation;

/** What is done wrong on purpose, to see that a run finds it. */
enum Mistake {
    NONE,
    /** A byte of a message changes in the log after it was committed. */
    CHANGED_BYTE,
    /** The publication is told that everything was consumed when it was not. */
    EARLY_REPORT,
    /** A write of data is lost, and nobody is told. */
    LOST_WRITE;

    /** Whether it does harm: a receive ring has its own bytes, and a shared log needs no write to have them. */
    boolean isHarmful(final Scenario scenario) {
        return switch (this) {
            case NONE -> false;
            case CHANGED_BYTE -> scenario.isLogShared() && !scenario.outages();
            case EARLY_REPORT -> !scenario.outages();
            case LOST_WRITE -> !scenario.isLogShared() && !scenario.outages();
        };
    }
}

package io.sluice.samples.machine;

/** The meaning of a finding. */
public enum Verdict {
    /** A finding that is as it should be. */
    OK,
    /** Works, but slower or with less than it could. */
    WARN,
    /** Does not work. */
    FAIL
}

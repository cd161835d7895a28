package io.sluice.samples.selftest;

/** A device that does not do what it should; the message says what it did. */
final class CheckFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CheckFailure(final String message) {
        super(message);
    }
}

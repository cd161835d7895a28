package io.sluice.transport.harness;

/**
 * How much a test does. The system property {@value #MAX_MESSAGES} bounds what one publisher offers, for machines that
 * are slow, as an emulated one is.
 */
public final class Scale {
    /** A number of messages. */
    public static final String MAX_MESSAGES = "sluice.test.max.messages";

    private static final int BOUND = Integer.getInteger(MAX_MESSAGES, Integer.MAX_VALUE);

    private Scale() {
    }

    /** So many messages, or the bound. */
    public static int messages(final int count) {
        return Math.min(count, BOUND);
    }
}

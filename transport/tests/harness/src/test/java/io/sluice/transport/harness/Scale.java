package io.sluice.transport.harness;

/**
 * The amount of what a test does: system properties bound what one publisher offers and how often, for machines that
 * are slow, as an emulated one is.
 */
public final class Scale {
    /** A number of messages. */
    public static final String MAX_MESSAGES = "sluice.test.max.messages";

    /** The number of times that a test does what takes new processes. */
    public static final String MAX_ROUNDS = "sluice.test.max.rounds";

    private static final int MESSAGES = bound(MAX_MESSAGES);
    private static final int ROUNDS = bound(MAX_ROUNDS);

    private Scale() {
    }

    /** Whether this machine is a slow one. */
    public static boolean isReduced() {
        return MESSAGES < Integer.MAX_VALUE;
    }

    /** So many messages, or the bound. */
    public static int messages(final int count) {
        return Math.min(count, MESSAGES);
    }

    /** So many rounds, or the bound. */
    public static int rounds(final int count) {
        return Math.min(count, ROUNDS);
    }

    private static int bound(final String property) {
        return Integer.parseInt(System.getProperty(property, String.valueOf(Integer.MAX_VALUE)));
    }
}

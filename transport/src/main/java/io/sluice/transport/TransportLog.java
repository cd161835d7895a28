package io.sluice.transport;

/**
 * Logs notices of a transport, and errors where the program sets no error handler: to whatever the program logs with,
 * else to the standard error output. Any thread.
 */
final class TransportLog {
    private static final String NAME = "io.sluice";

    private TransportLog() {
    }

    static void error(final Throwable error) {
        System.getLogger(NAME).log(System.Logger.Level.ERROR, error.getMessage(), error);
    }

    static void notice(final String text) {
        System.getLogger(NAME).log(System.Logger.Level.INFO, text);
    }
}

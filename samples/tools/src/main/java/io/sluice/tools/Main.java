package io.sluice.tools;

/**
 * Starts a command of the one jar. Classes of this package are compiled for Java 8, so that whoever has an older Java
 * than the commands need is told so in a sentence, and not by the version of a class file.
 */
public final class Main {
    private static final int MIN_JAVA = 25;
    private static final String COMMANDS = "io.sluice.samples.SluiceCommand";
    /** The prefix that releases before 9 have: 1.8. */
    private static final String OLD_PREFIX = "1.";

    private Main() {
    }

    /**
     * Run the command that the first argument names, and end the process with its exit code.
     *
     * @param args the command and its arguments.
     * @throws Exception when the commands cannot be started.
     */
    public static void main(final String[] args) throws Exception {
        final String mistake =
            mistake(System.getProperty("java.specification.version"), System.getProperty("java.home"));
        if (mistake != null) {
            System.err.println("sluice: " + mistake);
            System.exit(1);
        }
        // by name: the compiler for Java 8 cannot read that class
        Class.forName(COMMANDS).getMethod("main", String[].class).invoke(null, (Object) args);
    }

    /** The reason why a Java cannot run the commands; null when it can. */
    static String mistake(final String release, final String home) {
        final String feature = release.startsWith(OLD_PREFIX) ? release.substring(OLD_PREFIX.length()) : release;
        return Integer.parseInt(feature) >= MIN_JAVA ? null
            : "needs a Java " + MIN_JAVA + " or later, and this is Java " + feature + " in " + home
                + ": install one, for example from https://adoptium.net, and call its bin/java";
    }
}

package io.sluice.transport;

import org.agrona.UnsafeApi;

/** The access to the JDK's inside that each channel needs: Agrona's buffers go through it. Stateless. */
final class JvmAccess {
    private static final String INTERNAL_PACKAGE = "jdk.internal.misc";

    private JvmAccess() {
    }

    /**
     * Refuse a JVM that was started without the flag, before a buffer fails with an error that does not name it.
     *
     * @throws IllegalStateException with the flag to add: for the class path or for Agrona's module.
     */
    static void check() {
        final Module agrona = UnsafeApi.class.getModule();
        if (!Object.class.getModule().isExported(INTERNAL_PACKAGE, agrona)) {
            throw new IllegalStateException(INTERNAL_PACKAGE + " is closed to Agrona, whose buffers every channel"
                + " needs: start the JVM with --add-opens=java.base/" + INTERNAL_PACKAGE + '='
                + (agrona.isNamed() ? agrona.getName() : "ALL-UNNAMED"));
        }
    }
}

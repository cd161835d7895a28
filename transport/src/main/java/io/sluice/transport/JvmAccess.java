package io.sluice.transport;

import org.agrona.UnsafeApi;

/** The parts of the JVM that a transport needs: a module, and access that Agrona's buffers go through. Stateless. */
final class JvmAccess {
    private static final String INTERNAL_PACKAGE = "jdk.internal.misc";
    private static final String EVENTS_MODULE = "jdk.jfr";

    private JvmAccess() {
    }

    /**
     * Refuse a JVM that was started without the flag, or was linked without the module of the flight recorder, before
     * something fails with an error that does not name it.
     *
     * @throws IllegalStateException with the flag to add, for the class path or for Agrona's module; or with the module
     *                               that is lacking.
     */
    static void check() {
        if (ModuleLayer.boot().findModule(EVENTS_MODULE).isEmpty()) {
            throw new IllegalStateException("this JVM lacks the module " + EVENTS_MODULE
                + ", which a transport's events need: name it in --add-modules of jlink");
        }
        final Module agrona = UnsafeApi.class.getModule();
        if (!Object.class.getModule().isExported(INTERNAL_PACKAGE, agrona)) {
            throw new IllegalStateException(INTERNAL_PACKAGE + " is closed to Agrona, whose buffers every channel"
                + " needs: start the JVM with --add-opens=java.base/" + INTERNAL_PACKAGE + '='
                + (agrona.isNamed() ? agrona.getName() : "ALL-UNNAMED"));
        }
    }
}

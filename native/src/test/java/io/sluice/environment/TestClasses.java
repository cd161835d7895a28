package io.sluice.environment;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * The places that this JVM has its classes from, whichever path they are on: for the class path of another one. Any
 * thread.
 */
final class TestClasses {
    private static final String MODULE_PATH = "jdk.module.path";
    /** Followed by a number from 0 on: what tests add to the module that they are of. */
    private static final String PATCH = "jdk.module.patch.";

    private TestClasses() {
    }

    /** {@return folders and files, in the order in which classes are looked for} */
    static List<String> paths() {
        final List<String> paths = new ArrayList<>();
        String patch;
        for (int i = 0; (patch = System.getProperty(PATCH + i)) != null; i++) {
            paths.addAll(split(patch.substring(patch.indexOf('=') + 1)));
        }
        paths.addAll(split(System.getProperty(MODULE_PATH, "")));
        paths.addAll(split(System.getProperty("java.class.path")));
        return paths;
    }

    private static List<String> split(final String paths) {
        return paths.isEmpty() ? List.of() : List.of(paths.split(File.pathSeparator));
    }
}
